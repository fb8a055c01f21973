"""The vector store: FAISS IndexIDMap2(IndexFlatIP) and its file.

FAISS never sees a path (it cannot open Chinese ones on Windows) and never writes a file (it may report
success on a full disk): bytes go through Python. Not thread-safe: one owner.
"""

import contextlib
import os
import struct
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import native
from engine.errors import IndexDamaged, IndexMismatch, StorageFailed
from engine.index.embedding import Vectors

Ids = NDArray[np.int64]

_TRAILER = struct.Struct("<8sqqI")  # magic, generation, count, CRC-32 of all bytes before the trailer
_MAGIC = b"ZHIYEGN2"
_BUSY_WINERRORS = frozenset({5, 32, 33})  # a virus scanner or sync client holds the file for a moment


class VectorStore:
    """Exact inner-product search over vectors with our own ids (SQLite row ids of chunks)."""

    def __init__(self, dimension: int, threads: int = 1) -> None:
        self.dimension = dimension
        self._faiss = native.faiss(threads)
        self._index = self._faiss.IndexIDMap2(self._faiss.IndexFlatIP(dimension))
        self._sum = np.zeros(dimension)
        self._gram = np.zeros((dimension, dimension))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def ids(self) -> Ids:
        """All ids in storage order."""
        ids: Ids = self._faiss.vector_to_array(self._index.id_map).astype(np.int64)
        return ids

    def vectors(self, ids: Ids) -> Vectors:
        """The stored vectors of ``ids``; shape (n, dimension)."""
        if not len(ids):
            return np.zeros((0, self.dimension), np.float32)
        return np.asarray(self._index.reconstruct_batch(np.ascontiguousarray(ids)), dtype=np.float32)

    def add(self, ids: Sequence[int] | Ids, vectors: Vectors) -> None:
        """Add vectors of shape (n, dimension).

        Raises:
            IndexMismatch: another dimension, or as many ids as vectors is not true.
        """
        if vectors.ndim != 2 or vectors.shape[1] != self.dimension or len(ids) != len(vectors):
            raise IndexMismatch(path="-", found=list(vectors.shape), expected=[len(ids), self.dimension])
        if len(vectors):
            self._index.add_with_ids(np.ascontiguousarray(vectors), np.asarray(ids, dtype=np.int64))
            self._count_moments(vectors, +1)

    def remove(self, ids: Sequence[int] | Ids) -> None:
        """Remove vectors; ids that are not there are ignored."""
        if not len(ids):
            return  # a new document: sorting all ids for each would be quadratic
        wanted = np.intersect1d(np.asarray(ids, dtype=np.int64), self.ids())
        if len(wanted):
            self._count_moments(self.vectors(wanted), -1)
            self._index.remove_ids(wanted)

    def search(self, query: Vectors, k: int) -> tuple[Ids, Vectors]:
        """Ids and inner products of the ``min(k, len(self))`` nearest vectors, best first.

        Raises:
            IndexMismatch: the query has another dimension.
        """
        self._check_query(query)
        k = min(k, len(self))
        if k <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        scores, ids = self._index.search(query.reshape(1, -1), k)
        found = ids[0] >= 0  # FAISS pads short results with -1, a valid Python index
        return ids[0][found], scores[0][found]

    def moments(self, query: Vectors) -> tuple[int, float, float]:
        """Count, sum and sum of squares of the query's inner products with every vector, exactly.

        From the vectors' sum and Gram matrix, so no scan is needed: sum(q·v) = q·S, sum((q·v)²) = qᵀGq.

        Raises:
            IndexMismatch: the query has another dimension.
        """
        self._check_query(query)
        q = query.astype(np.float64)
        return len(self), float(q @ self._sum), float(q @ self._gram @ q)

    def _check_query(self, query: Vectors) -> None:
        if query.shape != (self.dimension,):  # FAISS would fail with an empty message
            raise IndexMismatch(path="-", found=list(query.shape), expected=[self.dimension])

    def _count_moments(self, vectors: Vectors, sign: int) -> None:
        wide = vectors.astype(np.float64)
        self._sum += sign * wide.sum(axis=0)
        self._gram += sign * (wide.T @ wide)

    def to_bytes(self) -> bytes:
        """The FAISS index serialised by FAISS itself."""
        writer = self._faiss.PyCallbackIOWriter((pieces := _Pieces()).write)
        self._faiss.write_index(self._index, writer)
        del writer  # flushes
        return b"".join(pieces.parts)

    @classmethod
    def from_bytes(cls, data: bytes, dimension: int, path: str, threads: int = 1) -> "VectorStore":
        """Read what :meth:`to_bytes` wrote.

        Raises:
            IndexDamaged: not a FAISS index, another kind of index, zero or non-finite vectors.
            IndexMismatch: the vectors have another dimension.
        """
        store = cls(dimension, threads)
        faiss = store._faiss
        try:
            index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
        except (RuntimeError, MemoryError) as exc:  # a wrong length is memory asked for
            raise IndexDamaged(path=path, detail="not a FAISS index") from exc
        if index.d != dimension:
            raise IndexMismatch(path=path, found=index.d, expected=dimension)
        if isinstance(index, faiss.IndexFlatIP):  # the portable layout: ids are line numbers
            plain = (
                index.reconstruct_n(0, index.ntotal) if index.ntotal else np.zeros((0, dimension), np.float32)
            )
            index = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
            index.add_with_ids(plain, np.arange(len(plain), dtype=np.int64))
        if not isinstance(index, faiss.IndexIDMap2):
            raise IndexDamaged(path=path, detail=f"{type(index).__name__} instead of IndexIDMap2")
        inner = faiss.downcast_index(index.index)
        if not isinstance(inner, faiss.IndexFlatIP):
            raise IndexDamaged(path=path, detail=f"{type(inner).__name__} instead of IndexFlatIP")
        store._index = index
        vectors = store.vectors(store.ids())
        if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
            raise IndexDamaged(path=path, detail="zero or non-finite vectors")
        store._count_moments(vectors, +1)
        return store

    def save(self, path: Path, generation: int) -> None:
        """Write the cache file with the generation of the library it belongs to; raises StorageFailed."""
        data = self.to_bytes()
        write_file(path, data + _TRAILER.pack(_MAGIC, generation, len(self), zlib.crc32(data)))

    @classmethod
    def load(cls, path: Path, dimension: int, threads: int = 1) -> tuple["VectorStore", int]:
        """The store in a cache file and its generation.

        Raises:
            IndexDamaged: missing, torn or not ours: the caller rebuilds it from SQLite.
            IndexMismatch: the vectors have another dimension.
        """
        try:
            data = path.read_bytes()
        except OSError as exc:
            raise IndexDamaged(path=str(path), detail=exc.strerror or str(exc)) from exc
        if len(data) < _TRAILER.size:
            raise IndexDamaged(path=str(path), detail="too short")
        magic, generation, count, checksum = _TRAILER.unpack(data[-_TRAILER.size :])
        if magic != _MAGIC:
            raise IndexDamaged(path=str(path), detail="no generation")
        data = data[: -_TRAILER.size]
        if zlib.crc32(data) != checksum:  # FAISS would believe a wrong length and ask for all memory
            raise IndexDamaged(path=str(path), detail="checksum")
        store = cls.from_bytes(data, dimension, str(path), threads)
        if len(store) != count:
            raise IndexDamaged(path=str(path), detail=f"{len(store)} vectors instead of {count}")
        return store, generation


def generation_of(path: Path) -> int | None:
    """The generation that a cache file was written at, from its last bytes; None when there is none."""
    try:
        with path.open("rb") as file:
            file.seek(-_TRAILER.size, os.SEEK_END)
            magic, generation, _, _ = _TRAILER.unpack(file.read())
    except (OSError, struct.error):
        return None
    return int(generation) if magic == _MAGIC else None


class _Pieces:
    """Collects what FAISS hands out; it expects the callback to take everything."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self.parts.append(bytes(data))
        return len(data)


def write_file(path: Path, data: bytes) -> None:
    """Replace a file in one step: temporary file, fsync, rename. Its folder is made when it is new.

    On Windows a rename that another program blocks is tried again for about two seconds. What a killed
    process left behind is removed.

    Raises:
        StorageFailed: the old file is as it was and no temporary file is left.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, path)
        for left_over in path.parent.glob(f".{path.name}.*.tmp"):
            left_over.unlink(missing_ok=True)
    except OSError as exc:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise StorageFailed(path=str(path), detail=exc.strerror or str(exc)) from exc


def replace(source: Path, target: Path, patience_s: float = 2.0) -> None:
    """``os.replace`` that outwaits a file held for a moment by a scanner (Windows errors 5, 32, 33)."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            os.replace(source, target)  # noqa: PTH105 - the tests count calls of this one function
            return
        except PermissionError as exc:
            if getattr(exc, "winerror", None) not in _BUSY_WINERRORS or time.monotonic() >= deadline:
                raise
            time.sleep(0.1)
