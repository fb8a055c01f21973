"""A conversation through the pipeline: what a question takes from the one before, and how that is said."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import pipeline
from engine.answer_events import AnswerFinished
from engine.answers import Answer
from engine.cancel import CancelToken
from engine.commands import AskQuestion
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.events import Notice
from engine.index.library import Library
from tests.builders import memory_library
from tests.fakes import FakeEmbedder, FakeGenerator

TEXTS = {
    "年假.txt": "员工的年假有10天，须提前五个工作日申请。",
    "病假.txt": "员工的病假有15天，须有医院的证明。",
    "访客.txt": "访客须在前台登记，由接待人陪同进入园区。",
}


@pytest.fixture(scope="module")
def library() -> Library:
    return memory_library(TEXTS)


def ask(
    library: Library, question: str, previous: Sequence[str] = (), **options: Any
) -> tuple[Answer, list[Notice]]:
    generator = FakeGenerator("病假有15天[1]。")
    events = list(
        pipeline.ask(
            3, question, [library], embedder=FakeEmbedder(), load_generator=lambda: generator,
            settings=Settings(), token=CancelToken(), previous=previous, **options,
        )
    )  # fmt: skip
    last = events[-1]
    assert isinstance(last, AnswerFinished)
    return last.answer, [event for event in events if isinstance(event, Notice)]


def test_a_follow_up_is_answered_as_it_was_meant_and_that_is_said(library: Library) -> None:
    answer, notices = ask(library, "那病假呢？", ["访客在哪里登记？", "员工的年假有几天？"])
    assert (answer.question, answer.rewritten) == ("那病假呢？", "员工的病假有几天？")
    assert answer.hits[0].document == "病假.txt"
    assert [(note.code, note.params) for note in notices] == [
        ("question_rewritten", {"question": "员工的病假有几天？"})
    ]


def test_a_question_of_its_own_owes_nothing_to_the_one_before(library: Library) -> None:
    answer, notices = ask(library, "访客须在前台登记吗？", ["员工的年假有几天？"])
    assert (answer.rewritten, notices) == (None, [])


def test_a_model_is_asked_only_where_the_rules_say_nothing(library: Library) -> None:
    rewriter = FakeGenerator("员工的病假有几天？")
    answer, _ = ask(library, "那病假呢？", ["员工的年假有几天？"], loaded=rewriter)
    assert (answer.rewritten, rewriter.prompts) == ("员工的病假有几天？", [])
    answer, _ = ask(library, "那病假呢？", ["？"], loaded=rewriter)
    assert answer.rewritten is None and rewriter.prompts == []
    answer, _ = ask(library, "那病假呢？", ["它们呢？"], loaded=rewriter)
    assert answer.rewritten == "员工的病假有几天？"
    assert len(rewriter.prompts) == 1


def test_chosen_documents_are_asked_and_noted(library: Library) -> None:
    chosen = DocumentFilter(names=("访客",))
    answer, _ = ask(library, "访客须在前台登记吗？", chosen=chosen)
    assert {hit.document for hit in answer.hits} == {"访客.txt"}
    assert answer.filter == chosen.record(understood=False)
    empty, notices = ask(library, "访客须在前台登记吗？", chosen=DocumentFilter(types=("pdf",)))
    assert (empty.refused_by, empty.hits) == ("gate", ())
    assert [note.code for note in notices] == ["no_document_matches"]


def test_the_command_to_the_engine_restricts_nothing_unless_told() -> None:
    command = AskQuestion(1, "问")
    assert (command.previous, bool(command.chosen)) == ((), False)
