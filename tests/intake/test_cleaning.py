from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.documents import Heading, Page
from engine.intake.cleaning.clean_text import CleanText
from engine.intake.loaders import load
from tests.intake.whole_text import clean


def page(text: str, number: int = 1, label: str | None = None, headings: tuple[Heading, ...] = ()) -> Page:
    return Page(number, text, label, headings=headings)


def check_places(pages: list[Page], text: CleanText) -> None:
    """Every character of the clean text is the character of the page that its span names."""
    by_number = {page.number: page.text for page in pages}
    for at, char in enumerate(text.text):
        spans = text.spans(at, at + 1)
        if not spans:
            assert char in "\n "  # what joins pages and lines
            continue
        (span,) = spans
        assert span.end == span.start + 1
        shown = by_number[span.page][span.start : span.end]
        assert shown == char or (char in "\n " and shown in "\n ")


def test_blanks_at_line_ends_and_runs_of_blank_lines_shrink() -> None:
    pages = [page("\n\n  第一行  \n\n\n\n\t\n第二行\u200b \n    缩进\n\n")]
    text = clean(pages, laid_out=False)
    assert text.text == "  第一行\n\n第二行\n    缩进"
    check_places(pages, text)


def test_pages_are_joined_and_spans_lead_back() -> None:
    pages = [page("第一页的文字", 1), page("", 2), page("第三页的文字", 3)]
    text = clean(pages, laid_out=False)
    assert text.text == "第一页的文字\n\n第三页的文字"
    spans = text.spans(2, len(text.text) - 1)
    assert [(s.page, s.start, s.end) for s in spans] == [(1, 2, 6), (3, 0, 5)]
    check_places(pages, text)


def test_headings_keep_their_place() -> None:
    source = "\n\n前言 \n\n\n总则\n正文"
    text = clean([page(source, headings=(Heading(source.index("总"), 2, "总则"),))], laid_out=False)
    (heading,) = text.headings
    assert text.text[heading.offset :] == "总则\n正文"


def test_page_numbers_go_and_numbers_stay() -> None:
    lines = ["- {} -", "第 {} 页", "Page {} of 10", "页 {} / 10", "{}/10", "第{}页 共10页", "{}"]
    for pattern in lines:
        pages = [page(f"正文{n}\n2024\n{pattern.format(n)}", n) for n in (1, 2, 3)]
        text = clean(pages, laid_out=True)
        assert text.text == "正文1\n2024\n\n正文2\n2024\n\n正文3\n2024", pattern
        assert [(d.span.page, d.why) for d in text.dropped] == [(n, "page_number") for n in (1, 2, 3)]
        assert text.dropped[0].text == pattern.format(1)


def test_labels_count_as_page_numbers_and_years_do_not() -> None:
    pages = [page("封面\n2024", 1, "i"), page("ii\n目录", 2, "ii"), page("前言\n第三方评估", 3)]
    assert clean(pages, laid_out=True).text == "封面\n2024\n\n目录\n\n前言\n第三方评估"


def test_other_formats_have_no_page_numbers() -> None:
    assert clean([page("正文\n第 1 页")], laid_out=False).text == "正文\n第 1 页"


def test_unusable_pages_are_left_out_by_name() -> None:
    text = clean([page("好的", 1), page("\ufffd\ufffd", 2)], laid_out=True, unusable=(2,))
    assert text.text == "好的"
    assert [(d.span.page, d.why) for d in text.dropped] == [(2, "unusable_text")]


def written(
    make_pdf: Callable[..., Any], path: Path, *pages: list[tuple[float, str]], leading: float = 20
) -> list[Page]:
    document = make_pdf()
    for lines in pages:
        sheet = document.new_page(width=400, height=500)
        for row, (x, text) in enumerate(lines):
            sheet.insert_text((x, 60 + leading * row), text, fontname="china-s", fontsize=12)
    document.save(path)
    return [item for item in load(path) if isinstance(item, Page)]


@pytest.mark.parametrize("leading", [16, 20, 32])
def test_wrapped_lines_are_joined_and_paragraphs_are_not(
    make_pdf: Callable[..., Any], tmp_path: Path, leading: float
) -> None:
    pages = written(
        make_pdf,
        tmp_path / "段.pdf",
        [
            (40, "第一章 总则"),
            (64, "本手册适用于星桥科技有限公司全体正式员工自二"),
            (40, "零二三年起施行由人力资源部负责解释本办法各项条"),
            (40, "款。"),
            (64, "另起一段的文字说明了其他事项并且写到行末为止共"),
            (40, "三行："),
            (40, "一、第一项"),
            (40, "二、第二项"),
        ],
        leading=leading,
    )
    text = clean(pages, laid_out=True)
    assert text.text == (
        "第一章 总则\n本手册适用于星桥科技有限公司全体正式员工"
        "自二零二三年起施行由人力资源部负责解释本办法各项条款。\n"
        "另起一段的文字说明了其他事项并且写到行末为止共三行：\n一、第一项\n二、第二项"
    )
    check_places(pages, text)


def test_latin_words_are_joined_with_a_blank_and_hyphens_go(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    sheet = document.new_page(width=300, height=300)
    wrapped = [
        "The quick brown fox jumps over the",
        "lazy dog and then walks to the sta-",
        "tion to take a train.",
    ]
    for row, line in enumerate(wrapped):
        sheet.insert_text((40, 60 + 15 * row), line, fontsize=12)
    document.save(tmp_path / "en.pdf")
    pages = [item for item in load(tmp_path / "en.pdf") if isinstance(item, Page)]
    text = clean(pages, laid_out=True)
    assert text.text == " ".join(wrapped).replace("sta- tion", "station")
    check_places(pages, text)


def test_a_sentence_over_a_page_break_is_whole(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    pages = written(
        make_pdf,
        tmp_path / "跨页.pdf",
        [(40, "核心工作时间为上午十时至下午四时每月迟到累计超过"), (200, "1")],
        [(40, "三次的扣发当月全勤奖二百元。"), (40, "后文。"), (200, "2")],
    )
    text = clean(pages, laid_out=True)
    assert text.text.startswith(
        "核心工作时间为上午十时至下午四时每月迟到累计超过三次的扣发当月全勤奖二百元。\n后文。"
    )
    check_places(pages, text)


@given(st.lists(st.text(alphabet="一二 a-\n\t1。\u200b页第", max_size=60), max_size=5), st.booleans())
def test_places_hold_for_any_text(texts: list[str], laid_out: bool) -> None:
    pages = [page(text, number) for number, text in enumerate(texts, 1)]
    text = clean(pages, laid_out=laid_out)
    check_places(pages, text)
    assert not text.text or text.text.strip()
    everything = text.spans(0, len(text.text))
    assert [span.page for span in everything] == sorted(span.page for span in everything)
