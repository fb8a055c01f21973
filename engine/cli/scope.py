"""What a command asks: which libraries, or a portable index, and which of their documents."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from engine.answer import filters
from engine.document_filter import DocumentFilter
from engine.index import portable
from engine.index.library import Library
from engine.workspace import Workspace


@contextmanager
def chosen_libraries(options: argparse.Namespace, workspace: Workspace) -> Iterator[list[Library]]:
    """The libraries to ask; a portable index is read into memory and closed afterwards."""
    if options.index is None:
        yield workspace.libraries.chosen(tuple(options.library))
        return
    library = portable.read(options.index, workspace.embedder(), workspace.dimension)
    try:
        yield [library]
    finally:
        library.close()


def chosen_documents(options: argparse.Namespace) -> DocumentFilter:
    """The filter that the options describe; raises FilterInvalid."""
    return filters.parse(
        folders=options.within,
        types=options.types,
        since=options.since,
        until=options.until,
        names=options.names,
    )
