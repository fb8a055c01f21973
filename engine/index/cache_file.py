"""The file index.faiss beside a library: a vector store, its sums, and what in the library it is up to.

It begins with what FAISS itself would write, so that any program with FAISS can read it; behind that are sum
and Gram matrix (they would cost most of opening), and a trailer with the CRC-32 of all before it. Neither
reading nor writing holds anything twice in memory, and a store that was read has room for what comes next:
growing would copy it.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from engine.errors import IndexDamaged, IndexMismatch
from engine.index.replacing import replacing
from engine.index.store import FlatStore, HalfStore
from engine.index.vector_store import Moments

_MAGIC = b"ZHIYEGN4"
_TRAILER = struct.Struct("<8sB7xqqqqqI4x")
_KINDS: tuple[type[FlatStore], ...] = (FlatStore, HalfStore)
_LENGTH = struct.Struct("<Q")
_HEADER_SIZE, _COUNT_AT = 37, 8
"""Bytes of an index's header in FAISS's format, and where in it the number of vectors stands."""

_PIECE = 1 << 22
"""Bytes read at a time."""

_BLOCK = 4096
"""Vectors read at a time."""

_ROOM = 0.1
"""Share of a store that may come before it grows."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What in its library a file is up to: ``count`` vectors of ``generation``, no row above ``last_id``.

    ``epoch`` counts how often the vectors of rows that stayed were exchanged (another embedder).
    """

    epoch: int
    generation: int
    count: int
    last_id: int
    dimension: int


def mark_of(path: Path) -> Mark | None:
    """The mark of a file, from its last bytes; None when there is none."""
    try:
        with path.open("rb") as file:
            trailer = _trailer(file)
    except OSError:
        return None
    return None if trailer is None else trailer.mark


def save(store: FlatStore, path: Path, epoch: int, generation: int) -> Mark:
    """Write a store with the mark of the library that it belongs to; raises StorageFailed."""
    ids, codes = store.codes()
    mark = Mark(epoch, generation, len(ids), int(ids.max(initial=0)), store.dimension)
    with replacing(path) as file:
        file.write(_head(store, mark.count))
        file.write(_LENGTH.pack(codes.size // store.code_unit))
        file.write(codes.data)
        file.write(_LENGTH.pack(mark.count))
        file.write(ids.data)
        file.write(store.sums.to_bytes())
        checksum = _checksum(file, file.tell())
        file.seek(0, os.SEEK_END)
        facts = (mark.epoch, mark.generation, mark.count, mark.last_id, mark.dimension)
        file.write(_TRAILER.pack(_MAGIC, _KINDS.index(type(store)), *facts, checksum))
    return mark


def load(path: Path, dimension: int, threads: int = 1) -> tuple[FlatStore, Mark]:
    """The store in a file and its mark.

    Raises:
        IndexDamaged: missing, torn or not ours.
        IndexMismatch: the vectors have another dimension.
    """
    try:
        with path.open("rb") as file:
            trailer = _trailer(file)
            if trailer is None:
                raise IndexDamaged(path=str(path), detail="not written by this version")
            if trailer.mark.dimension != dimension:
                raise IndexMismatch(path=str(path), found=trailer.mark.dimension, expected=dimension)
            if _checksum(file, trailer.start) != trailer.checksum:
                raise IndexDamaged(path=str(path), detail="checksum")
            store = trailer.kind(dimension, threads)
            _read_vectors(file, store, trailer.mark.count)
            store.sums.from_bytes(file.read(Moments.size_bytes(dimension)))
    except OSError as exc:
        raise IndexDamaged(path=str(path), detail=exc.strerror or str(exc)) from exc
    return store, trailer.mark


def _read_vectors(file: BinaryIO, store: FlatStore, count: int) -> None:
    """Leaves the file behind the ids, which stand after the vectors."""
    store.reserve(count + int(count * _ROOM))
    codes_at = len(_head(store, count)) + _LENGTH.size
    file.seek(codes_at + count * store.code_size + _LENGTH.size)
    ids = np.frombuffer(file.read(8 * count), "<i8")
    file.seek(codes_at)
    for start in range(0, count, _BLOCK):
        block = ids[start : start + _BLOCK]
        codes = np.frombuffer(file.read(len(block) * store.code_size), np.uint8)
        store.add_codes(block, codes.reshape(len(block), -1))
    file.seek(_LENGTH.size + ids.nbytes, os.SEEK_CUR)


def _head(store: FlatStore, count: int) -> bytes:
    """What FAISS writes before the vectors: its own bytes of an empty index, with the count filled in."""
    empty = bytearray(type(store)(store.dimension).to_bytes())
    for header in range(2):  # of IndexIDMap2 and of the index in it
        struct.pack_into("<q", empty, header * _HEADER_SIZE + _COUNT_AT, count)
    return bytes(empty[: -2 * _LENGTH.size])


@dataclass(frozen=True, slots=True)
class _Trailer:
    """``start``: bytes before it."""

    kind: type[FlatStore]
    mark: Mark
    checksum: int
    start: int


def _trailer(file: BinaryIO) -> _Trailer | None:
    start = file.seek(0, os.SEEK_END) - _TRAILER.size
    if start < 0:
        return None
    file.seek(start)
    magic, kind, *facts, checksum = _TRAILER.unpack(file.read(_TRAILER.size))
    if magic != _MAGIC or kind >= len(_KINDS):
        return None
    mark = Mark(*facts)
    return _Trailer(_KINDS[kind], mark, checksum, start)


def _checksum(file: BinaryIO, length: int) -> int:
    checksum = 0
    for piece in _pieces(file, length):
        checksum = zlib.crc32(piece, checksum)
    return checksum


def _pieces(file: BinaryIO, length: int) -> Iterator[bytes]:
    file.seek(0)
    while length > 0 and (piece := file.read(min(_PIECE, length))):
        length -= len(piece)
        yield piece
