"""From a statement to its quote, and from the quote to its place on the page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answer.evidence import Evidence
from engine.answer.grounding import citations
from engine.documents import Page, PageSpan
from tests.builders import make_evidence, make_hit, pages_of
from tests.intake.whole_text import clean


def located(chunk: str, page_texts: dict[int, str], quote: str, at: int = 0) -> list[str]:
    """What stands on the pages where ``locate`` puts the quote (its ``at``-th occurrence)."""
    pages = {number: Page(number, text) for number, text in page_texts.items()}
    spans = [PageSpan(number, 0, len(text)) for number, text in page_texts.items()]
    start = -1
    for _ in range(at + 1):
        start = chunk.index(quote, start + 1)
    found = citations.locate(chunk, spans, pages, start, start + len(quote))
    return [page_texts[span.page][span.start : span.end] for span in found]


def quoted(statement: str, evidence: Evidence) -> str:
    start, end = citations.quote(statement, evidence)
    return evidence.text[start:end]


def test_the_quote_is_the_sentence_that_says_most_of_the_statement() -> None:
    evidence = make_evidence("本办法适用于全体员工。报销单须在10个工作日内提交。逾期不予受理。")
    assert quoted("报销单10个工作日内提交", evidence) == "报销单须在10个工作日内提交。"


def test_two_neighbours_are_quoted_when_the_statement_needs_both() -> None:
    evidence = make_evidence("本办法自发布起施行。住宿费限额为550元。餐费限额为80元。其他另行规定。")
    assert quoted("住宿费限额为550元，餐费限额为80元", evidence) == "住宿费限额为550元。餐费限额为80元。"


def test_a_heading_is_no_quote() -> None:
    evidence = make_evidence("报销单提交\n报销单提交须在10日内。", section=("报销单提交",))
    assert quoted("报销单提交", evidence) == "报销单提交须在10日内。"


def test_a_footer_with_the_products_name_is_no_quote() -> None:
    text = "HT-300 系列激光测距仪 1\n防护等级 | IP65\n工作温度 | -20 ℃ 至 50 ℃"
    evidence = make_evidence(text, title="HT-300 系列激光测距仪产品手册")
    assert quoted("HT-300 系列激光测距仪的防护等级均为 IP65。", evidence) == "防护等级 | IP65"


def test_the_sentence_with_the_statements_number_is_quoted() -> None:
    evidence = make_evidence("提交时限由部门规定。材料由本人准备。财务部规定为10个工作日。")
    assert quoted("部门规定的提交时限为10个工作日。", evidence) == "财务部规定为10个工作日。"


def test_what_the_model_was_not_shown_is_not_quoted() -> None:
    hit = make_hit("本办法适用于全体员工。报销单须在10日内提交。")
    evidence = Evidence(1, hit, "本办法适用于全体员工。")
    assert quoted("报销单须在10日内提交", evidence) == "本办法适用于全体员工。"


def test_a_passage_without_sentences_is_quoted_whole() -> None:
    assert citations.quote("甲", make_evidence("   ")) == (0, 3)


@pytest.mark.parametrize(
    ("page", "chunk", "quote", "expected"),
    [
        (
            "不得擅自复制、导出\n核心数据。",
            "不得擅自复制、导出核心数据。",
            "复制、导出核心数据",
            "复制、导出\n核心数据",
        ),
        (
            "covers recharge-\nable batteries",
            "covers rechargeable batteries",
            "rechargeable",
            "recharge-\nable",
        ),
        ("the warranty\ncovers all", "the warranty covers all", "warranty covers", "warranty\ncovers"),
        ("核 心 数 据 加密", "核心数据加密", "心数据", "心 数 据"),
        ("保密\u200b期\u00ad限为六年", "保密期限为六年", "期限", "期\u00ad限"),
        ("保密\u2060期限\ufeff为六年", "保密期限为六年", "限为六", "限\ufeff为六"),
        ("第一段。   \n\n\n第二段。", "第一段。\n\n第二段。", "第二段。", "第二段。"),
    ],
)
def test_a_quote_is_found_through_what_cleaning_changed(
    page: str, chunk: str, quote: str, expected: str
) -> None:
    assert located(chunk, {1: page}, quote) == [expected]


def test_a_phrase_that_occurs_twice_is_marked_where_it_was_quoted() -> None:
    text = "期限为六年。其他期限为六年。"
    pages = {1: Page(1, text)}
    spans = [PageSpan(1, 0, len(text))]
    first = citations.locate(text, spans, pages, 0, 6)
    second = citations.locate(text, spans, pages, 8, 14)
    assert first == (PageSpan(1, 0, 6),)
    assert second == (PageSpan(1, 8, 14),)


def test_a_quote_over_a_page_break_has_a_span_on_each_page() -> None:
    assert located("数据须加密存储。", {3: "数据须加\n", 4: "密存储。"}, "加密存储") == ["加", "密存储"]


def test_a_page_that_differs_otherwise_gives_the_whole_passage() -> None:
    spans = [PageSpan(1, 2, 6)]
    found = citations.locate("甲乙丙丁", spans, {1: Page(1, "——甲乙戊丁——")}, 0, 4)
    assert found == tuple(spans)


def test_a_missing_page_gives_the_whole_passage() -> None:
    spans = [PageSpan(9, 0, 4)]
    assert citations.locate("甲乙丙丁", spans, {}, 0, 2) == tuple(spans)


@settings(deadline=None)
@given(
    st.lists(st.text(alphabet="甲乙丙 -\u200b\u00ad\nab。", min_size=1, max_size=24), min_size=1, max_size=3),
    st.data(),
)
def test_every_quote_of_cleaned_text_is_located_exactly(texts: list[str], data: st.DataObject) -> None:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    cleaned = clean(pages, laid_out=False)
    if not cleaned.text.strip():
        return
    start = data.draw(st.integers(0, len(cleaned.text) - 1))
    end = data.draw(st.integers(start + 1, len(cleaned.text)))
    spans = cleaned.spans(0, len(cleaned.text))
    found = citations.locate(cleaned.text, spans, {page.number: page for page in pages}, start, end)
    shown = "".join(texts[span.page - 1][span.start : span.end] for span in found)

    def letters(text: str) -> str:
        return "".join(c for c in text if c in "甲乙丙ab。")

    wanted = letters(cleaned.text[start:end])
    if wanted:
        assert letters(shown) == wanted


def test_a_citation_names_the_page_that_holds_its_quote() -> None:
    first, second = "第三页上写着适用范围。", "第四页上写着保密期限为六年。"
    hit = make_hit(
        first + second,
        page=3,
        label="1",
        spans=(PageSpan(3, 0, len(first)), PageSpan(4, 0, len(second))),
    )
    pages = {3: Page(3, first, "1"), 4: Page(4, second, "2")}
    evidence = Evidence(1, hit, hit.text)
    late = citations.cite(1, "保密期限为六年", evidence, lambda _: pages)
    early = citations.cite(2, "适用范围", evidence, lambda _: pages)
    assert (late.page, late.label, late.spans) == (4, "2", (PageSpan(4, 0, len(second)),))
    assert (early.page, early.label, early.spans) == (3, "1", (PageSpan(3, 0, len(first)),))


def test_a_citation_carries_quote_excerpt_and_place() -> None:
    text = "总则。" + "报销单须在\n10个工作日内提交。" + "其他规定。" * 30
    evidence = make_evidence(text, section=("报销",), row=5)
    citation = citations.cite(3, "报销单10个工作日内提交", evidence, pages_of)
    assert citation.number == 3
    assert citation.excerpt == " ".join(text.split())[:80]
    assert "\n" not in citation.quote
    assert (citation.chunk, citation.row, citation.section) == (evidence.hit.chunk, 5, ("报销",))
