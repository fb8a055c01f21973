"""In which precision passages are embedded: what a trial's end means, and what the embedder makes of it."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import models
from engine.embedders import precision as embedding_precision
from engine.embedders import precision_child
from engine.embedders.precision import PrecisionTrial
from engine.index.bert import Precision
from engine.index.embedding import LEAST_COSINE, BgeEmbedder
from engine.paths import Home

MODEL = "bge-small-zh-v1.5"
FOLDER = Path(models.__file__).parent / MODEL
ISA = "ONEDNN_MAX_CPU_ISA"


class _Children:
    """Ends of child processes, one after the other; notes what oneDNN was allowed in each."""

    def __init__(self, *ends: tuple[int, str]) -> None:
        self._ends = list(ends)
        self.allowed: list[str] = []

    def __call__(
        self, command: Any, *, env: Mapping[str, str], cwd: Path, **_: Any
    ) -> "subprocess.CompletedProcess[str]":
        assert (cwd / "engine" / "embedders" / "precision_child.py").is_file(), (
            "python -m finds it from there"
        )
        self.allowed.append(env.get(ISA, ""))
        status, output = self._ends.pop(0)
        return subprocess.CompletedProcess(command, status, output, "")


def says(gain: float, cosine: float = 0.9999, **others: tuple[float, float]) -> tuple[int, str]:
    """What a child prints of bfloat16, and of other precisions by name."""
    figures = {name: {"gain": g, "cosine": c} for name, (g, c) in {"bf16": (gain, cosine), **others}.items()}
    return 0, f"noise\n{json.dumps(figures)}\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.delenv(ISA, raising=False)
    return Home(tmp_path).create()


def tried(home: Home, children: _Children) -> Precision | None:
    trial = PrecisionTrial(home, FOLDER, run=children, after=0)
    assert trial.verdict() is None, "nobody waits for it"
    trial.wait()
    return trial.verdict()


def test_what_is_faster_and_the_same_is_used_and_remembered(home: Home) -> None:
    assert tried(home, _Children(says(3.2))) == "bf16"
    assert PrecisionTrial(home, FOLDER, run=_Children()).verdict() == "bf16"


@pytest.mark.parametrize(
    "end",
    [
        says(1.1),
        says(4, 0.997),
        says(4, float("nan")),
        says(0.3, int8=(1.1, 0.9993)),
        says(0.3, int8=(3, 0.95)),
        (0, "no figures"),
        (0, "{}"),
        (0, '{"bf16": 3}'),
        (0, ""),
    ],
)
def test_what_is_no_faster_or_not_the_same_is_not_used(home: Home, end: tuple[int, str]) -> None:
    assert tried(home, _Children(end)) == "fp32"
    assert PrecisionTrial(home, FOLDER, run=_Children()).verdict() == "fp32"


@pytest.mark.parametrize(
    ("end", "chosen"),
    [
        (says(0.3, int8=(2.9, 0.9993)), "int8"),
        (says(2.9, int8=(3.2, 0.9993)), "bf16"),
        (says(2.0, int8=(3.2, 0.9993)), "int8"),
        (says(2.0, 0.9, int8=(3.2, 0.9993)), "int8"),
        ((0, '{"int8": {"gain": 1.8, "cosine": 0.9991}}'), "int8"),
    ],
)
def test_eight_bits_are_used_where_they_are_well_faster_than_the_more_exact(
    home: Home, end: tuple[int, str], chosen: Precision
) -> None:
    assert tried(home, _Children(end)) == chosen
    assert PrecisionTrial(home, FOLDER, run=_Children()).verdict() == chosen


def test_a_child_that_amx_kills_is_tried_without_and_that_counts_from_the_next_start(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = _Children((-4, ""), says(1.9))
    assert tried(home, children) == "fp32", "here oneDNN has made its choice already"
    assert children.allowed == ["", "AVX512_CORE_BF16"]
    trial = PrecisionTrial(home, FOLDER, run=_Children())
    assert trial.verdict() == "bf16"
    monkeypatch.setenv(ISA, "")  # somebody's own choice stays
    assert PrecisionTrial(home, FOLDER, run=_Children()).verdict() == "fp32"


def test_a_machine_that_kills_both_is_not_tried_again(home: Home) -> None:
    assert tried(home, _Children((-4, ""), (0xC000001D, ""))) == "fp32"
    assert PrecisionTrial(home, FOLDER, run=_Children()).verdict() == "fp32"


def test_what_depends_on_the_moment_is_asked_again(home: Home) -> None:
    assert tried(home, _Children((1, ""))) == "fp32"
    assert tried(home, _Children(says(2))) == "bf16"


def test_another_processor_is_asked_anew(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tried(home, _Children(says(3))) == "bf16"
    monkeypatch.setattr(embedding_precision, "machine", lambda: "another one")
    assert tried(home, _Children(says(0.8))) == "fp32"


@pytest.mark.parametrize("content", ["", "[]", '{"x": 1}', "{"])
def test_a_damaged_record_is_no_verdict(home: Home, content: str) -> None:
    (home.root / "model-precisions.json").write_text(content, encoding="utf-8")
    assert tried(home, _Children(says(3))) == "bf16"


def test_a_few_files_begin_no_trial(home: Home) -> None:
    trial = PrecisionTrial(home, FOLDER, run=_Children(), after=3)
    assert [trial.verdict() for _ in range(3)] == [None] * 3
    trial.wait()


@pytest.mark.embedder
def test_a_child_measures_what_is_worth_it_and_gives_up_what_is_hopeless(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(precision_child, "ROUNDS", 1)
    monkeypatch.setattr(precision_child, "_HOPELESS", 1000.0)
    figures = precision_child.measure(FOLDER)
    assert "int8" in figures
    assert all(LEAST_COSINE - 0.1 < each["cosine"] <= 1 and each["gain"] > 0 for each in figures.values())
    monkeypatch.setattr(precision_child, "_HOPELESS", 0.0)
    assert precision_child.measure(FOLDER) == {}


# -- the embedder ---------------------------------------------------------------------------------


class _Says:
    def __init__(self, *verdicts: Precision | None) -> None:
        self._verdicts = list(verdicts)

    def verdict(self) -> Precision | None:
        return self._verdicts.pop(0)


TEXTS = ["报销须在三十日内提交，逾期不予受理。" * 9, "访客须在前台登记。", "Annual report 2025"]


@pytest.mark.embedder
@pytest.mark.parametrize("found", ["bf16", "int8"])
def test_passages_change_over_in_the_midst_and_stay_comparable(found: Precision) -> None:
    embedder = BgeEmbedder(FOLDER, MODEL, 512, threads=1)
    step = embedder.step_tokens
    embedder.settle_by(_Says(None, found))
    exact = embedder.embed_passages(TEXTS)
    question = embedder.embed_query("访客在哪里登记？")
    assert embedder.computed_in == "fp32"
    coarse = embedder.embed_passages(TEXTS)
    assert embedder.computed_in == found
    assert embedder.step_tokens > step, "a step of as much time holds more"
    assert (exact != coarse).any()
    assert ((exact * coarse).sum(axis=1) >= LEAST_COSINE).all()
    assert np.allclose(np.linalg.norm(coarse, axis=1), 1, atol=1e-5)
    assert embedder.precision == "fp32", "the keys of the vectors stay"
    embedder._last = None
    assert np.array_equal(embedder.embed_query("访客在哪里登记？"), question), "questions stay exact"


@pytest.mark.embedder
def test_a_precision_that_is_not_the_same_here_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = BgeEmbedder(FOLDER, MODEL, 512, threads=1)
    real = embedder._model.encode
    monkeypatch.setattr(
        embedder._model,
        "encode",
        lambda texts, precision="fp32": real(texts)[::-1] if precision == "bf16" else real(texts),
    )
    embedder.settle_by(_Says("bf16"))
    before = embedder.embed_passages(TEXTS)
    assert embedder.computed_in == "fp32"
    assert np.array_equal(embedder.embed_passages(TEXTS), before)
