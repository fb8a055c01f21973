"""Vectors read from the bytes of a damaged library.sqlite, page by page and without SQLite.

A vector is known by its shape: a key of 64 hexadecimal digits and as many float32 numbers as make a vector
of length 1. So it is found whatever has happened to the pages that lead to it, the schema among them. The
layout is that of https://www.sqlite.org/fileformat2.html: index b-trees, which tables WITHOUT ROWID are.
"""

import re
import struct
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

_INDEX_INTERIOR, _INDEX_LEAF = 0x02, 0x0A
_KEY = re.compile(rb"[0-9a-f]{64}")
_TEXT_OF_KEY = 13 + 2 * 64  # the serial type of a text of 64 bytes
_LENGTH_TOLERANCE = 1e-3
_PAGE_SIZE = 4096
_LOG_HEADER, _FRAME_HEADER = 32, 24

Page = Callable[[int], bytes]
"""The bytes of a page by its number, from 1; empty when there is none."""


def vectors(file: Path) -> Iterator[tuple[str, bytes]]:
    """Keys and vectors (little-endian float32) that the file and its write-ahead log hold, some twice.

    Raises:
        OSError: the file cannot be read.
    """
    with file.open("rb") as main:
        size = _page_size(main.read(100))
        newer = _pages_of_log(file.with_name(file.name + "-wal"), size)
        count = file.stat().st_size // size

        def from_file(number: int) -> bytes:
            main.seek((number - 1) * size)
            return main.read(size)

        def newest(number: int) -> bytes:
            return newer[number] if number in newer else from_file(number)

        for number in chain(range(1, count + 1), sorted(n for n in newer if n > count)):
            yield from _of_page(number, newest, size)
            if number in newer:  # a torn log may have spoilt what the file still has
                yield from _of_page(number, from_file, size)


def _page_size(header: bytes) -> int:
    found = int.from_bytes(header[16:18], "big") if header.startswith(b"SQLite format 3\0") else 0
    found = 65536 if found == 1 else found
    return found if found >= 512 and found & (found - 1) == 0 else _PAGE_SIZE


def _pages_of_log(file: Path, size: int) -> dict[int, bytes]:
    """The newest version of each page in the write-ahead log, up to the last transaction that ended."""
    try:
        log = file.read_bytes()
    except OSError:
        return {}
    salt = log[16:24]
    pages: dict[int, bytes] = {}
    open_: dict[int, bytes] = {}
    for start in range(_LOG_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number, pages_after = struct.unpack_from(">II", log, start)
        if log[start + 8 : start + 16] != salt:
            break
        open_[number] = log[start + _FRAME_HEADER : start + _FRAME_HEADER + size]
        if pages_after:
            pages |= open_
            open_ = {}
    return pages


def _of_page(number: int, page: Page, size: int) -> Iterator[tuple[str, bytes]]:
    data = page(number)
    if len(data) < size:
        return
    start = 100 if number == 1 else 0
    kind, cells = data[start], int.from_bytes(data[start + 3 : start + 5], "big")
    if kind not in (_INDEX_INTERIOR, _INDEX_LEAF):
        return
    is_interior = kind == _INDEX_INTERIOR
    pointers = start + (12 if is_interior else 8)
    for i in range(min(cells, (size - pointers) // 2)):
        place = int.from_bytes(data[pointers + 2 * i : pointers + 2 * i + 2], "big")
        found = _of_cell(data, place + (4 if is_interior else 0), page, size)
        if found is not None:
            yield found


def _of_cell(data: bytes, place: int, page: Page, size: int) -> tuple[str, bytes] | None:
    try:
        length, place = _number(data, place)
        header, after = _number(data, place)
        key_type, after = _number(data, after)
        blob_type, after = _number(data, after)
    except IndexError:
        return None
    if key_type != _TEXT_OF_KEY or blob_type < 12 or blob_type % 8 != 4 or after - place != header:
        return None
    blob_length = (blob_type - 12) // 2
    if length != header + 64 + blob_length:
        return None
    payload = _payload(data, place, length, page, size)
    key, blob = payload[header : header + 64], payload[header + 64 :]
    if len(payload) != length or not _KEY.fullmatch(key) or not is_vector(blob):
        return None
    return key.decode("ascii"), blob


def _payload(data: bytes, place: int, length: int, page: Page, size: int) -> bytes:
    """A record that may go on in overflow pages; shorter than ``length`` when they break off."""
    most = (size - 12) * 64 // 255 - 23
    if length <= most:
        return data[place : place + length]
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = local if local <= most else least
    parts = [data[place : place + local]]
    missing = length - local
    following = int.from_bytes(data[place + local : place + local + 4], "big")
    while missing > 0 and following:
        more = page(following)
        if len(more) < size:
            break
        parts.append(more[4 : 4 + missing])
        missing -= size - 4
        following = int.from_bytes(more[:4], "big")
    return b"".join(parts)


def _number(data: bytes, place: int) -> tuple[int, int]:
    """SQLite's variable-length integer at ``place``, and the place after it; raises IndexError."""
    value = 0
    for i in range(8):
        byte = data[place + i]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + i + 1
    return value << 8 | data[place + 8], place + 9


def is_vector(blob: bytes) -> bool:
    """Whether these bytes are float32 numbers of a vector of length 1."""
    if not blob or len(blob) % 4:
        return False
    numbers = np.frombuffer(blob, "<f4").astype(np.float64)
    with np.errstate(all="ignore"):
        return bool(abs(float(np.sqrt(np.sum(numbers * numbers))) - 1) < _LENGTH_TOLERANCE)
