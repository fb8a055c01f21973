from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.documents import Page, Table
from engine.intake.boxes import pack
from engine.intake.cleaning.clean_text import CleanText
from tests.intake.whole_text import clean

SIZE = (400.0, 600.0)

Line = tuple[str, float, float]
"""Text, y of its top, height of its letters."""


def sheet(number: int, lines: Sequence[Line], *, from_ocr: bool = False, tables: Sequence[str] = ()) -> Page:
    """A page whose lines stand where they say; ``tables`` are texts of the lines that are one table."""
    text = "\n".join(line[0] for line in lines)
    glyphs: list[tuple[float, float, float, float]] = []
    for line, y, height in lines:
        glyphs += [(40 + i * height, y, 40 + (i + 1) * height, y + height) for i in range(len(line))]
        glyphs.append((0, 0, 0, 0))
    found: tuple[Table, ...] = ()
    if tables:
        start = text.index(tables[0])
        found = (Table(start, start + len(tables[0]) + 1, start + len("\n".join(tables))),)
    return Page(
        number, text, size=SIZE, boxes=pack(glyphs[: len(text)], SIZE), from_ocr=from_ocr, tables=found
    )


def body(number: int, *, first: float = 90) -> list[Line]:
    return [
        (f"正文{'甲乙丙丁戊己庚辛壬癸子丑'[number % 12]}的第{row}句话。", first + 20 * row, 11)
        for row in range(20)
    ]


def why(text: CleanText) -> list[tuple[int, str, str]]:
    return [(part.span.page, part.why, part.text) for part in text.dropped]


def test_headers_and_footers_go_and_are_kept_once() -> None:
    pages = [
        sheet(
            n,
            [
                ("星桥科技有限公司员工手册", 30, 9),
                *body(n),
                ("内部资料 注意保密", 560, 9),
                (f"- {n} -", 580, 9),
            ],
        )
        for n in range(1, 7)
    ]
    text = clean(pages, laid_out=True)
    assert text.text.count("员工手册") == text.text.count("注意保密") == 1
    assert text.text.startswith("星桥科技有限公司员工手册\n正文乙的第0句话。")
    assert [n for n, code, _ in why(text) if code == "running_header"] == [2, 3, 4, 5, 6]
    assert sum(code == "running_footer" for _, code, _ in why(text)) == 5
    assert [part for _, code, part in why(text) if code == "page_number"] == [f"- {n} -" for n in range(1, 7)]
    assert all(page.text.count("员工手册") == 1 for page in pages)  # the page itself is untouched


def test_a_header_that_says_what_the_cover_says_is_not_kept() -> None:
    pages = [sheet(1, [("星桥科技员工手册", 250, 20), ("二〇二四年版", 300, 11)])]
    pages += [sheet(n, [("星桥科技员工手册", 30, 9), *body(n)]) for n in range(2, 7)]
    assert clean(pages, laid_out=True).text.count("员工手册") == 1


def test_numbers_that_count_with_the_pages_belong_to_the_header() -> None:
    def header(n: int) -> str:
        return f"{n + 10} 自由文化" if n % 2 else f"导言 {n + 10}"

    pages = [sheet(n, [(header(n), 30, 9), *body(n)]) for n in range(1, 11)]
    text = clean(pages, laid_out=True)
    assert len(why(text)) == 10 - 2
    assert text.text.count("自由文化") == text.text.count("导言") == 1


def test_a_chapter_header_runs_within_its_chapter() -> None:
    pages = []
    for n in range(1, 13):
        chapter = f"第{'一二三'[(n - 1) // 4]}章 {'总则考勤年假'[(n - 1) // 4 * 2 :][:2]}"
        opening = [(chapter, 90, 16)] if n % 4 == 1 else [(chapter, 30, 9)]
        pages.append(sheet(n, [*opening, *body(n, first=120)]))
    text = clean(pages, laid_out=True)
    assert [text.text.count(title) for title in ("第一章 总则", "第二章 考勤", "第三章 年假")] == [1, 1, 1]
    assert len(why(text)) == 9


def test_what_only_looks_like_a_running_line_stays() -> None:
    annexes = [sheet(n, [(f"附件{n}", 40, 11), *body(n)]) for n in range(1, 6)]
    assert not why(clean(annexes, laid_out=True))
    chapters = [sheet(n, [(f"第{'一二三四五'[n - 1]}章", 40, 11), *body(n)]) for n in range(1, 6)]
    assert not why(clean(chapters, laid_out=True))
    close = [sheet(n, [(f"{n}号样品的记录", 70, 11), *body(n)]) for n in range(1, 6)]
    assert not why(clean(close, laid_out=True))
    twice = [sheet(n, [("中期小结", 30, 9) if n in (2, 9) else ("", 30, 9), *body(n)]) for n in range(1, 12)]
    assert not why(clean(twice, laid_out=True))
    middle = [sheet(n, [*body(n), ("签字：", 500, 11)]) for n in range(1, 6)]
    assert not why(clean(middle, laid_out=True))


def test_a_tables_header_that_comes_back_is_no_running_header() -> None:
    pages = []
    for n in range(1, 7):
        rows = ["项目 | 本期金额 | 上期金额", *(f"项目{n}{row} | {row * 7} | {row * 9}" for row in range(9))]
        lines = [("东北电气季度报告", 20, 8), *((row, 50 + 30 * i, 9.0) for i, row in enumerate(rows))]
        pages.append(sheet(n, lines, tables=rows))
    text = clean(pages, laid_out=True)
    assert text.text.count("本期金额") == 6
    assert text.text.count("东北电气") == 1
    assert len(text.tables) == 6
    assert all(text.text[t.start :].startswith("项目 | 本期金额") for t in text.tables)
    assert all(text.text[t.header_end :].startswith("项目") for t in text.tables)


def test_a_short_document_needs_both_pages() -> None:
    both = [sheet(n, [("星桥科技公文", 30, 9), *body(n)]) for n in (1, 2)]
    assert [part[:2] for part in why(clean(both, laid_out=True))] == [(2, "running_header")]
    assert not why(clean(both[:1], laid_out=True))


def test_scanned_headers_may_shift_and_be_misread() -> None:
    names = ["星桥科技有限公司员工手册", "星桥科技有限公司员工手朋", "星桥料技有限公司员工手册"] * 2
    pages = [
        sheet(n, [(name, 30 + n % 3 * 3, 9), *body(n)], from_ocr=True) for n, name in enumerate(names, 1)
    ]
    assert len(why(clean(pages, laid_out=True))) >= 4


def test_stamps_go_also_from_the_end_of_a_line() -> None:
    stamp = "内部资料请勿外传"
    pages = []
    for n in range(1, 6):
        lines = body(n)
        lines[3] = (f"{lines[3][0]} {stamp}", lines[3][1], 11)
        lines[8:8] = [(stamp, 245, 11)]
        lines[15:15] = [(stamp, 385, 11)]
        pages.append(sheet(n, lines))
    text = clean(pages, laid_out=True)
    assert text.text.count(stamp) <= 1
    assert {code for _, code, _ in why(text)} == {"watermark"}
    assert text.text.count("的第3句话。") == 5


def test_labels_of_a_form_are_no_stamps() -> None:
    lines = [("姓名：", 100, 11), ("是否满意", 140, 11), ("是否满意", 180, 11), ("日期：", 300, 11)]
    pages = [sheet(n, [*lines, (f"答案{'甲乙丙丁戊'[n - 1]}", 340, 11)]) for n in range(1, 6)]
    assert not why(clean(pages, laid_out=True))


@pytest.mark.parametrize("pattern", ["第三页", "3 页", "－ 3 －", "３", "[3]", "Page 3", "3 | Page", "3/12"])
def test_more_forms_of_page_numbers(pattern: str) -> None:
    page = sheet(3, [*body(3), (pattern, 575, 9)])
    assert why(clean([page], laid_out=True)) == [(3, "page_number", pattern)]


def test_a_footer_does_not_break_a_sentence_over_the_page() -> None:
    full = "核心工作时间为上午十时至下午四时每月迟到累计超过三次的"
    pages = []
    for n in range(1, 7):
        lines: list[Line] = [(full, 100 + 20 * row, 11) for row in range(20)]
        lines.append(("星桥科技 版权所有", 560, 8))
        pages.append(sheet(n, lines))
    text = clean(pages, laid_out=True)
    assert text.text == full * 120 + "\n星桥科技 版权所有"


def test_a_footer_goes_whatever_the_pages_are_labelled() -> None:
    """Front matter is numbered i, ii; the footer is the same line all the same."""
    labels = ["i", "ii", "1", "2", "3"]
    pages = [
        replace(sheet(n, [*body(n), (f"HT-300 产品手册 {label}", 580, 9)]), label=label)
        for n, label in enumerate(labels, 1)
    ]
    text = clean(pages, laid_out=True)
    assert [(n, code) for n, code, _ in why(text)] == [(n, "running_footer") for n in (2, 3, 4, 5)]
    assert text.text.count("产品手册") == 1


def test_an_attachment_that_has_the_number_of_its_page_stays() -> None:
    pages = [replace(sheet(n, [(f"附件 {n}", 30, 11), *body(n)]), label=str(n)) for n in range(1, 7)]
    assert why(clean(pages, laid_out=True)) == []
