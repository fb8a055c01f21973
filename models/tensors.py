"""What a safetensors file holds, from its header alone: names and shapes, no numbers.

The format: eight bytes with the length of a JSON header, the header, then the numbers of all tensors without
a gap. Reading it runs nothing, unlike a pickle.
"""

import json
import struct
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

from models.errors import ModelDamaged, ModelEmpty, ModelIncomplete, ModelPointer
from models.gguf import LFS_POINTER

_LONGEST_HEADER = 10 << 20
_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
_FLOATS = ("F32", "F16", "BF16")

Shapes = dict[str, tuple[int, ...]]


def read_shapes(path: Path) -> Shapes:
    """The shape of each tensor of floating-point numbers, by name; others are checked and left out.

    Raises:
        ModelEmpty, ModelPointer, ModelIncomplete: the file is not whole.
        ModelDamaged: the header contradicts itself or the file's size.
        OSError: the file cannot be read.
    """
    size = path.stat().st_size
    if size == 0:
        raise ModelEmpty(path=str(path))
    with path.open("rb") as stream:
        start = stream.read(max(8, len(LFS_POINTER)))
        if start.startswith(LFS_POINTER):
            raise ModelPointer(path=str(path))
        length = struct.unpack("<Q", start[:8])[0] if len(start) >= 8 else 0
        if not 2 <= length <= _LONGEST_HEADER:
            raise ModelDamaged(path=str(path))
        stream.seek(8)
        header = stream.read(length)
    if len(header) < length:
        raise ModelIncomplete(path=str(path), size=size, expected=8 + length)
    try:
        tensors = json.loads(header)
        tensors.pop("__metadata__", None)
        extents = sorted(tuple(tensor["data_offsets"]) for tensor in tensors.values())
        is_sound = all(map(_fills_its_extent, tensors.values())) and _is_without_gap(extents)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_sound = False
    if not is_sound:
        raise ModelDamaged(path=str(path))
    expected = 8 + length + extents[-1][1]
    if size < expected:
        raise ModelIncomplete(path=str(path), size=size, expected=expected)
    if size > expected:
        raise ModelDamaged(path=str(path))
    return {name: tuple(tensor["shape"]) for name, tensor in tensors.items() if tensor["dtype"] in _FLOATS}


def _fills_its_extent(tensor: Mapping[str, Any]) -> bool:
    start, end = tensor["data_offsets"]
    is_whole = all(type(number) is int and number >= 0 for number in (start, end, *tensor["shape"]))
    return is_whole and bool(end - start == prod(tensor["shape"]) * _BYTES[tensor["dtype"]])


def _is_without_gap(extents: list[tuple[int, ...]]) -> bool:
    ends = [0, *(end for _, end in extents)]
    return bool(extents) and [start for start, _ in extents] == ends[:-1]
