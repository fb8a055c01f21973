"""What a GGUF file says about itself, read before any native code sees the file.

llama.cpp maps a model into memory and trusts its header, so a file cut short or a web page saved under
the name of a model ends in a crash or in "failed to load". This reader is pure Python, treats the file
as hostile (every length is checked against what is left of the file) and names what is wrong.
"""

import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from models.errors import (
    ModelDamaged,
    ModelEmpty,
    ModelFormatUnsupported,
    ModelIncomplete,
    ModelNotGguf,
    ModelPartOnly,
    ModelPointer,
    ModelUnreadable,
)

_MAGIC = b"GGUF"
LFS_POINTER = b"version https://git-lfs"
_VERSIONS = (2, 3)
_PART_SUFFIX = re.compile(r"\.gguf\.(?:part[-_]?\d+(?:of\d+)?|\d{3})$", re.IGNORECASE)
_SPLIT_NAME = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$", re.IGNORECASE)

# Far above any real model, low enough that a hostile count ends quickly.
_MAX_ENTRIES = 65_536
_MAX_KEY = 65_535
_MAX_KEPT_TEXT = 1 << 20
_MAX_DEPTH = 4
_MAX_DIMENSIONS = 4

_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_TEXT, _ARRAY = 8, 9

# ggml's tensor types: elements in a block, bytes of a block. An unknown (newer) type is checked by its
# offset alone.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The facts that decide whether and how a model can be used; lengths in tokens.

    ``cache_bytes`` is what a token of context takes in memory: layers × key-value heads × (length of a key +
    length of a value) × 2 bytes of float16. None where the header does not say all of it.
    """

    version: int
    tensor_count: int
    architecture: str
    name: str | None
    context_length: int | None
    has_chat_template: bool
    cache_bytes: int | None = None


def read_header(path: Path) -> GgufHeader:
    """Check ``path`` and read its header; raises a ModelError that says what the file really is."""
    try:
        # A small buffer gives the GIL up and takes it back every few KiB, so often that a waiting thread
        # never gets it: the window stood still for as long as the header took (200 ms).
        with path.open("rb", buffering=1 << 20) as stream:
            size = path.stat().st_size
            _refuse_other_files(path, stream.read(len(LFS_POINTER)), size)
            stream.seek(0)
            return _Reader(path, stream, size).header()
    except OSError as exc:
        raise ModelUnreadable(path=str(path), detail=exc.strerror or str(exc)) from exc


def is_part_name(name: str) -> bool:
    """Whether a file of this name holds one part of a model that was split into several files."""
    split = _SPLIT_NAME.search(name)
    return bool(_PART_SUFFIX.search(name)) or (split is not None and int(split[2]) > 1)


def _refuse_other_files(path: Path, start: bytes, size: int) -> None:
    if size == 0:
        raise ModelEmpty(path=str(path))
    if start.startswith(LFS_POINTER):
        raise ModelPointer(path=str(path))
    if is_part_name(path.name):
        raise ModelPartOnly(path=str(path))
    if not start.startswith(_MAGIC):
        raise ModelNotGguf(path=str(path))


class _Reader:
    """Walks the header once, front to back."""

    def __init__(self, path: Path, stream: BinaryIO, size: int) -> None:
        self._path = path
        self._stream = stream
        self._size = size
        self._position = 0

    def header(self) -> GgufHeader:
        self._take(len(_MAGIC))
        version = self._number("<I")
        if version not in _VERSIONS:
            raise ModelFormatUnsupported(path=str(self._path), version=version)
        tensor_count, entry_count = self._number("<Q"), self._number("<Q")
        if not 0 < tensor_count <= _MAX_ENTRIES or entry_count > _MAX_ENTRIES:
            raise self._damaged()
        metadata = dict(self._entry() for _ in range(entry_count))
        if int(_whole(metadata.get("split.count")) or 0) > 1:
            raise ModelPartOnly(path=str(self._path))
        architecture = metadata.get("general.architecture")
        if not isinstance(architecture, str):
            raise self._damaged()
        self._check_extents(tensor_count, _whole(metadata.get("general.alignment")) or 32)
        name = metadata.get("general.name")
        return GgufHeader(
            version=version,
            tensor_count=tensor_count,
            architecture=architecture,
            name=name if isinstance(name, str) else None,
            context_length=_whole(metadata.get(f"{architecture}.context_length")),
            has_chat_template=bool(metadata.get("tokenizer.chat_template")),
            cache_bytes=_cache_bytes(metadata, architecture),
        )

    def _entry(self) -> tuple[str, Any]:
        key = self._text(_MAX_KEY)
        if key is None:
            raise self._damaged()
        return key, self._value(self._number("<I"), depth=0)

    def _value(self, kind: int, depth: int) -> Any:
        """A scalar or a text; an array is walked over and not kept."""
        if kind in _SCALARS:
            return self._number(_SCALARS[kind])
        if kind == _TEXT:
            return self._text(_MAX_KEPT_TEXT)
        if kind != _ARRAY or depth == _MAX_DEPTH:
            raise self._damaged()
        item_kind, length = self._number("<I"), self._number("<Q")
        if item_kind in _SCALARS:
            self._skip(length * struct.calcsize(_SCALARS[item_kind]))
            return None
        # Each item takes at least its own 8 bytes of length, which bounds the loop by the file's size.
        self._demand_left(length * 8)
        for _ in range(length):
            self._value(item_kind, depth + 1)
        return None

    def _check_extents(self, tensor_count: int, alignment: int) -> None:
        if alignment % 8 or alignment > 1 << 20:
            raise self._damaged()
        end = 0
        for _ in range(tensor_count):
            if self._text(_MAX_KEY) is None:
                raise self._damaged()
            dimension_count = self._number("<I")
            if not 0 < dimension_count <= _MAX_DIMENSIONS:
                raise self._damaged()
            shape = [self._number("<Q") for _ in range(dimension_count)]
            kind, offset = self._number("<I"), self._number("<Q")
            if offset % alignment or any(not 0 < side < 1 << 40 for side in shape):
                raise self._damaged()
            block, block_size = _BLOCKS.get(kind, (1, 0))
            end = max(end, offset + -(-math.prod(shape) // block) * block_size)
        data_start = -(-self._position // alignment) * alignment
        if data_start + end > self._size:
            raise self._incomplete(data_start + end)

    def _number(self, layout: str) -> Any:
        return struct.unpack(layout, self._take(struct.calcsize(layout)))[0]

    def _text(self, limit: int) -> str | None:
        """A text of at most ``limit`` bytes; a longer one is walked over and gives None."""
        length = self._number("<Q")
        if length > limit:
            self._skip(length)
            return None
        return self._take(length).decode("utf-8", "replace")

    def _take(self, count: int) -> bytes:
        self._demand_left(count)
        data = self._stream.read(count)
        self._position += count
        if len(data) != count:
            raise self._incomplete(self._position)
        return data

    def _skip(self, count: int) -> None:
        self._demand_left(count)
        self._position += count
        self._stream.seek(self._position)

    def _demand_left(self, count: int) -> None:
        if self._position + count > self._size:
            raise self._incomplete(self._position + count)

    def _incomplete(self, expected: int) -> ModelIncomplete:
        return ModelIncomplete(path=str(self._path), size=self._size, expected=expected)

    def _damaged(self) -> ModelDamaged:
        return ModelDamaged(path=str(self._path))


def _cache_bytes(metadata: Mapping[str, Any], architecture: str) -> int | None:
    """See :class:`GgufHeader`. Without heads for keys and values all heads have them (llama.cpp's rule)."""

    def fact(name: str) -> int | None:
        return _whole(metadata.get(f"{architecture}.{name}"))

    layers, heads, width = fact("block_count"), fact("attention.head_count"), fact("embedding_length")
    if not (layers and heads and width):
        return None
    key = fact("attention.key_length") or width // heads
    value = fact("attention.value_length") or width // heads
    return layers * (fact("attention.head_count_kv") or heads) * (key + value) * 2


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
