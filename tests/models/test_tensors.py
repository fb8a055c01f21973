"""The header of a safetensors file: read without a library, and never believed."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from models.errors import ModelDamaged, ModelEmpty, ModelIncomplete
from models.tensors import read_shapes


def put(path: Path, header: Any, data: bytes = b"") -> Path:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + data)
    return path


def tensor(start: int, end: int, *shape: int, dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [start, end]}


def test_the_shapes_of_floats_are_read(tmp_path: Path) -> None:
    file = tmp_path / "权重.safetensors"
    save_file(
        {"a": np.zeros((2, 3), np.float16), "b": np.zeros(4, np.float32), "ids": np.zeros((1, 5), np.int64)},
        file,
        {"format": "pt"},
    )
    assert read_shapes(file) == {"a": (2, 3), "b": (4,)}


@pytest.mark.parametrize(
    ("header", "size"),
    [
        (b"not JSON", 0),
        ([], 0),
        ({}, 0),
        ({"__metadata__": {}}, 0),
        ({"a": {}}, 0),
        ({"a": tensor(0, 8, 2, dtype="F1")}, 8),
        ({"a": tensor(0, 12, 2)}, 12),
        ({"a": tensor(0, 8, -2)}, 8),
        ({"a": tensor(0, 8, True, 2)}, 8),
        ({"a": tensor(4, 12, 2)}, 12),
        ({"a": tensor(0, 8, 2), "b": tensor(4, 12, 2)}, 12),
        ({"a": tensor(0, 8, 2), "b": tensor(12, 20, 2)}, 20),
        ({"a": tensor(0, 8, 2)}, 9),
        (b"[" * 100_000, 0),
    ],
)
def test_a_header_that_contradicts_itself_is_damage(tmp_path: Path, header: Any, size: int) -> None:
    with pytest.raises(ModelDamaged):
        read_shapes(put(tmp_path / "w", header, bytes(size)))


@pytest.mark.parametrize("length", [0, 1, 1 << 40])
def test_a_header_of_no_likely_length_is_damage(tmp_path: Path, length: int) -> None:
    file = tmp_path / "w"
    file.write_bytes(struct.pack("<Q", length) + bytes(100))
    with pytest.raises(ModelDamaged):
        read_shapes(file)


def test_a_file_that_ends_too_early_is_incomplete(tmp_path: Path) -> None:
    whole = put(tmp_path / "w", {"a": tensor(0, 8, 2)}, bytes(8)).read_bytes()
    for size in (len(whole) - 1, 20):
        (tmp_path / "w").write_bytes(whole[:size])
        with pytest.raises(ModelIncomplete) as caught:
            read_shapes(tmp_path / "w")
        assert caught.value.params["size"] == size
    (tmp_path / "w").write_bytes(b"")
    with pytest.raises(ModelEmpty):
        read_shapes(tmp_path / "w")
