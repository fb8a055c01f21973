"""Writes Microsoft's old container (OLE) around a few streams, as small as it can be."""

import struct

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def ole(streams: dict[str, bytes]) -> bytes:
    """A container with these streams; each is padded to 4096 bytes, so that none is a short one."""
    padded = {name: data.ljust(4096, b"\0") for name, data in streams.items()}
    chains: list[int] = [_FAT]
    body = b""

    def add(data: bytes) -> int:
        nonlocal body
        count = -(-len(data) // _SECTOR)
        first = len(chains)
        chains.extend([*range(first + 1, first + count), _END])
        body += data.ljust(count * _SECTOR, b"\0")
        return first

    entries = b""
    starts = [add(data) for data in padded.values()]
    names = list(padded)
    for place, name in enumerate(names):
        right = place + 2 if place + 1 < len(names) else _FREE
        entries += _entry(name, 2, starts[place], len(padded[name]), right=right)
    root = _entry("Root Entry", 5, _END, 0, child=1 if names else _FREE)
    directory = add(root + entries)
    assert len(chains) <= _SECTOR // 4, "one sector of the table is enough for tests"
    fat = struct.pack(f"<{len(chains)}I", *chains).ljust(_SECTOR, b"\xff")
    head = struct.pack(
        "<8s16sHHHHHHIIIIIIIIII",
        bytes.fromhex("D0CF11E0A1B11AE1"), b"", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, 1, directory, 0, 4096, _END,
        0, _END, 0,
    )  # fmt: skip
    return (head + struct.pack("<I", 0)).ljust(_SECTOR, b"\xff") + fat + body


def _entry(name: str, kind: int, start: int, size: int, *, child: int = _FREE, right: int = _FREE) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    return (
        raw.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(raw), kind, 1, _FREE, right, child)
        + b"\0" * 36
        + struct.pack("<IQ", start, size)
    )
