"""index.faiss written and read block by block, so that no more than a block of vectors is in memory.

The bytes are those of FAISS for IndexIDMap2(IndexFlatIP) with the ids 0, 1, 2 …; a test compares them. A file
from somebody else is never handed to FAISS, which trusts the lengths that it reads.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from engine.index.embedding import Vectors
from engine.index.library import Library

BLOCK = 4096
"""Vectors at a time."""

_INDEX = struct.Struct("<4siqqqBi")  # kind, dimension, count, two unused, is trained, metric
_LENGTH = struct.Struct("<Q")
_UNUSED, _INNER_PRODUCT = 1 << 20, 0
_TOLERANCE = 1e-3
"""How far from 1 the length of a normalised vector may be."""


class Source(Protocol):
    """Where bytes come from; no more than asked for, and fewer only at the end."""

    def read(self, size: int, /) -> bytes: ...


class Target(Protocol):
    """Where bytes go."""

    def write(self, data: bytes, /) -> object: ...


def write(stream: Target, blocks: Iterable[Vectors], dimension: int, count: int) -> Iterator[None]:
    """Write ``count`` vectors that come in blocks of shape (n, dimension), a block a step."""
    for kind in (b"IxM2", b"IxFI"):
        stream.write(_header(kind, dimension, count))
    stream.write(_LENGTH.pack(count * dimension))
    written = 0
    for block in blocks:
        stream.write(np.ascontiguousarray(block, "<f4").tobytes())
        written += len(block)
        yield
    assert written == count, "the library did not change meanwhile"
    stream.write(_LENGTH.pack(count))
    for start in range(0, count, BLOCK):
        stream.write(_ids(start, count).tobytes())


class VectorReader:
    """Takes the vectors out one after another; raises ValueError for anything that :func:`write` would not
    have written, and for vectors that are not normalised."""

    def __init__(self, stream: Source, dimension: int, count: int) -> None:
        self._stream, self._dimension, self._count = stream, dimension, count
        expected = _header(b"IxM2", dimension, count) + _header(b"IxFI", dimension, count)
        if self._bytes(len(expected) + _LENGTH.size) != expected + _LENGTH.pack(count * dimension):
            raise ValueError("not a flat index of the vectors that the manifest names")
        self._left = count

    def take(self, count: int) -> Vectors:
        """The next ``count`` vectors; shape (count, dimension)."""
        if count > self._left:
            raise ValueError("fewer vectors than passages")
        self._left -= count
        # Looked at block by block: of zeros, which pack well, no more than a block is ever in memory.
        sizes = [min(BLOCK, count - start) for start in range(0, count, BLOCK)]
        return np.concatenate([np.zeros((0, self._dimension), np.float32), *map(self._block, sizes)])

    def finish(self) -> None:
        """The ids follow; nothing may be left."""
        if self._left:
            raise ValueError("more vectors than passages")
        if self._bytes(_LENGTH.size) != _LENGTH.pack(self._count):
            raise ValueError("as many ids as vectors are expected")
        for start in range(0, self._count, BLOCK):
            expected = _ids(start, self._count).tobytes()
            if self._bytes(len(expected)) != expected:
                raise ValueError("vectors are out of order")

    def _block(self, count: int) -> Vectors:
        vectors = _matrix(self._bytes(count * self._dimension * 4), self._dimension)
        with np.errstate(all="ignore"):  # what overflows is no length of 1 either
            lengths = np.linalg.norm(vectors, axis=1)
        if not np.all(np.abs(lengths - 1) <= _TOLERANCE):  # NaN is not near 1
            raise ValueError("a vector is not normalised")
        return vectors

    def _bytes(self, size: int) -> bytes:
        data = self._stream.read(size)
        if len(data) != size:
            raise ValueError("the index ends too early")
        return data


def _header(kind: bytes, dimension: int, count: int) -> bytes:
    return _INDEX.pack(kind, dimension, count, _UNUSED, _UNUSED, 1, _INNER_PRODUCT)


def _ids(start: int, count: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.arange(start, min(start + BLOCK, count), dtype="<i8")


def stored(library: Library) -> Iterator[Vectors]:
    """The vectors of all chunks in order of their row ids, in blocks."""
    found = library.db.execute(
        "SELECT v.vector FROM chunks c JOIN vectors v ON v.key = c.vector_key ORDER BY c.id"
    )
    while rows := found.fetchmany(BLOCK):
        yield _matrix(b"".join(row[0] for row in rows), library.dimension)


def _matrix(data: bytes, dimension: int) -> Vectors:
    return np.frombuffer(data, "<f4").astype(np.float32).reshape(-1, dimension)
