"""Conversations as the engine keeps them, for the tests and pictures of the history window."""

from dataclasses import replace

from engine.answers import Answer
from engine.history.records import Rating, RunSummary, ThreadSummary, Turn
from tests.desktop import sample_content

LEAVE, TRAVEL, CANTEEN = 7, 8, 9
"""Ids of the conversations, the pinned one first as the engine lists them."""


def threads() -> tuple[ThreadSummary, ...]:
    return (
        ThreadSummary(LEAVE, "年假与病假", "2025-06-01T01:00:00+00:00", "2025-06-03T07:12:00+00:00", True, 2),
        ThreadSummary(
            TRAVEL,
            "差旅住宿标准一线城市和其他城市分别是多少，超出部分由谁承担，需要谁批准？",
            "2025-06-04T01:00:00+00:00",
            "2025-06-04T02:30:00+00:00",
            False,
            1,
        ),
        ThreadSummary(
            CANTEEN,
            "公司食堂周末供应夜宵吗？",
            "2025-06-02T01:00:00+00:00",
            "2025-06-02T01:01:00+00:00",
            False,
            1,
        ),
    )


def thread(which: int) -> ThreadSummary:
    return next(each for each in threads() if each.id == which)


def run(number: int, answer: Answer, rating: Rating | None = None, which: int = LEAVE) -> RunSummary:
    return RunSummary(
        id=number,
        asked_at="2025-06-03T07:12:00+00:00",
        question=answer.question,
        refused=answer.refused,
        model=answer.model,
        thread=which,
        place=number,
        state="stopped" if answer.stopped else "finished",
        superseded=False,
        rating=rating,
        note="",
    )


def turns() -> tuple[Turn, ...]:
    """An answer that was rated, and a follow-up to it."""
    first, second = sample_content.answer(), sample_content.follow_up()
    return Turn(run(1, first, "good"), first), Turn(run(2, second), second)


def refused() -> tuple[Turn, ...]:
    """A refusal as it comes back from its trace, which does not hold why."""
    answer = replace(sample_content.refusal(), why_not=None)
    return (Turn(run(3, answer, which=CANTEEN), answer),)
