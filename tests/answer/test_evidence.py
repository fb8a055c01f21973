"""Numbered blocks inside a budget: weakest out first, cuts at sentences, and names for places."""

import random
from collections.abc import Sequence

import pytest

from engine.answer import evidence, prompting
from engine.answer.evidence import fit, place
from engine.answer.prompting import Message
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import QuestionTooLong
from tests.builders import make_evidence, make_hit
from tests.fakes import FakeGenerator

SENTENCE = "核心数据须加密存储并登记。"


def no_cost(hit: SearchHit) -> int:
    return 0


def hits_of(texts: Sequence[str]) -> list[SearchHit]:
    return [make_hit(text, rank=rank, row=rank) for rank, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"document": "部门/制度.pdf", "page": 3}, "制度.pdf｜第 3 页"),
        ({"document": "制度.pdf", "page": 3, "label": "3"}, "制度.pdf｜第 3 页"),
        ({"document": "制度.pdf", "page": 3, "label": "1"}, "制度.pdf｜第 3 页（页码标签 1）"),
        ({"document": "制度.pdf", "page": 1, "section": ("总则",)}, "制度.pdf｜第 1 页"),
        ({"document": "a/说明.md", "kind": "markdown", "section": ("安装", "检查")}, "说明.md｜检查"),
        ({"document": "说明.docx", "kind": "word"}, "说明.docx｜正文"),
    ],
)
def test_place_says_file_and_page_or_section(facts: dict[str, object], expected: str) -> None:
    assert place(make_hit("文", **facts)) == expected
    assert make_evidence("文", **facts).place == expected


def test_context_holds_title_and_section_beside_the_text() -> None:
    context = make_evidence("期限为六年。", title="数据安全", section=("保密",)).context
    assert context.split("\n") == ["数据安全", "保密", "期限为六年。"]


def test_everything_that_fits_is_taken_in_order() -> None:
    chosen = fit(hits_of(["甲。", "乙。", "丙。"]), len, 6, no_cost)
    assert [(e.number, e.text) for e in chosen] == [(1, "甲。"), (2, "乙。"), (3, "丙。")]


def test_the_weakest_leave_first() -> None:
    chosen = fit(hits_of([SENTENCE, SENTENCE + "二", "丙" * 40]), len, 30, no_cost)
    assert [e.hit.rank for e in chosen] == [1, 2]


def test_the_cost_of_a_block_counts() -> None:
    assert len(fit(hits_of(["甲" * 10, "乙" * 10]), len, 29, lambda hit: 5)) == 1
    assert len(fit(hits_of(["甲" * 10, "乙" * 10]), len, 30, lambda hit: 5)) == 2


def test_a_passage_that_does_not_fit_whole_is_cut_at_a_sentence() -> None:
    (chosen,) = fit(hits_of([SENTENCE * 5]), len, len(SENTENCE) * 3 + 5, no_cost)
    assert chosen.text == SENTENCE * 3
    assert chosen.hit.text == SENTENCE * 5


def test_a_later_passage_is_not_cut_to_a_scrap() -> None:
    chosen = fit(hits_of(["甲" * 20, SENTENCE * 5]), len, 20 + len(SENTENCE), no_cost)
    assert [e.hit.rank for e in chosen] == [1]


def test_the_best_passage_is_cut_inside_a_sentence_rather_than_left_out() -> None:
    (chosen,) = fit(hits_of(["甲" * 100]), len, 40, no_cost)
    assert chosen.text
    assert len(chosen.text) <= 40


def test_no_room_no_evidence() -> None:
    assert fit(hits_of([SENTENCE]), len, 0, no_cost) == ()
    assert fit(hits_of([SENTENCE]), len, -5, no_cost) == ()


@pytest.mark.parametrize("prompt_name", ["small", "large"])
@pytest.mark.parametrize("n_ctx", [1024, 2048, 4096])
def test_prompt_and_answer_never_exceed_the_context(n_ctx: int, prompt_name: str) -> None:
    chance = random.Random(n_ctx)
    generator = FakeGenerator("好", context_length=n_ctx)
    prompt = prompting.load(prompt_name, "问")
    settings = Settings(context_budget=16_000, max_tokens=512)
    for count in range(1, 21):
        texts = [SENTENCE * chance.randint(1, 36) + "无标点" * chance.randint(0, 160) for _ in range(count)]
        hits = [
            make_hit(text, row=at, document=f"{'长名' * chance.randint(1, 98)}{at}.pdf")
            for at, text in enumerate(texts)
        ]
        question = "数据如何存储" * chance.randint(1, 8)
        chosen = evidence.for_prompt(question, hits, generator, prompt, settings)
        reserve = evidence.answer_reserve(generator, settings)
        assert reserve == settings.max_tokens
        messages = prompt.messages(question, chosen)
        assert generator.prompt_tokens(messages) + reserve < n_ctx
        assert [e.number for e in chosen] == list(range(1, len(chosen) + 1))
        assert [e.hit for e in chosen] == hits[: len(chosen)]


def test_blocks_that_cost_more_together_than_apart_still_fit() -> None:
    class Costly(FakeGenerator):
        def prompt_tokens(self, messages: Sequence[Message]) -> int:
            return super().prompt_tokens(messages) + 9 * messages[1]["content"].count("｜")

    generator = Costly("好", context_length=2048)
    prompt, settings = prompting.load("small", "问"), Settings(context_budget=16_000)
    sizes = set()
    for length in range(400, 1400):
        hits = hits_of(["甲" * 500, "乙" * length])
        chosen = evidence.for_prompt("数据", hits, generator, prompt, settings)
        tokens = generator.prompt_tokens(prompt.messages("数据", chosen))
        assert tokens + settings.max_tokens < 2048
        sizes.add((len(chosen), tokens + settings.max_tokens))
    assert (2, 2047) in sizes, "what fits exactly is used"
    assert {count for count, _ in sizes} == {1, 2}


def test_a_context_budget_smaller_than_the_context_is_kept() -> None:
    generator = FakeGenerator("好", context_length=4096)
    hits = hits_of([SENTENCE * 20 + str(at) for at in range(10)])
    settings = Settings(context_budget=600)
    chosen = evidence.for_prompt("数据", hits, generator, prompting.load("small", "问"), settings)
    assert sum(len(e.text) for e in chosen) <= 600


def test_an_answer_longer_than_the_context_is_clamped_instead_of_refusing_every_question() -> None:
    generator = FakeGenerator("好", context_length=2048)
    settings = Settings(max_tokens=8192)
    assert evidence.answer_reserve(generator, settings) == 1024
    assert evidence.for_prompt(
        "数据", hits_of([SENTENCE]), generator, prompting.load("small", "问"), settings
    )


def test_a_question_that_leaves_no_room_is_refused_with_the_length_that_would_do() -> None:
    generator = FakeGenerator("好", context_length=4096)
    prompt, settings, hits = prompting.load("large", "问"), Settings(), hits_of([SENTENCE * 30])
    with pytest.raises(QuestionTooLong) as failure:
        evidence.for_prompt("问" * 9000, hits, generator, prompt, settings)
    assert failure.value.params["length"] == 9000
    limit = failure.value.params["limit"]
    assert 1000 < limit < 4096
    assert evidence.for_prompt("问" * limit, hits, generator, prompt, settings)


def test_what_the_hits_leave_of_the_budget_goes_to_the_passages_around_them() -> None:
    generator = FakeGenerator()
    prompt = prompting.load("small", "问")
    found = hits_of(["甲。", "乙。"])
    near = {
        1: [make_hit("甲后。", row=11), found[1]],
        2: [make_hit("甲后。", row=11), make_hit("乙后。", row=12)],
    }
    chosen = evidence.for_prompt("问", found, generator, prompt, Settings(), lambda hit: near[hit.row])
    assert [(e.number, e.text) for e in chosen] == [(1, "甲。"), (2, "乙。"), (3, "甲后。"), (4, "乙后。")]


def test_nothing_around_a_hit_takes_the_place_of_another_hit() -> None:
    generator = FakeGenerator()
    prompt = prompting.load("small", "问")
    found = hits_of([SENTENCE * 9, SENTENCE * 9, SENTENCE * 9])
    asked: list[SearchHit] = []

    def around(hit: SearchHit) -> list[SearchHit]:
        asked.append(hit)
        return [make_hit("旁" * 300, row=10)]

    chosen = evidence.for_prompt("问", found, generator, prompt, Settings(context_budget=300), around)
    assert [e.hit.row for e in chosen] == [1, 2][: len(chosen)]
    assert asked == []
