"""The vector store of a library in memory, and its file index.faiss, which is a cache.

The file may lag behind: it is written when it lacks a good part of the library, and what it lacks otherwise
is read from SQLite when it is opened (:func:`engine.index.stored_vectors.reconcile`), which costs less than
writing hundreds of megabytes after each edit. So the vectors of removed text (numbers, no text) may stay in
the file until it is written again. A file that is missing, torn, of an earlier version, of another embedder
or ahead of its library is the same as none.
"""

import contextlib
import logging
from collections.abc import Sequence
from pathlib import Path

from engine import native
from engine.errors import IndexDamaged, IndexMismatch
from engine.index import cache_file
from engine.index.store import FlatStore, HalfStore
from engine.index.stored_vectors import StoredVectors, reconcile
from engine.index.vector_store import VectorStore

_log = logging.getLogger(__name__)

SMALL = 10_000
"""Vectors of a library whose file is written after every change: 20 MB cost less than thinking about it."""

LARGEST_LAG = 0.05
"""Share of a library that its file may lack: 5,000 vectors of 100,000 are read from SQLite in 0.1 s."""

SHARE_OF_MEMORY = 0.25
"""Of the machine's memory, for float32 vectors; more of them are kept in half precision."""


def store_kind(count: int, dimension: int, memory: int) -> type[FlatStore]:
    """Float32 while ``count`` vectors take at most a quarter of ``memory`` (bytes), else half precision."""
    return FlatStore if count * dimension * 4 <= SHARE_OF_MEMORY * memory else HalfStore


class VectorCache:
    """The vectors of all chunks, loaded when first asked for and brought along with every write."""

    def __init__(self, stored: StoredVectors, file: Path | None, threads: int) -> None:
        self._stored, self._file, self._threads = stored, file, threads
        self._store: FlatStore | None = None
        self._epoch, self._generation = 0, -1
        self._is_file_bad = file is not None and self._is_ahead(file)

    def _is_ahead(self, file: Path) -> bool:
        """Whether the file knows of rows that SQLite has lost (a power cut, an older copy put back).

        Their ids will be given to other chunks, so it is asked before anything is written.
        """
        mark = cache_file.mark_of(file)  # first: another process may be writing
        generation, last_id = self._stored.newest()
        if mark is None or (mark.generation <= generation and mark.last_id <= last_id):
            return False
        _log.warning("the vector store's file is ahead of its library, and is not used")
        with contextlib.suppress(OSError):  # a disk that cannot be written to
            file.unlink()
        return True

    def store(self, generation: int) -> VectorStore:
        """The vectors of all chunks at this generation, which another process may have raised."""
        return self._at(generation)

    def _at(self, generation: int) -> FlatStore:
        epoch, dimension = self._stored.epoch, self._stored.dimension
        if self._store is None or (self._epoch, self._store.dimension) != (epoch, dimension):
            self._store, self._generation = self._opened(epoch, dimension)
            self._epoch = epoch
        if self._generation != generation:
            reconcile(self._store, self._stored)
            self._generation = generation
        return self._store

    def _opened(self, epoch: int, dimension: int) -> tuple[FlatStore, int]:
        """The store in the file and its generation, or an empty one that is at none."""
        count = self._stored.count()
        kind = store_kind(count, dimension, native.total_memory())
        try:
            if self._file is not None and not self._is_file_bad:
                store, mark = cache_file.load(self._file, dimension, self._threads)
                if type(store) is kind and mark.epoch == epoch:
                    return store, mark.generation
        except (IndexDamaged, IndexMismatch) as exc:
            _log.info("the vector store will be rebuilt: %s", exc)
        self._is_file_bad = True
        empty = kind(dimension, self._threads)
        empty.reserve(count)
        return empty, -1

    def follow(self, old: Sequence[int], new: Sequence[int], generation: int) -> None:
        """Bring a loaded store along to the generation just committed: row ids that went and that came.

        One that is behind more than this step is left, and brought up to date when it is asked for.
        """
        if self._store is None or self._generation != generation - 1 or self._epoch != self._stored.epoch:
            return
        self._store.remove(old)
        for ids, vectors in self._stored.blocks(new):
            self._store.add(ids, vectors)
        self._generation = generation

    def save(self, generation: int, build: bool) -> None:
        """Write the file when it lacks much of this generation; raises StorageFailed.

        ``build`` false: a store that was not needed so far is not made for that.
        """
        if self._file is None or not (build or self._store is not None) or not self._is_due(generation):
            return
        cache_file.save(self._at(generation), self._file, self._epoch, generation)
        self._is_file_bad = False

    def _is_due(self, generation: int) -> bool:
        assert self._file is not None, "a library in memory has no file"
        mark = cache_file.mark_of(self._file)
        if mark is None or self._is_file_bad:
            return True
        if (mark.epoch, mark.dimension) != (self._stored.epoch, self._stored.dimension):
            return True
        if mark.generation == generation:
            return False
        count, new = self._stored.count(), self._stored.count(above=mark.last_id)
        gone = max(0, mark.count + new - count)
        return new + gone > (0 if count <= SMALL else LARGEST_LAG * count)
