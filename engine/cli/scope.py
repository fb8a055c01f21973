"""Which libraries a command asks: named ones, all of them, or a portable index."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

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
