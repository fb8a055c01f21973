"""The vector store of a library and its file index.faiss: a cache that carries a generation number."""

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.errors import IndexDamaged, IndexMismatch, StorageFailed
from engine.index.embedding import Vectors
from engine.index.store import VectorStore, generation_of

_log = logging.getLogger(__name__)

_VARIABLES = 500
"""Row ids per query, below the limit of every SQLite build."""


class VectorCache:
    """Loads the file when it has the library's generation, else rebuilds it from SQLite without embedding."""

    def __init__(self, db: sqlite3.Connection, file: Path | None, dimension: int, threads: int) -> None:
        self._db, self._file = db, file
        self._dimension, self._threads = dimension, threads
        self._store: VectorStore | None = None
        self._generation = 0

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
        """From now on vectors are those of another embedder."""
        if dimension != self._dimension:
            self._dimension, self._store = dimension, None

    def store(self, generation: int) -> VectorStore:
        """The vectors of all chunks at this generation, which another process may have raised."""
        if self._store is None or self._generation != generation:
            self.use_dimension(self.dimension)
            self._store, self._generation = self._loaded(generation) or self._rebuilt(), generation
        return self._store

    def save(self, generation: int, build: bool) -> None:
        """Write the file when it is not of this generation; raises StorageFailed.

        ``build`` false: a store that was not needed so far is not made for that, the outdated file goes.
        """
        if self._file is None or generation_of(self._file) == generation:
            return
        if build or self._store is not None:
            self.store(generation).save(self._file, generation)
            return
        try:
            self._file.unlink(missing_ok=True)
        except OSError as exc:
            raise StorageFailed(path=str(self._file), detail=exc.strerror or str(exc)) from exc

    def follow(self, old: Sequence[int], new: Sequence[int], generation: int) -> None:
        """Bring a loaded store along to the generation just committed: row ids that went and that came."""
        if self._store is None or self._generation != generation - 1:
            self._store = None
            return
        self._generation = generation
        self._store.remove(old)
        for start in range(0, len(new), _VARIABLES):
            for ids, vectors in self._stored(new[start : start + _VARIABLES]):
                self._store.add(ids, vectors)

    def _loaded(self, generation: int) -> VectorStore | None:
        if self._file is None or generation_of(self._file) != generation:
            return None
        try:
            return VectorStore.load(self._file, self._dimension, self._threads)[0]
        except (IndexDamaged, IndexMismatch) as exc:
            _log.info("the vector store will be rebuilt: %s", exc)
            return None

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
            wrong = next((row[1] for row in found if len(row[1]) != self._dimension * 4), None)
            if wrong is not None:
                raise IndexMismatch(path=str(self._file), found=len(wrong) // 4, expected=self._dimension)
            vectors = np.frombuffer(b"".join(row[1] for row in found), "<f4").astype(np.float32)
            yield [row[0] for row in found], vectors.reshape(-1, self._dimension)
