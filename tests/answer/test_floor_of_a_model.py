"""What the small chat model answers and refuses of the sample questions at least: a little under measured.

The full figures are those of ``python -m tests.quality.answers`` (tests/quality/README.md, Answers).
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import models
import resources
from engine import native, pipeline
from engine.answer.generation import llama
from engine.answer_events import AnswerFinished
from engine.answers import Answer
from engine.cancel import CancelToken
from engine.config import DEFAULT_EMBEDDER, Settings
from engine.evaluation.dataset import Question, read_questions
from engine.evaluation.stages import contains_gold
from engine.index.embedding import BgeEmbedder
from engine.index.library import Library
from engine.intake.scope import Scope
from models.store import ModelStore
from tests.fakes import InlineReader

pytestmark = [pytest.mark.chat_model, pytest.mark.embedder, pytest.mark.timeout(600)]

SAMPLES = Path(resources.__file__).parent / "samples"
ANSWERABLE = 6
"""Questions with an answer that are asked; all of those without are."""

SETTINGS = Settings(context_budget=300, max_tokens=120)


@pytest.fixture
def answers(small_chat_model: str, installed_models: Path) -> Iterator[list[tuple[Question, Answer]]]:
    embedder = BgeEmbedder(
        Path(models.__file__).parent / DEFAULT_EMBEDDER, DEFAULT_EMBEDDER, 512, native.thread_count()
    )
    library = Library(None, dimension=embedder.dimension)
    library.set_meta("name", "示例")
    for _ in pipeline.ingest(
        1, library, Scope((SAMPLES,)), reader=InlineReader(SETTINGS), embedder=embedder, settings=SETTINGS,
        token=CancelToken(),
    ):  # fmt: skip
        pass
    path = ModelStore(installed_models).ensure_verified(small_chat_model)
    generator = llama.load(path, small_chat_model, "small")
    every = read_questions(SAMPLES.parent / "sample_questions.jsonl")
    asked = [q for q in every if q.answerable][:ANSWERABLE] + [q for q in every if not q.answerable]

    def answer(question: Question) -> Answer:
        *_, last = pipeline.ask(
            1, question.question, [library], embedder=embedder, load_generator=lambda: generator,
            settings=SETTINGS, token=CancelToken(),
        )  # fmt: skip
        assert isinstance(last, AnswerFinished)
        return last.answer

    yield [(question, answer(question)) for question in asked]
    generator.close()
    library.close()


def test_the_small_model_answers_and_refuses_no_worse_than_was_measured(
    answers: list[tuple[Question, Answer]],
) -> None:
    right = sum(q.answerable and not a.refused and contains_gold(q, a.text) for q, a in answers)
    refused = sum(not q.answerable and a.refused for q, a in answers)
    shown = [s for _, a in answers if not a.refused for s in a.sentences if s.verdict != "no_claim"]
    assert right >= 3
    assert refused >= 4
    assert all(s.citations for s in shown if s.verdict != "unsupported")
    assert all(a.nearest for q, a in answers if a.refused)
