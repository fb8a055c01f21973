"""B67: what is wrong with a model file is said before any native code sees it."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.errors import (
    ModelDamaged,
    ModelEmpty,
    ModelError,
    ModelFormatUnsupported,
    ModelIncomplete,
    ModelNotGguf,
    ModelPartOnly,
    ModelPointer,
    ModelUnreadable,
)
from models.gguf import is_part_name, read_header
from tests.models.conftest import gguf_bytes

POINTER = b"version https://git-lfs.example/spec/v1\noid sha256:00\nsize 491400064\n"
EACH_EXAMPLE = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_reads_the_facts_of_a_whole_file(gguf_file: Path) -> None:
    header = read_header(gguf_file)
    assert (header.version, header.tensor_count, header.architecture) == (3, 2, "qwen2")
    assert (header.name, header.context_length, header.has_chat_template) == ("小模型", 2048, True)


def test_a_model_without_chat_template_says_so(tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    path = tmp_path / "base.gguf"
    path.write_bytes(make_gguf(entries={"tokenizer.chat_template": ""}))
    assert not read_header(path).has_chat_template


def test_five_bad_files_give_five_errors(tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    whole = make_gguf()
    bad = {
        "cut.gguf": (whole[: len(whole) * 6 // 10], ModelIncomplete),
        "qwen.gguf": (b"<!DOCTYPE html><html><body>Sign in</body></html>", ModelNotGguf),
        "model.gguf.part1of2": (whole, ModelPartOnly),
        "empty.gguf": (b"", ModelEmpty),
        "pointer.gguf": (POINTER, ModelPointer),
    }
    codes = set()
    for name, (data, error) in bad.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(error) as caught:
            read_header(path)
        assert caught.value.params["path"] == str(path)
        codes.add(caught.value.code)
    assert len(codes) == 5


def test_a_file_cut_in_its_last_tensor_is_incomplete(tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    whole = make_gguf()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[:-1])
    with pytest.raises(ModelIncomplete) as caught:
        read_header(path)
    assert caught.value.params["expected"] == len(whole)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("qwen-00001-of-00002.gguf", True),
        ("qwen-00001-of-00001.gguf", False),
        ("model.gguf.part2of3", True),
        ("model.gguf.001", True),
        ("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", False),
        ("part1of2.gguf", False),
    ],
)
def test_part_names(name: str, expected: bool) -> None:
    assert is_part_name(name) is expected


def test_a_renamed_part_is_known_by_its_header(tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    path = tmp_path / "renamed.gguf"
    path.write_bytes(make_gguf(entries={"split.count": 2}))
    with pytest.raises(ModelPartOnly):
        read_header(path)


def test_an_unknown_version_is_named(tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    path = tmp_path / "future.gguf"
    path.write_bytes(make_gguf(version=9))
    with pytest.raises(ModelFormatUnsupported) as caught:
        read_header(path)
    assert caught.value.params["version"] == 9


def test_a_tensor_type_of_the_future_is_no_fault(tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    path = tmp_path / "new-type.gguf"
    path.write_bytes(make_gguf(tensor_type=999))
    assert read_header(path).tensor_count == 2


@pytest.mark.parametrize(
    "body",
    [
        struct.pack("<IQQ", 3, 2**63, 1),  # more tensors than any file has
        struct.pack("<IQQ", 3, 1, 2**62),
        struct.pack("<IQQ", 3, 0, 0),
        struct.pack("<IQQ", 3, 1, 0),  # no architecture
        struct.pack("<IQQQ", 3, 1, 1, 1) + b"k" + struct.pack("<I", 77),  # a kind of value that is none
    ],
)
def test_a_header_that_contradicts_itself_is_damaged(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "hostile.gguf"
    path.write_bytes(b"GGUF" + body)
    with pytest.raises(ModelDamaged):
        read_header(path)


def test_an_absurd_length_ends_at_once(tmp_path: Path) -> None:
    path = tmp_path / "hostile.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, 2**64 - 1))
    with pytest.raises(ModelIncomplete):
        read_header(path)


def test_arrays_nested_without_end_are_refused(tmp_path: Path) -> None:
    nested = struct.pack("<IQ", 9, 1) * 50
    path = tmp_path / "nested.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, 1) + b"k" + struct.pack("<I", 9) + nested)
    with pytest.raises(ModelDamaged):
        read_header(path)


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreadable):
        read_header(tmp_path / "无.gguf")


@EACH_EXAMPLE
@given(share=st.floats(0.01, 0.999))
def test_every_cut_is_noticed(share: float, tmp_path: Path, make_gguf: Callable[..., bytes]) -> None:
    whole = make_gguf()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[: max(4, int(len(whole) * share))])
    with pytest.raises(ModelIncomplete):
        read_header(path)


@EACH_EXAMPLE
@given(position=st.integers(4, 400), value=st.integers(0, 255))
def test_a_changed_byte_never_raises_anything_else(
    position: int, value: int, tmp_path: Path, make_gguf: Callable[..., bytes]
) -> None:
    data = bytearray(make_gguf())
    data[position] = value
    path = tmp_path / "changed.gguf"
    path.write_bytes(data)
    try:
        read_header(path)
    except ModelError:
        pass


def test_memory_of_a_token_of_context_is_layers_times_heads_times_key_and_value(tmp_path: Path) -> None:
    facts = {
        "qwen2.block_count": 28,
        "qwen2.embedding_length": 1536,
        "qwen2.attention.head_count": 12,
        "qwen2.attention.head_count_kv": 2,
    }
    file = tmp_path / "模型.gguf"

    def bytes_with(**changes: Any) -> int | None:
        entries = facts | {name.replace("__", "."): value for name, value in changes.items()}
        file.write_bytes(gguf_bytes(entries={k: v for k, v in entries.items() if v is not None}))
        return read_header(file).cache_bytes

    assert bytes_with() == 28 * 2 * (128 + 128) * 2 == 28_672
    assert bytes_with(qwen2__attention__key_length=64, qwen2__attention__value_length=32) == 28 * 2 * 96 * 2
    assert bytes_with(qwen2__attention__head_count_kv=None) == 28 * 12 * 256 * 2
    assert bytes_with(qwen2__attention__head_count_kv=[0.5, 1.5]) == 28 * 12 * 256 * 2
    assert bytes_with(qwen2__block_count=None) is None
    assert bytes_with(qwen2__attention__head_count=0) is None
