"""What a command asks: which libraries, or a portable index, and which of their documents."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from engine.answer import filters
from engine.cli.console import Console
from engine.document_filter import DocumentFilter
from engine.index import embedders, portable
from engine.index.embedding import Embedder
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


def question_embedders(
    libraries: list[Library], workspace: Workspace, console: Console
) -> tuple[Embedder | None, tuple[Embedder, ...]]:
    """What questions to the libraries are embedded with; says for which of them words alone decide."""
    embedder, others = workspace.question_embedders(libraries)
    if embedder is None:
        console.note(console.say("lexical_only"))
    else:
        for params in embedders.strangers(libraries, embedder, others):
            console.note(console.say("other_embedder", **params))
    return embedder, others


def chosen_documents(options: argparse.Namespace) -> DocumentFilter:
    """The filter that the options describe; raises FilterInvalid."""
    return filters.parse(
        folders=options.within,
        types=options.types,
        since=options.since,
        until=options.until,
        names=options.names,
    )
