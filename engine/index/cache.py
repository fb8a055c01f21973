"""The vector store of a library and its file index.faiss: a cache that carries a generation number."""

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.errors import IndexDamaged, IndexMismatch
from engine.index.embedding import Vectors
from engine.index.store import VectorStore

_log = logging.getLogger(__name__)

_VARIABLES = 500
"""Row ids per query, below the limit of every SQLite build."""


class VectorCache:
    """Loads the file when it is of the library's generation, else rebuilds it from SQLite without embedding."""

    def __init__(self, db: sqlite3.Connection, file: Path | None, dimension: int, threads: int) -> None:
        self._db, self._file = db, file
        self._dimension, self._threads = dimension, threads
        self._store: VectorStore | None = None

    def store(self, generation: int) -> VectorStore:
        """The vectors of all chunks at this generation."""
        if self._store is None:
            self._store = self._loaded(generation) or self._rebuilt()
        return self._store

    def save(self, generation: int) -> None:
        """Write the file, unless the store was never needed; raises StorageFailed."""
        if self._file is not None and self._store is not None:
            self._store.save(self._file, generation)

    def follow(self, old: Sequence[int], new: Sequence[int]) -> None:
        """Bring a loaded store along with what was just committed: row ids that went and that came."""
        if self._store is None:
            return
        self._store.remove(old)
        for start in range(0, len(new), _VARIABLES):
            for ids, vectors in self._stored(new[start : start + _VARIABLES]):
                self._store.add(ids, vectors)

    def _loaded(self, generation: int) -> VectorStore | None:
        if self._file is None:
            return None
        try:
            store, written_at = VectorStore.load(self._file, self._dimension, self._threads)
        except (IndexDamaged, IndexMismatch) as exc:
            _log.info("the vector store will be rebuilt: %s", exc)
            return None
        return store if written_at == generation else None

    def _rebuilt(self) -> VectorStore:
        store = VectorStore(self._dimension, self._threads)
        for ids, vectors in self._stored():
            store.add(ids, vectors)
        return store

    def _stored(self, ids: Sequence[int] | None = None) -> Iterator[tuple[list[int], Vectors]]:
        """Row ids and vectors in SQLite; raises IndexMismatch for vectors of another dimension."""
        query = "SELECT c.id, v.vector FROM chunks c JOIN vectors v ON v.key = c.vector_key"
        if ids is not None:
            query += f" WHERE c.id IN ({','.join('?' * len(ids))})"
        cursor = self._db.execute(query + " ORDER BY c.id", ids or ())
        while found := cursor.fetchmany(4096):
            data = b"".join(row[1] for row in found)
            if len(data) != len(found) * self._dimension * 4:
                wrong = len(data) // (4 * len(found))
                raise IndexMismatch(path=str(self._file), found=wrong, expected=self._dimension)
            vectors = np.frombuffer(data, "<f4").reshape(-1, self._dimension).astype(np.float32)
            yield [row[0] for row in found], vectors
