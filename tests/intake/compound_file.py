"""Writes Microsoft's compound files, just well enough for mails of Outlook."""

import struct
from collections.abc import Mapping
from typing import Any

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _SMALL = 512, 64

Tree = Mapping[str, Any]
"""Name → bytes of a stream, or the tree of a storage."""


def compound_file(tree: Tree) -> bytes:
    """All streams together must fit into a few megabytes, each one below 4,096 bytes."""
    small = bytearray()
    small_next: list[int] = []
    entries: list[list[Any]] = [["Root Entry", 5, _FREE, _FREE, _FREE, _END, 0]]

    def add(children: Tree) -> int:
        before = _FREE
        for name, content in children.items():
            if isinstance(content, bytes):
                start = len(small) // _SMALL
                count = -(-len(content) // _SMALL)
                small.extend(content.ljust(count * _SMALL, b"\0"))
                small_next.extend([*range(start + 1, start + count), _END][:count])
                entry = [name, 2, _FREE, before, _FREE, start if content else _END, len(content)]
            else:
                entry = [name, 1, _FREE, before, add(content), _END, 0]
            entries.append(entry)
            before = len(entries) - 1
        return before

    entries[0][4] = add(tree)
    entries[0][6] = len(small)
    directory = bytearray()
    parts = [directory, struct.pack(f"<{len(small_next)}I", *small_next), bytes(small)]
    counts = [-(-len(entries) // 4), *(-(-len(part) // _SECTOR) for part in parts[1:])]
    fat_count = 1 + sum(counts) // 120
    fat = [_FAT] * fat_count
    starts = []
    for count in counts:
        starts.append(len(fat) if count else _END)
        fat.extend([*range(len(fat) + 1, len(fat) + count), _END][:count])
    entries[0][5] = starts[2]
    for name, kind, left, right, child, start, size in entries:
        encoded = name.encode("utf-16-le") + b"\0\0"
        directory += struct.pack(
            "<64sHBB3I36xIQ", encoded, len(encoded), kind, 1, left, right, child, start, size
        )
    head = struct.pack(
        "<8s16xHHHHH6x9I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, fat_count, starts[0], 0, 4096, starts[1], counts[1], _END, 0),
    )
    head += struct.pack("<109I", *range(fat_count), *[_FREE] * (109 - fat_count))
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(fat_count * _SECTOR, b"\xff")
    empty = struct.pack("<H", 0)
    directory += (b"\0" * 64 + empty + b"\0" * 62)[:128] * (-len(entries) % 4)
    padded = (bytes(part).ljust(count * _SECTOR, b"\xff") for part, count in zip(parts, counts, strict=True))
    return head + table + b"".join(padded)
