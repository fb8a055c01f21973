"""Stand-ins for the larger embedders: right layout, right width, one layer and random numbers.

They read Chinese, character by character, and know the few words of one meaning by which a loaded embedder is
judged. What they say about a text is no more than which characters it shares with another one.
"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

import models
from engine.index.embedding import QUERY_INSTRUCTION
from models.catalogue import Catalogue, CatalogueModel, catalogue
from models.structure import POSITIONS, WEIGHTS, Structure

BASE, LARGE = "bge-base-zh-v1.5", "bge-large-zh-v1.5"
SMALL_FOLDER = Path(models.__file__).parent / "bge-small-zh-v1.5"

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_ALIKE = ("父亲爸", "土豆马铃薯", "星期天周日", "工资薪水")
_TEXTS = (
    "秘密级数据的保密期限为10年。机密级数据的保密期限为二十年。差旅报销单须在返回后个工作日内提交财务部。"
    "逾期不予受理访客须知在前台登记，由接待人陪同进入园区。是几？"
)
_CHARACTERS = sorted(
    {*"".join(_ALIKE), *_TEXTS, *QUERY_INSTRUCTION, *"abcdefghijklmnopqrstuvwxyz0123456789#"}
)
_TOKENS = (*_SPECIAL, *_CHARACTERS, *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz0123456789"))
_VOCABULARY = hashlib.sha256("".join(f"{token}\n" for token in _TOKENS).encode()).hexdigest()


def known() -> Catalogue:
    """The catalogue, with the larger embedders as small as the ones made here."""
    return Catalogue(tuple(_shrunk(entry) for entry in catalogue().models))


def _shrunk(entry: CatalogueModel) -> CatalogueModel:
    if entry.structure is None:
        return entry
    tiny = replace(
        entry.structure, layers=1, intermediate_size=64,
        vocabulary_size=len(_TOKENS), vocabulary=_VOCABULARY,
    )  # fmt: skip
    return replace(entry, structure=tiny)


def make(folder: Path, model_id: str, *, seed: int = 1, knows_words: bool = True) -> Path:
    """Write a folder in the layout of sentence-transformers; a few megabytes."""
    structure = known().find(model_id).structure
    assert structure is not None
    (folder / "1_Pooling").mkdir(parents=True)
    for name in ("modules.json", "sentence_bert_config.json", "special_tokens_map.json"):
        (folder / name).write_bytes((SMALL_FOLDER / name).read_bytes())
    pooling = json.loads((SMALL_FOLDER / "1_Pooling/config.json").read_bytes())
    _write_json(
        folder / "1_Pooling/config.json", pooling | {"word_embedding_dimension": structure.hidden_size}
    )
    tokenizer_config = json.loads((SMALL_FOLDER / "tokenizer_config.json").read_bytes())
    _write_json(folder / "tokenizer_config.json", tokenizer_config | {"do_lower_case": True})
    _write_json(folder / "config.json", _config(structure))
    _write_json(folder / "tokenizer.json", _tokenizer())
    (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in _TOKENS), encoding="utf-8")
    save_file(_numbers(structure, seed, knows_words), folder / WEIGHTS, {"format": "pt"})
    return folder


def _config(structure: Structure) -> dict[str, object]:
    config: dict[str, object] = json.loads((SMALL_FOLDER / "config.json").read_bytes())
    return config | {
        "hidden_size": structure.hidden_size,
        "num_hidden_layers": structure.layers,
        "num_attention_heads": structure.heads,
        "intermediate_size": structure.intermediate_size,
        "vocab_size": structure.vocabulary_size,
        "max_position_embeddings": POSITIONS,
    }


def _tokenizer() -> dict[str, object]:
    tokenizer: dict[str, object] = json.loads((SMALL_FOLDER / "tokenizer.json").read_bytes())
    ids = {token: number for number, token in enumerate(_TOKENS)}
    tokenizer["model"]["vocab"] = ids  # type: ignore[index]
    tokenizer["normalizer"]["lowercase"] = True  # type: ignore[index]
    for added in tokenizer["added_tokens"]:  # type: ignore[attr-defined]
        added["id"] = ids[added["content"]]
    for name, special in tokenizer["post_processor"]["special_tokens"].items():  # type: ignore[index]
        special["ids"] = [ids[name]]
    return tokenizer


def _numbers(structure: Structure, seed: int, knows_words: bool) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    numbers = {}
    for name, shape in structure.tensors().items():
        if "LayerNorm" in name or name.endswith("bias"):
            value = np.full(shape, float(name.endswith("LayerNorm.weight")))
        else:
            # The places count for little, so that what a text says counts.
            value = random.normal(0, 0.002 if "position" in name else 0.05, shape)
        numbers[name] = value.astype(np.float16)
    if knows_words:
        words = numbers["embeddings.word_embeddings.weight"]
        for group in _ALIKE:
            rows = [_TOKENS.index(character) for character in group]
            words[rows] = words[rows[0]]
    return numbers


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
