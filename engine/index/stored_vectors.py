"""The vectors in library.sqlite, which are the truth, and how a store is brought up to date with them.

A row of ``chunks`` never gets another vector, and its id is never used twice, except that all rows change
over to another embedder at once, which is counted as an epoch. So a store that is behind or empty is brought
up to date by two set differences, and nothing is embedded for it.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np

from engine.errors import IndexMismatch
from engine.index.embedding import Vectors
from engine.index.vector_store import Ids, VectorStore

EPOCH = "vectors_epoch"
"""Fact of a library: how often the vectors of its rows were exchanged."""

_BLOCK = 4096
"""Vectors read at a time."""


class StoredVectors:
    """``dimension`` is that of a library which has no vector yet."""

    def __init__(self, db: sqlite3.Connection, dimension: int) -> None:
        self._db = db
        self._dimension = dimension

    @property
    def dimension(self) -> int:
        """Of the vectors that chunks name; the one that was given while there are none.

        It is asked of SQLite every time, because another process may change over to another embedder.
        """
        found = self._db.execute(
            "SELECT length(v.vector) / 4 FROM chunks c JOIN vectors v ON v.key = c.vector_key"
            " WHERE c.vector_key IS NOT NULL LIMIT 1"
        ).fetchone()
        return int(found[0]) if found else self._dimension

    def use_dimension(self, dimension: int) -> None:
        """The first vectors will have this dimension."""
        self._dimension = dimension

    @property
    def epoch(self) -> int:
        found = self._db.execute("SELECT value FROM meta WHERE key = ?", (EPOCH,)).fetchone()
        return int(found[0]) if found else 0

    def newest(self) -> tuple[int, int]:
        """Generation and the highest row id ever given out."""
        generation, last_id = self._db.execute(
            "SELECT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generation'),"
            " (SELECT seq FROM sqlite_sequence WHERE name = 'chunks')"
        ).fetchone()
        return generation or 0, last_id or 0

    def ids(self) -> Ids:
        """Rows that have a vector, ascending."""
        found = self._db.execute("SELECT id FROM chunks WHERE vector_key IS NOT NULL")
        return np.sort(np.fromiter((row[0] for row in found), np.int64))

    def count(self, above: int = 0) -> int:
        """Rows with a vector whose id is greater than ``above``."""
        query = "SELECT count(*) FROM chunks WHERE vector_key IS NOT NULL"
        if above:  # only then: the whole is counted in an index, without reading the chunks' text
            query += f" AND id > {above}"
        return int(self._db.execute(query).fetchone()[0])

    def blocks(self, ids: Sequence[int] | Ids) -> Iterator[tuple[Ids, Vectors]]:
        """Ids and vectors of those of the rows that have one, in the order of ``ids``.

        Raises:
            IndexMismatch: the library holds a vector of another dimension.
        """
        dimension = self.dimension
        for start in range(0, len(ids), _BLOCK):
            block = [int(row) for row in ids[start : start + _BLOCK]]
            found = self._db.execute(
                "SELECT c.id, v.vector FROM json_each(?) wanted JOIN chunks c ON c.id = wanted.value"
                " JOIN vectors v ON v.key = c.vector_key ORDER BY wanted.key",
                (json.dumps(block),),
            ).fetchall()
            wrong = next((row[1] for row in found if len(row[1]) != dimension * 4), None)
            if wrong is not None:
                raise IndexMismatch(path="library.sqlite", found=len(wrong) // 4, expected=dimension)
            rows = np.asarray([row[0] for row in found], dtype=np.int64)
            vectors = np.frombuffer(b"".join(row[1] for row in found), "<f4").astype(np.float32)
            yield rows, vectors.reshape(-1, dimension)


def reconcile(store: VectorStore, stored: StoredVectors) -> None:
    """Bring a store of the same epoch up to date: what is gone is removed, what is new is added."""
    have, want = store.ids(), stored.ids()
    store.remove(np.setdiff1d(have, want, assume_unique=True))
    for ids, vectors in stored.blocks(np.setdiff1d(want, have, assume_unique=True)):
        store.add(ids, vectors)
