"""The evidence of the question before stays in front of the next one's, as long as it may and is worth it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.answer import prompting, turns
from engine.answer.evidence import Evidence
from engine.answer.prompting import Message
from engine.answer.turns import Turn
from engine.config import Settings
from tests.builders import answer_of, make_hit, memory_library
from tests.fakes import FakeGenerator

TEXT = "年假为五天。" + "病假为十天。" + "婚假为三天。" * 3 + "产假为九十八天。"
HIT = make_hit(TEXT, row=3)
PROMPT = prompting.load("large", "问")


def block(number: int, start: int, end: int, row: int = 3) -> Evidence:
    hit = replace(HIT, row=row)
    return Evidence(number, hit, TEXT[start:end], ((start, end),))


class Remembering(FakeGenerator):
    """Holds the prompt that it read last."""

    def __init__(self, *replies: str) -> None:
        super().__init__(*replies)
        self.turn: Turn | None = None

    def held(self, messages: Sequence[Message]) -> int:
        last = "\n".join(m["content"] for m in self.prompts[-1]) if self.prompts else ""
        text = "\n".join(message["content"] for message in messages)
        common = next((at for at, (a, b) in enumerate(zip(last, text, strict=False)) if a != b), len(text))
        return common + 16


def continued(before: Sequence[Evidence], fresh: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return turns.continued(before, fresh, "问", FakeGenerator(""), PROMPT, Settings())


def test_what_is_missing_is_added_and_numbered_on() -> None:
    before = (block(1, 0, 30), block(2, 0, 30, row=4))
    together = continued(before, (block(1, 0, 12, row=4), block(2, 12, 36)))
    assert together[:2] == before
    assert [(each.number, each.kept, each.text) for each in together[2:]] == [(3, ((30, 36),), TEXT[30:36])]


def test_where_next_to_nothing_is_the_same_all_is_read_anew() -> None:
    fresh = (block(1, 0, 36, row=7),)
    assert continued((block(1, 0, 30),), fresh) == fresh


def test_evidence_does_not_grow_from_turn_to_turn() -> None:
    fresh = (block(1, 0, 12),)
    before = (block(1, 0, 36), block(2, 0, 36, row=8), block(3, 0, 36, row=9), block(4, 0, 36, row=10))
    assert continued(before, fresh) == fresh


def test_a_prompt_that_would_not_fit_is_read_anew() -> None:
    before, fresh = (block(1, 0, 36),), (block(1, 0, 30),)
    needed = FakeGenerator("").prompt_tokens(PROMPT.messages("问", before)) + 64 + 1
    for context_length, expected in ((needed, before), (needed - 1, fresh)):
        generator = FakeGenerator("", context_length=context_length)
        found = turns.continued(before, fresh, "问", generator, PROMPT, Settings(max_tokens=64))
        assert found == expected


TEXTS = {"假期.txt": TEXT, "差旅.txt": "差旅费须在十个工作日内报销。"}


def test_a_second_question_begins_with_the_first_ones_evidence() -> None:
    library, generator = memory_library(TEXTS), Remembering("年假为五天。", "病假为十天。")
    answer_of("年假有几天？", [library], generator=generator)
    assert generator.turn is not None
    answer = answer_of("病假有几天？", [library], generator=generator)
    first, second = (prompt[1]["content"].split("\n\n问题")[0] for prompt in generator.prompts[-2:])
    assert second.startswith(first.removesuffix("\n=== 资料结束 ===")), "nothing of it would be read twice"
    assert answer.text.startswith("病假为十天") and answer.citations


@pytest.mark.parametrize("change", ["nothing", "documents", "chosen", "cache"])
def test_nothing_is_kept_where_it_may_be_wrong(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library, generator = memory_library(TEXTS), Remembering("年假为五天。", "病假为十天。")
    answer_of("年假有几天？", [library], generator=generator)
    found: list[tuple[Evidence, ...]] = []
    original = turns.kept

    def watched(*given: Any) -> tuple[Evidence, ...]:
        found.append(original(*given))
        return found[-1]

    monkeypatch.setattr(turns, "kept", watched)
    if change == "documents":
        library.raise_generation()
    elif change == "cache":
        generator.prompts.append([{"role": "system", "content": "something else was read meanwhile"}])
    documents = frozenset(["假期.txt"]) if change == "chosen" else None
    answer_of("病假有几天？", [library], generator=generator, documents=documents)
    assert [bool(kept) for kept in found] == [change == "nothing"]


def test_a_model_that_remembers_nothing_is_asked_as_ever() -> None:
    library, generator = memory_library(TEXTS), FakeGenerator("年假为五天。")
    answer_of("年假有几天？", [library], generator=generator)
    answer_of("年假有几天？", [library], generator=generator)
    assert generator.prompts[0] == generator.prompts[1]
