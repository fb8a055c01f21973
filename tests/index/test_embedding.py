import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import models
from engine import normalise
from engine.errors import EmbedderUnusable
from engine.index.bert import Precision
from engine.index.embedding import (
    LEAST_COSINE,
    QUERY_INSTRUCTION,
    BgeEmbedder,
    Vectors,
    batches,
    vector_key,
)
from engine.intake.chunking.tokens import SPECIAL_TOKENS, embedder_tokens
from tests import tiny_bert

MODEL = "bge-small-zh-v1.5"
FOLDER = Path(models.__file__).parent / MODEL
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_bytes())


@pytest.fixture(scope="session")
def bge() -> BgeEmbedder:
    return BgeEmbedder(FOLDER, MODEL, 512, threads=1)


# -- keys and batches -----------------------------------------------------------------------------


def test_the_key_depends_on_model_precision_normaliser_and_text(monkeypatch: pytest.MonkeyPatch) -> None:
    key = vector_key("m", "fp32", "正文")
    others = [
        vector_key("n", "fp32", "正文"),
        vector_key("m", "bf16", "正文"),
        vector_key("m", "fp32", "正 文"),
    ]
    with monkeypatch.context() as patched:
        patched.setattr(normalise, "VERSION", normalise.VERSION + 1)
        others.append(vector_key("m", "fp32", "正文"))
    assert len({key, *others}) == 5
    assert vector_key("m", "fp32", "正文") == key


def test_texts_that_are_embedded_alike_have_one_key() -> None:
    assert vector_key("m", "p", "ＰＤＦ報告") == vector_key("m", "p", "pdf报告")


@given(st.lists(st.integers(1, 600), max_size=60), st.integers(1, 1000))
def test_batches_take_everything_once_and_keep_to_the_budget(tokens: list[int], budget: int) -> None:
    made = list(batches(tokens, budget))
    assert [index for batch in made for index in batch] == list(range(len(tokens)))
    for batch in made:
        assert len(batch) == 1 or sum(tokens[index] for index in batch) <= budget


def test_batches_are_as_full_as_they_can_be() -> None:
    assert list(batches([10, 200, 12, 190, 600, 5], budget=400)) == [[0, 1, 2], [3], [4], [5]]


# -- a folder or a model that would give other vectors --------------------------------------------


class _Model:
    """What would have been loaded."""

    def __init__(self, pooling: dict[str, Any], vectors: Vectors, max_seq_length: int = 512) -> None:
        self.max_seq_length = max_seq_length
        self.pooling, self._vectors = pooling, vectors

    def encode(self, texts: Sequence[str], precision: Precision = "fp32") -> Vectors:
        return self._vectors[2:3] if len(texts) == 1 else self._vectors[: len(texts)]


CLS = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
AXES = np.eye(5, dtype=np.float32)
UNIT = AXES[[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]]
"""One text in two spellings, and four pairs of words of one meaning."""


class _Wavering(_Model):
    """A text by itself has another vector than among others."""

    def encode(self, texts: Sequence[str], precision: Precision = "fp32") -> Vectors:
        return AXES[:1] if len(texts) == 1 else super().encode(texts)


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (_Model({"pooling_mode": "mean"}, UNIT), "pooling is not cls"),
        (
            _Model({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}, UNIT),
            "pooling is not cls",
        ),
        (_Model({**CLS, "pooling_mode_max_tokens": True}, UNIT), "pooling is not cls"),
        (_Model(CLS, np.pad(UNIT, ((0, 0), (0, 1)))), "dimension 6 instead of 5"),
        (_Model(CLS, UNIT * 2), "vectors are not normalised"),
        (_Model(CLS, UNIT, 256), "reads 256 tokens instead of 512"),
        (_Model(CLS, AXES[[0, 1, 1, 1, 2, 2, 3, 3, 4, 4]]), "capital letters change the vector"),
        (_Wavering(CLS, UNIT), "a text has another vector in a batch"),
        (_Model(CLS, AXES[[0, 0, 1, 1, 2, 2, 3, 4, 4, 3]]), "words of one meaning are not near each other"),
        (_Model(CLS, AXES[[0] * 10]), "words of one meaning are not near each other"),
    ],
)
def test_a_model_that_behaves_otherwise_is_refused(
    monkeypatch: pytest.MonkeyPatch, model: _Model, problem: str
) -> None:
    monkeypatch.setattr(BgeEmbedder, "load_model", staticmethod(lambda folder, threads: model))
    with pytest.raises(EmbedderUnusable) as caught:
        BgeEmbedder(FOLDER, MODEL, 5, threads=1)
    assert caught.value.params == {"path": str(FOLDER), "detail": problem}


def test_a_model_that_gives_no_numbers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = _Model(CLS, np.full((10, 5), np.nan, np.float32))
    monkeypatch.setattr(BgeEmbedder, "load_model", staticmethod(lambda folder, threads: model))
    with pytest.raises(EmbedderUnusable) as caught:
        BgeEmbedder(FOLDER, MODEL, 5, threads=1)
    assert "not near each other" in caught.value.params["detail"]


@pytest.mark.parametrize("pooling", [{"pooling_mode": "cls"}, CLS])
def test_both_spellings_of_cls_pooling_are_known(
    monkeypatch: pytest.MonkeyPatch, pooling: dict[str, Any]
) -> None:
    monkeypatch.setattr(
        BgeEmbedder, "load_model", staticmethod(lambda folder, threads: _Model(pooling, UNIT))
    )
    assert BgeEmbedder(FOLDER, MODEL, 5, threads=1).dimension == 5


def test_weights_that_the_id_does_not_name_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BgeEmbedder, "load_model", staticmethod(lambda folder, threads: _Model(CLS, UNIT)))
    named = [BgeEmbedder(FOLDER, MODEL, 5, 1, weights).precision for weights in ("", "a" * 64, "b" * 64)]
    assert named == ["fp32", "fp32-aaaaaaaaaaaa", "fp32-bbbbbbbbbbbb"]


@pytest.mark.parametrize("missing", ["modules.json", "1_Pooling/config.json"])
def test_a_folder_without_its_pooling_files_is_refused(tmp_path: Path, missing: str) -> None:
    folder = tmp_path / "模型"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    (folder / missing).unlink()
    with pytest.raises(EmbedderUnusable) as caught:
        BgeEmbedder(folder, MODEL, 512, threads=1)
    assert caught.value.params["detail"] == f"missing: {missing}"


@pytest.mark.embedder
@pytest.mark.parametrize("content", [None, b"", b"no tensors"])
def test_a_damaged_weights_file_is_refused(tmp_path: Path, content: bytes | None) -> None:
    folder = tmp_path / "模型 一"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    if content is not None:
        (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(EmbedderUnusable) as caught:
        BgeEmbedder(folder, MODEL, 512, threads=1)
    assert caught.value.params["path"] == str(folder)


# -- the larger models, by stand-ins ----------------------------------------------------------------


@pytest.mark.embedder
@pytest.mark.parametrize(("model_id", "dimension"), [(tiny_bert.BASE, 768), (tiny_bert.LARGE, 1024)])
def test_a_larger_model_gives_vectors_of_its_dimension(
    tiny_berts: Mapping[str, Path], model_id: str, dimension: int
) -> None:
    loaded = BgeEmbedder(tiny_berts[model_id], model_id, dimension, threads=1)
    vectors = loaded.embed_passages(["报销须在三十日内提交。", "访客"])
    assert vectors.shape == (2, dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert loaded.embed_query("报销").shape == (dimension,)


@pytest.mark.embedder
def test_a_model_of_the_right_shape_that_knows_no_words_is_refused(tmp_path: Path) -> None:
    folder = tiny_bert.make(tmp_path / "乱数", tiny_bert.BASE, knows_words=False)
    with pytest.raises(EmbedderUnusable) as caught:
        BgeEmbedder(folder, tiny_bert.BASE, 768, threads=1)
    assert caught.value.params["detail"] == "words of one meaning are not near each other"


# -- the real model -------------------------------------------------------------------------------


@pytest.mark.embedder
@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_golden_vectors(bge: BgeEmbedder, number: int) -> None:
    golden = GOLDEN[number]
    (vector,) = bge._encode([golden["text"].lower()])
    assert float(vector @ np.asarray(golden["vector"], np.float32)) >= 0.9999


@pytest.mark.embedder
@pytest.mark.parametrize("number", range(len(GOLDEN)))
@pytest.mark.parametrize(("precision", "least"), [("bf16", 0.9995), ("int8", LEAST_COSINE)])
def test_golden_vectors_in_fewer_bits(
    bge: BgeEmbedder, number: int, precision: Precision, least: float
) -> None:
    golden = GOLDEN[number]
    (vector,) = bge._encode([golden["text"].lower()], precision)
    assert float(vector @ np.asarray(golden["vector"], np.float32)) >= least


@pytest.mark.embedder
def test_vectors_are_those_of_sentence_transformers(bge: BgeEmbedder) -> None:
    """Of the whole forward pass, of texts of unlike length in one batch and of one that is too long."""
    from sentence_transformers import SentenceTransformer

    texts = ["短", "一个长得多的句子，用来撑开这一批的宽度。" * 8, "annual report 2025", "长" * 600]
    whole = SentenceTransformer(
        str(FOLDER), device="cpu", local_files_only=True, model_kwargs={"add_pooling_layer": False}
    )
    expected = whole.float().encode(texts, normalize_embeddings=True, show_progress_bar=False)
    assert np.allclose(bge._encode(texts), expected, atol=1e-5)


@pytest.mark.embedder
def test_capital_and_full_width_letters_change_nothing(bge: BgeEmbedder) -> None:
    one, two, three = bge.embed_passages(["PDF报告", "pdf报告", "ＰＤＦ报告"])
    assert np.allclose(one, two, atol=1e-6)
    assert np.allclose(one, three, atol=1e-6)


@pytest.mark.embedder
def test_names_in_capitals_are_told_apart(bge: BgeEmbedder) -> None:
    one, two = bge.embed_passages(["ISO9001", "ISO14001"])
    assert float(one @ two) < 0.99


@pytest.mark.embedder
@pytest.mark.parametrize("precision", ["fp32", "bf16", "int8"])
def test_a_batch_gives_the_vectors_of_its_texts(bge: BgeEmbedder, precision: Precision) -> None:
    """Texts stand in one matrix: none may see its neighbour, nor what fills the matrix up."""
    texts = ["短", "一个长得多的句子，用来撑开这一批的宽度。" * 8, "annual report 2025", "长" * 600, "访客"]
    together = bge._encode(texts, precision)
    assert together.shape == (5, 512)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for text, vector in zip(texts, together, strict=True):
        assert float(bge._encode([text], precision)[0] @ vector) > 0.9999
    assert bge.embed_passages([]).shape == (0, 512)


@pytest.mark.embedder
def test_a_question_carries_the_instruction_and_finds_its_passage(bge: BgeEmbedder) -> None:
    query = bge.embed_query("年假可以顺延吗？")
    assert query.shape == (512,)
    (with_instruction,) = bge.embed_passages([f"{QUERY_INSTRUCTION}年假可以顺延吗？"])
    assert np.allclose(query, with_instruction, atol=1e-6)
    passages = bge.embed_passages(["年假可以顺延至次年三月。", "报销须在三十日内提交。", "今天天气很好。"])
    assert int(np.argmax(passages @ query)) == 0


@pytest.mark.embedder
@pytest.mark.usefixtures("bge")
def test_the_hub_libraries_are_switched_off() -> None:
    assert (os.environ["HF_HUB_OFFLINE"], os.environ["TQDM_DISABLE"]) == ("1", "1")


# -- the token counts that chunks are made with ---------------------------------------------------


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_golden_token_counts(number: int) -> None:
    counted = embedder_tokens().count(GOLDEN[number]["text"]) + SPECIAL_TOKENS
    assert min(counted, 512) == GOLDEN[number]["tokens"]  # the model reads no more


@pytest.mark.parametrize(
    "text", ["ISO9001", "API", "PDF报告", "A4纸", "The HT-300 Manual", "ＧＢ／Ｔ １９００１"]
)
def test_latin_capitals_are_no_unknown_tokens(text: str) -> None:
    tokenizer = embedder_tokens()._tokenizer
    unknown = tokenizer.token_to_id("[UNK]")
    assert unknown in tokenizer.encode("PDF").ids, "the trap itself: the bare tokenizer knows no capitals"
    assert unknown not in tokenizer.encode(normalise.normalise(text)).ids
