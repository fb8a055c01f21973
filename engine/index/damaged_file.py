"""Reading a damaged SQLite file row by row, past the pages that cannot be read."""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.index.database import connect_read_only

_BLOBS = frozenset({"boxes"})
_FARTHEST = 1 << 40
_TAIL, _MOST_ASKED = 4096, 1 << 20
"""Row ids that are asked for one by one, where nothing readable follows and at most."""

Row = Mapping[str, Any]


class DamagedFile:
    """The tables of a library as far as they can be read; nothing is changed on disk."""

    def __init__(self, file: Path) -> None:
        """Raises sqlite3.DatabaseError where not even the schema can be read."""
        self._db = connect_read_only(file)
        # So that a letter that is none costs one row and not the walk.
        self._db.text_factory = bytes

    def close(self) -> None:
        self._db.close()

    def facts(self) -> dict[str, str]:
        """Keys and values of the table meta."""
        facts: dict[str, str] = {}
        for order in ("", " DESC"):
            try:
                for key, value in self._db.execute(f"SELECT key, value FROM meta ORDER BY key{order}"):
                    facts[key.decode()] = value.decode()
            except (sqlite3.DatabaseError, ValueError, AttributeError):
                continue
        return facts

    def highest_chunk(self) -> int:
        """The highest row id that was ever given to a passage; 0 where it cannot be read."""
        try:
            row = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'").fetchone()
            return int(row[0])
        except (sqlite3.DatabaseError, TypeError, ValueError):
            return 0

    def pages(self, document_id: int) -> list[Row]:
        """The pages of a document; raises sqlite3.DatabaseError or ValueError when one cannot be read."""
        cursor = self._db.execute("SELECT * FROM pages WHERE document_id = ? ORDER BY number", (document_id,))
        return [_decoded(cursor, values) for values in cursor]

    def walk(self, table: str, columns: str = "*", unreadable: set[int] | None = None) -> dict[int, Row]:
        """The readable rows of a table by their ids; ids that may be those of others go to ``unreadable``."""
        found: dict[int, Row] = {}
        bad = set() if unreadable is None else unreadable
        last = 0
        while (broken_off := self._as_far(table, columns, last, found)) is not None:
            following = self._next_readable(table, broken_off)
            end = following or broken_off + _TAIL
            for row in range(broken_off + 1, min(end, broken_off + _MOST_ASKED)):
                try:
                    found[row] = self.one(table, row, columns)
                except KeyError:  # there is no such row
                    continue
                except (sqlite3.DatabaseError, ValueError):
                    bad.add(row)
            if following is None:
                break
            last = following - 1
        return found

    def _as_far(self, table: str, columns: str, last: int, found: dict[int, Row]) -> int | None:
        """Read on from a row id; the last id before the walk broke off, or None at the end of the table."""
        try:
            cursor = self._db.execute(f"SELECT {columns} FROM {table} WHERE id > ? ORDER BY id", (last,))
            for values in cursor:
                row = _decoded(cursor, values)
                if not isinstance(row["id"], int) or row["id"] <= last:
                    return last
                last = row["id"]
                found[last] = row
        except (sqlite3.DatabaseError, ValueError):
            return last
        return None

    def _next_readable(self, table: str, last: int) -> int | None:
        """The id of a readable row behind a place that is not, as near as doubling steps find one."""
        step = 1
        while step < _FARTHEST:
            try:
                query = f"SELECT id FROM {table} WHERE id > ? ORDER BY id LIMIT 1"
                row = self._db.execute(query, (last + step,)).fetchone()
            except sqlite3.DatabaseError:
                step *= 2
                continue
            return int(row[0]) if row and row[0] > last + step else None
        return None

    def one(self, table: str, row: int, columns: str = "*") -> Row:
        """One row; raises KeyError where there is none, and as reading does."""
        cursor = self._db.execute(f"SELECT {columns} FROM {table} WHERE id = ?", (row,))
        values = cursor.fetchone()
        if values is None:
            raise KeyError(row)
        return _decoded(cursor, values)


def _decoded(cursor: sqlite3.Cursor, values: Sequence[Any]) -> Row:
    """A row by its columns' names; raises ValueError for text that is not UTF-8."""
    names = [column[0] for column in cursor.description]
    return {
        name: value.decode() if isinstance(value, bytes) and name not in _BLOBS else value
        for name, value in zip(names, values, strict=True)
    }
