"""Where the passages of old answers are now: their libraries may have been renamed, synced or removed."""

import sqlite3
from collections.abc import Sequence

from engine.errors import CodedError
from engine.history.remembered import StillThere
from engine.index.library import Library
from engine.index.rows import StoredChunk
from engine.libraries import Libraries


class Passages:
    """Finds the passages of one run, which quotes the libraries with the ids ``quoted``."""

    def __init__(self, libraries: Libraries, quoted: Sequence[str]) -> None:
        self._libraries, self._quoted = libraries, quoted
        self._open: list[Library] | None = None

    def find(self, library: str, document: str, chunk: str) -> StillThere | None:
        """A passage by its id, in the library and the document of these names where they still hold it."""
        if self._open is None:
            self._open = self._opened()
        for candidate in sorted(self._open, key=lambda item: item.name != library):
            if (stored := _passage(candidate, document, chunk)) is not None:
                return StillThere(candidate.name, stored.row, stored.kind, stored.file)
        return None

    def _opened(self) -> list[Library]:
        try:
            found = self._libraries.chosen(())
        except CodedError:  # an answer can be read without its documents
            return []
        return [item for item in found if item.folder is not None and item.folder.name in self._quoted]


def _passage(library: Library, document: str, chunk: str) -> StoredChunk | None:
    try:
        rows = library.db.execute("SELECT id FROM chunks WHERE chunk = ? ORDER BY id", (chunk,)).fetchall()
        found = list(library.chunks(row for (row,) in rows).values())
    except sqlite3.DatabaseError:  # a damaged library is told of where it is asked, not where it is quoted
        return None
    return min(found, key=lambda stored: stored.document != document, default=None)
