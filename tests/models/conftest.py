"""Small stand-ins for model files: a valid GGUF of a few hundred bytes, and a catalogue that knows one."""

import hashlib
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models.catalogue import Catalogue, CatalogueModel, ModelFile, Source, WheelPiece, WheelSource

MODEL_ID = "tiny-q4"


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def gguf_bytes(
    *,
    version: int = 3,
    entries: dict[str, Any] | None = None,
    tensors: int = 2,
    tensor_type: int = 0,
    offset_step: int = 64,
    padding: bytes = b"",
) -> bytes:
    """A GGUF of ``tensors`` float32 tensors of 4 × 4 elements."""
    metadata = {
        "general.architecture": "qwen2",
        "general.name": "小模型",
        "qwen2.context_length": 2048,
        "tokenizer.chat_template": "{{ messages }}",
        "tokenizer.ggml.tokens": ["知", "页", "。"],
        "tokenizer.ggml.scores": [0.5, 1.5],
    } | (entries or {})
    header = b"GGUF" + struct.pack("<IQQ", version, tensors, len(metadata))
    for key, value in metadata.items():
        header += _text(key)
        if isinstance(value, str):
            header += struct.pack("<I", 8) + _text(value)
        elif isinstance(value, int):
            header += struct.pack("<II", 4, value)
        elif isinstance(value[0], str):
            header += struct.pack("<IIQ", 9, 8, len(value)) + b"".join(_text(item) for item in value)
        else:
            header += struct.pack(f"<IIQ{len(value)}f", 9, 6, len(value), *value)
    for number in range(tensors):
        header += _text(f"blk.{number}.weight")
        header += struct.pack("<IQQIQ", 2, 4, 4, tensor_type, number * offset_step)
    header += b"\0" * (-len(header) % 32)
    return header + b"\1" * (tensors * 64) + padding


@pytest.fixture
def make_gguf() -> Callable[..., bytes]:
    return gguf_bytes


@pytest.fixture
def gguf_file(tmp_path: Path) -> Path:
    path = tmp_path / "外来模型.gguf"
    path.write_bytes(gguf_bytes())
    return path


@pytest.fixture
def content() -> bytes:
    """The bytes of the one chat model that the tests' catalogue knows."""
    return gguf_bytes(entries={"general.name": "known"})


@pytest.fixture
def pieces(content: bytes) -> list[bytes]:
    third = len(content) // 3
    return [content[:third], content[third : 2 * third], content[2 * third :]]


@pytest.fixture
def make_catalogue(content: bytes) -> Callable[..., Catalogue]:
    def make(*sources: Source, free_memory: int = 0) -> Catalogue:
        return Catalogue((chat_model(MODEL_ID, content, sources, free_memory),))

    return make


@pytest.fixture
def make_chat() -> Callable[..., CatalogueModel]:
    return chat_model


def chat_model(
    model_id: str, content: bytes, sources: tuple[Source, ...] = (), free_memory: int = 0, order: int = 1
) -> CatalogueModel:
    file = ModelFile(f"{model_id}.gguf", len(content), hashlib.sha256(content).hexdigest())
    return CatalogueModel(
        id=model_id,
        role="chat",
        name=model_id,
        licence="Apache-2.0",
        memory_needed=1000,
        default_order=order,
        files=(file,),
        sources=sources or (WheelSource("p{number}", "1.0", "x", (WheelPiece("0" * 64, len(content)),)),),
        context_length=2048,
        prompt="small",
        default_free_memory=free_memory,
    )
