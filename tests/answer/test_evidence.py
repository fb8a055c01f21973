"""Numbered blocks inside a budget: weakest out first, cuts at sentences, and names for places."""

import random
from collections.abc import Sequence

import pytest

from engine.answer import budget, evidence, prompting
from engine.answer.evidence import Evidence, place
from engine.answer.grounding.citations import cite
from engine.answer.prompting import Message
from engine.answer.trimming import Trimmed
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import QuestionTooLong
from tests.builders import make_evidence, make_hit, pages_of
from tests.fakes import FakeGenerator

SENTENCE = "核心数据须加密存储并登记。"


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
    assert place(make_hit("文", **facts), "zh") == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"document": "plan.pdf", "page": 3, "label": "iii"}, "plan.pdf｜page 3 (page label iii)"),
        ({"document": "plan.docx", "kind": "word"}, "plan.docx｜body text"),
    ],
)
def test_an_english_question_reads_places_in_english(facts: dict[str, object], expected: str) -> None:
    prompt = prompting.load("large", "Which plan is it?")
    assert expected in prompt.messages("Which?", [make_evidence("text", **facts)])[1]["content"]


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
        assert reserve == min(settings.max_tokens, n_ctx // 2)
        messages = prompt.messages(question, chosen)
        assert generator.prompt_tokens(messages) + reserve < n_ctx
        assert [e.number for e in chosen] == list(range(1, len(chosen) + 1))
        assert [e.hit.row for e in chosen] == sorted({e.hit.row for e in chosen})


def test_blocks_that_cost_more_together_than_apart_still_fit() -> None:
    class Costly(FakeGenerator):
        def prompt_tokens(self, messages: Sequence[Message]) -> int:
            return super().prompt_tokens(messages) + 9 * messages[1]["content"].count("｜")

    generator = Costly("好", context_length=2048)
    prompt, settings = prompting.load("small", "问"), Settings(context_budget=16_000, max_tokens=512)
    sizes = set()
    for length in range(400, 1400, 7):
        hits = hits_of(["甲" * 500, "乙" * length])
        chosen = evidence.for_prompt("数据", hits, generator, prompt, settings)
        tokens = generator.prompt_tokens(prompt.messages("数据", chosen))
        assert tokens + settings.max_tokens < 2048
        sizes.add((len(chosen), tokens + settings.max_tokens))
    assert max(size for _, size in sizes) > 2048 - 32, "what fits is used"


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
    found = hits_of([SENTENCE * 5, SENTENCE * 5, SENTENCE * 5])

    def around(hit: SearchHit) -> list[SearchHit]:
        return [make_hit("旁边的话。" * 60, row=10)]

    chosen = evidence.for_prompt("问", found, generator, prompt, Settings(context_budget=250), around)
    assert {e.hit.row for e in chosen} <= {1, 2, 3}


def test_the_weakest_block_disappears_and_its_number_with_it() -> None:
    generator, prompt = FakeGenerator(), prompting.load("small", "问")
    hits = hits_of(["天气晴。", "核心数据须加密存储。", "食堂供应早餐。"])
    settings = Settings(context_budget=200)
    long = [make_hit(hit.text * 12, row=hit.row) for hit in hits]
    chosen = evidence.for_prompt("核心数据如何存储", long, generator, prompt, settings)
    assert 2 in {e.hit.row for e in chosen}
    assert 3 not in {e.hit.row for e in chosen}
    assert [e.number for e in chosen] == list(range(1, len(chosen) + 1))


@pytest.mark.parametrize(
    ("speed", "fixed", "expected"),
    [
        (None, 150, budget.UNKNOWN), (45.0, 140, 300), (60.0, 140, 450), (73.0, 140, 550),
        (5.0, 140, budget.LEAST), (900.0, 140, budget.MOST), (60.0, 5000, budget.LEAST),
    ],
)  # fmt: skip
def test_the_default_budget_is_what_is_read_in_ten_seconds(
    speed: float | None, fixed: int, expected: int
) -> None:
    class Measured(FakeGenerator):
        prompt_speed = speed

    assert budget.default(Measured("好"), fixed) == expected


def test_a_generator_that_knows_no_speed_gets_the_usual_budget() -> None:
    assert budget.default(FakeGenerator("好"), 100) == budget.UNKNOWN


def test_a_slow_machine_gets_less_evidence_and_a_named_budget_wins() -> None:
    class Slow(FakeGenerator):
        prompt_speed = 10.0

    prompt, hits = prompting.load("small", "问"), hits_of([SENTENCE * 20 + str(at) for at in range(9)])
    few = evidence.for_prompt("数据", hits, Slow("好"), prompt, Settings())
    assert sum(len(e.text) for e in few) <= budget.LEAST
    many = evidence.for_prompt("数据", hits, Slow("好"), prompt, Settings(context_budget=900))
    assert 600 < sum(len(e.text) for e in many) <= 900


TEXT = "第一句。第二句说存储。第三句。\n第四行\n再说一句。\n第五句说加密。"


def test_spans_of_a_trimmed_text_are_spans_of_the_passage() -> None:
    kept = ((4, 11), (16, 19), (26, 33))
    trimmed = Evidence.of(1, Trimmed(make_hit(TEXT), kept))
    assert trimmed.text == "第二句说存储。\n…\n第四行\n…\n第五句说加密。".replace("行\n…\n", "行\n…\n")
    for start in range(len(trimmed.text)):
        for end in range(start + 1, len(trimmed.text) + 1):
            begin, finish = trimmed.in_hit(start, end)
            piece = trimmed.text[start:end]
            if trimmed.is_whole(start, end) and "…" not in piece:
                assert TEXT[begin:finish] == piece
    at = trimmed.text.index("第五句")
    assert TEXT[slice(*trimmed.in_hit(at, at + 3))] == "第五句"
    assert not trimmed.is_whole(0, len(trimmed.text))


def test_a_quote_from_behind_a_gap_lies_where_it_stands_on_the_page() -> None:
    text = "访客须登记。" * 4 + "保密期限为六年。" + "车辆须停放。" * 4 + "到期自动解密并归档。"
    start, last = text.index("保密期限"), text.index("到期自动")
    hit = make_hit(text)
    trimmed = Evidence.of(1, Trimmed(hit, ((0, 6), (start, start + 8), (last, len(text)))))
    for statement in ("保密期限为六年", "到期自动解密并归档"):
        cited = cite(1, statement, trimmed, pages_of)
        (span,) = cited.spans
        assert text[span.start : span.end] == cited.quote == statement + "。"


def test_a_quote_never_joins_sentences_over_a_gap() -> None:
    text = "甲公司成立于一九九八年。" + "天气很好。" * 3 + "甲公司总部设在杭州市。"
    last = text.index("甲公司总部")
    trimmed = Evidence.of(1, Trimmed(make_hit(text), ((0, 12), (last, len(text)))))
    cited = cite(1, "甲公司成立于一九九八年，总部设在杭州市", trimmed, pages_of)
    assert "天气" not in cited.quote


def test_the_question_that_is_sent_is_counted_and_the_wording_that_found_the_hits_chooses() -> None:
    generator = FakeGenerator("好", context_length=1024)
    prompt, settings = prompting.load("small", "问"), Settings(max_tokens=128, context_budget=16_000)
    hits = [make_hit("食堂供应早餐。" * 60 + SENTENCE + "食堂供应晚餐。" * 60)]
    question = "请问" * 200
    (chosen,) = evidence.for_prompt(question, hits, generator, prompt, settings, wording="核心数据如何存储")
    assert SENTENCE in chosen.text
    assert generator.prompt_tokens(prompt.messages(question, [chosen])) + 128 < 1024
