"""What an embedder's folder must look like where no hash of its files is published.

bge's larger models are published as a pickle only, which this program never loads; as safetensors they exist
in many conversions, none of which has a hash that could be written down. So everything about such a folder is
checked that can be checked without knowing its numbers. This tells models of different shape apart, not two
trainings of one shape: therefore the hashes are recorded when the folder is added (:mod:`models.folders`).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from models.errors import (
    ModelFileMissing,
    ModelLinkOutside,
    ModelNotSafetensors,
    ModelPointer,
    ModelStructureWrong,
)
from models.gguf import LFS_POINTER
from models.tensors import Shapes, read_shapes

WEIGHTS = "model.safetensors"
REQUIRED = ("config.json", WEIGHTS, "modules.json", "1_Pooling/config.json", "tokenizer.json")
OPTIONAL = (
    "2_Normalize/config.json",
    "LICENSE",
    "README.md",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "vocab.txt",
)
POSITIONS = 512
"""Tokens that every bge model of the first family reads."""

_MODULES = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True, slots=True)
class Structure:
    """A BERT's sizes. ``vocabulary`` is the SHA-256 of its tokens in order of their ids, one a line."""

    hidden_size: int
    layers: int
    heads: int
    intermediate_size: int
    vocabulary_size: int
    vocabulary: str

    def tensors(self) -> Shapes:
        """Every tensor that embedding needs, by name; the pooler is not among them."""
        hidden, inner = self.hidden_size, self.intermediate_size
        norm = {"weight": (hidden,), "bias": (hidden,)}
        square = {"weight": (hidden, hidden), "bias": (hidden,)}
        parts: dict[str, Mapping[str, tuple[int, ...]]] = {
            "embeddings.word_embeddings": {"weight": (self.vocabulary_size, hidden)},
            "embeddings.position_embeddings": {"weight": (POSITIONS, hidden)},
            "embeddings.token_type_embeddings": {"weight": (2, hidden)},
            "embeddings.LayerNorm": norm,
        }
        for number in range(self.layers):
            layer = f"encoder.layer.{number}"
            parts |= {f"{layer}.attention.self.{name}": square for name in ("query", "key", "value")}
            parts |= {
                f"{layer}.attention.output.dense": square,
                f"{layer}.attention.output.LayerNorm": norm,
                f"{layer}.intermediate.dense": {"weight": (inner, hidden), "bias": (inner,)},
                f"{layer}.output.dense": {"weight": (hidden, inner), "bias": (hidden,)},
                f"{layer}.output.LayerNorm": norm,
            }
        return {f"{part}.{name}": shape for part, both in parts.items() for name, shape in both.items()}

    @property
    def parameters(self) -> int:
        return sum(prod(shape) for shape in self.tensors().values())


def files_of(folder: Path) -> list[str]:
    """The files of the folder that belong to an embedder; nothing else is copied, hashed or loaded."""
    return [name for name in sorted((*REQUIRED, *OPTIONAL)) if (folder / name).is_file()]


def hidden_size(folder: Path) -> Any:
    """What the folder's config.json says; raises ModelFileMissing and as :func:`check` does."""
    _demand_files(folder)
    config = _read_json(folder / "config.json", "")
    return config.get("hidden_size") if isinstance(config, dict) else None


def check(folder: Path, model: str, wanted: Structure) -> None:
    """Compare the folder with what the model must be; reads no weights.

    Raises:
        ModelFileMissing, ModelNotSafetensors, ModelLinkOutside: the folder does not hold what it must.
        ModelStructureWrong: it holds another model, or one that pools or cuts text otherwise.
        ModelError: as :func:`models.tensors.read_shapes`.
        OSError: a file cannot be read.
    """
    _demand_files(folder)
    _check_config(folder / "config.json", model, wanted)
    _check_modules(folder, model, wanted)
    _check_vocabulary(folder / "tokenizer.json", model, wanted)
    weights = folder / WEIGHTS
    found = read_shapes(weights)
    for name, shape in wanted.tensors().items():
        if found.get(name) != shape:
            there = "missing" if name not in found else f"{list(found[name])} instead of {list(shape)}"
            raise _wrong(weights, model, f"{name} is {there}")


def _demand_files(folder: Path) -> None:
    there = files_of(folder)
    if WEIGHTS not in there and any(folder.glob("pytorch_model*.bin")):
        raise ModelNotSafetensors(path=str(folder))
    for name in REQUIRED:
        if name not in there:
            raise ModelFileMissing(path=str(folder), name=name)
    root = folder.resolve()
    if root.parent.name == "snapshots":  # a hub's cache: the files are links to ../../blobs
        root = root.parents[1]
    for name in there:
        if not (folder / name).resolve().is_relative_to(root):
            raise ModelLinkOutside(path=str(folder / name))


def _check_config(path: Path, model: str, wanted: Structure) -> None:
    config = _read_json(path, model)
    facts = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": wanted.hidden_size,
        "num_hidden_layers": wanted.layers,
        "num_attention_heads": wanted.heads,
        "intermediate_size": wanted.intermediate_size,
        "vocab_size": wanted.vocabulary_size,
        "max_position_embeddings": POSITIONS,
    }
    for key, value in facts.items():
        found = config.get(key) if isinstance(config, dict) else None
        if found != value:
            raise _wrong(path, model, f"{key} {found} instead of {value}")


def _check_modules(folder: Path, model: str, wanted: Structure) -> None:
    path = folder / "modules.json"
    modules = _read_json(path, model)
    try:
        kinds = [(module["type"].split("."), module["path"]) for module in modules]
    except (TypeError, KeyError, AttributeError):
        kinds = []
    # Its classes are loaded by name: nothing but sentence-transformers' own may be named.
    if [(kind[0], kind[-1], path) for kind, path in kinds] != [
        ("sentence_transformers", name, path)
        for name, path in zip(_MODULES, ("", "1_Pooling", "2_Normalize"), strict=True)
    ]:
        raise _wrong(path, model, f"the modules are not {', '.join(_MODULES)}")
    path = folder / "1_Pooling/config.json"
    pooling = _read_json(path, model)
    if not isinstance(pooling, dict) or not pools_by_cls(pooling):
        raise _wrong(path, model, "pooling is not cls")
    width = pooling.get("embedding_dimension", pooling.get("word_embedding_dimension"))
    if width != wanted.hidden_size:
        raise _wrong(path, model, f"embedding_dimension {width} instead of {wanted.hidden_size}")


def pools_by_cls(pooling: Mapping[str, Any]) -> bool:
    """Whether a pooling configuration, in either spelling, takes the first token and nothing else."""
    mode = pooling.get("pooling_mode")
    if mode is not None:
        return bool(mode == "cls")
    return [k for k, v in pooling.items() if k.startswith("pooling_mode_") and v] == [
        "pooling_mode_cls_token"
    ]


def _check_vocabulary(path: Path, model: str, wanted: Structure) -> None:
    tokenizer = _read_json(path, model)
    try:
        vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
        tokens = sorted(vocabulary, key=vocabulary.__getitem__)
        ids = [vocabulary[token] for token in tokens]
        lines = "".join(f"{token}\n" for token in tokens).encode()
    except (TypeError, KeyError, AttributeError, UnicodeEncodeError):
        ids, lines = [], b""
    if ids != list(range(wanted.vocabulary_size)) or hashlib.sha256(lines).hexdigest() != wanted.vocabulary:
        raise _wrong(path, model, "the vocabulary is another one")


def _read_json(path: Path, model: str) -> Any:
    data = path.read_bytes()
    if data.startswith(LFS_POINTER):
        raise ModelPointer(path=str(path))
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise _wrong(path, model, "not JSON") from exc


def _wrong(path: Path, model: str, detail: str) -> ModelStructureWrong:
    return ModelStructureWrong(path=str(path), model=model, detail=detail)
