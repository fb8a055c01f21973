"""Pages of a long file wait in the library until the file is written, not in memory."""

from collections.abc import Sequence

from engine.documents import Page
from engine.index import rows, writing
from engine.index.library import Library

STAGE_FROM = 64
"""Pages; of a shorter file nothing is staged."""


def clear(library: Library) -> None:
    """Forget what an earlier file left that was never written."""
    with library.transaction():
        library.db.execute("DELETE FROM staged_pages")


def add(library: Library, pages: Sequence[Page]) -> None:
    """Put pages aside; the next :meth:`Library.write_document` may take them over."""
    with library.transaction():
        writing.insert_pages(library.db, f"staged_pages ({rows.PAGE_COLUMNS})", pages)
