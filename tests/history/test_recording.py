"""What is gathered from the events of one question."""

from typing import Any

from engine.answer_events import AnswerFinished, AnswerText, PromptMade, PromptProgress, SourcesFound
from engine.answers import Answer
from engine.events import Notice
from engine.history.recording import Recording


def made(number: int) -> PromptMade:
    return PromptMade(1, f"p{number}", ({"role": "user", "content": f"读{number}"},), "qwen", number)


def recorded(*events: Any, **options: Any) -> Recording:
    recording = Recording("问？", **options)
    for event in events:
        recording.note(event)
    return recording


def test_a_stopped_question_has_the_text_so_far_and_what_the_model_was_given() -> None:
    recording = recorded(
        Notice(1, "question_rewritten", {"question": "全问？"}), SourcesFound(1, ()), made(1), made(2),
        PromptProgress(1, 1, 2), None, AnswerText(1, "写到"), AnswerText(1, "一半\n"), previous=["前问？"],
    )  # fmt: skip
    answer = recording.answer
    assert (answer.question, answer.text, answer.rewritten) == ("问？", "写到一半", "全问？")
    assert (answer.model, answer.prompt, answer.stopped) == ("qwen", "p2", True)
    assert (recording.state, recording.is_finished) == ("stopped", False)
    assert [prompt["seed"] for prompt in recording.record["prompts"]] == [1, 2]
    assert recording.record["previous"] == ["前问？"]


def test_a_question_that_is_stopped_at_once_is_a_question() -> None:
    answer = recorded().answer
    assert (answer.text, answer.model, answer.hits, answer.gate) == ("", None, (), None)


def test_a_finished_answer_is_the_checked_one() -> None:
    checked = Answer("问？", "核对过的", False, None, (), (), (), None)
    recording = recorded(AnswerText(1, "没有核对"), AnswerFinished(1, checked), previous=["前问？"])
    assert recording.answer is checked
    assert (recording.state, recording.record) == ("finished", {"prompts": [], "previous": []})


def test_an_answer_that_was_stopped_and_still_finished_is_a_stopped_one() -> None:
    partial = Answer("问？", "读到的", False, None, (), (), (), None, stopped=True)
    recording = recorded(AnswerFinished(1, partial))
    assert (recording.state, recording.is_finished) == ("stopped", True)
