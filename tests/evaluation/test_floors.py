"""How good retrieval and gate are at least, a little under what was measured: tests/quality/README.md."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import models
import resources
from engine import native, pipeline
from engine.cancel import CancelToken
from engine.config import DEFAULT_EMBEDDER, Settings
from engine.evaluation import measure
from engine.evaluation.dataset import read_questions
from engine.index.embedding import BgeEmbedder
from engine.index.library import Library
from engine.intake.scope import Scope
from tests.fakes import InlineReader
from tests.quality import corpora, sets

SAMPLES = Path(resources.__file__).parent / "samples"


@pytest.fixture(scope="module")
def bge() -> BgeEmbedder:
    folder = Path(models.__file__).parent / DEFAULT_EMBEDDER
    return BgeEmbedder(folder, DEFAULT_EMBEDDER, 512, native.thread_count())


@pytest.fixture(scope="module")
def samples(bge: BgeEmbedder) -> Iterator[dict[str, Any]]:
    """The record of the sample questions over the sample library."""
    settings = Settings()
    library = Library(None, dimension=bge.dimension)
    library.set_meta("name", "示例")
    for _ in pipeline.ingest(
        1, library, Scope((SAMPLES,)), reader=InlineReader(settings), embedder=bge, settings=settings,
        token=CancelToken(),
    ):  # fmt: skip
        pass
    yield measure.evaluate(
        read_questions(SAMPLES.parent / "sample_questions.jsonl"), [library], bge, settings
    )
    library.close()


@pytest.mark.embedder
def test_the_sample_questions_find_their_passages(samples: dict[str, Any]) -> None:
    assert samples["failed"] == []
    assert samples["retrieval"]["hit@1"] >= 0.94
    assert samples["retrieval"]["hit@3"] == 1
    assert samples["retrieval"]["passage_hit@3"] >= 0.88


@pytest.mark.embedder
def test_nothing_of_the_samples_is_lost_before_it_is_searched(samples: dict[str, Any]) -> None:
    early = [miss for miss in samples["misses"] if miss["stage"] in ("reading", "chunking")]
    assert early == []


@pytest.mark.embedder
def test_the_gate_tells_sample_questions_with_an_answer_from_those_without(samples: dict[str, Any]) -> None:
    assert samples["gate"]["refused_answerable"] == 0
    assert samples["gate"]["refused_unanswerable"] >= 0.37
    assert samples["gate"]["auc"] >= 0.86


FLOORS = {
    "cmrc2018": {"hit@1": 0.985, "hit@5": 0.995, "mrr@10": 0.99, "passage_hit@1": 0.95},
    "drcd": {"hit@1": 0.965, "hit@5": 0.985, "passage_hit@1": 0.92},
    "expmrc_zh": {"hit@1": 0.99, "passage_hit@1": 0.93},
    "xquad_zh": {"hit@1": 0.98, "passage_hit@1": 0.94},
    "rageval_zh": {"hit@1": 0.985, "passage_hit@5": 0.97, "all_evidence@5": 0.75},
    "lawbench_articles": {"hit@1": 0.99, "passage_hit@1": 0.93},
}
"""Least figures of the Chinese sets, about half a point under those of the table."""


@pytest.mark.quality
@pytest.mark.shared
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", FLOORS)
def test_no_set_falls_under_its_floor(
    name: str, shared_material: Path, installed_models: Path, tmp_path: Path
) -> None:
    data = shared_material / "data" / "qa"
    record = sets.measure_set(name, tmp_path, Settings(), data=data, limit=corpora.LIMIT)
    found = {figure: record["retrieval"][figure] for figure in FLOORS[name]}
    assert {figure: value for figure, value in found.items() if value < FLOORS[name][figure]} == {}
