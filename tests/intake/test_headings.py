import pytest

from engine.documents import Page, Table
from engine.intake.chunking.headings import recognise
from tests.intake.whole_text import clean


def found(text: str) -> list[tuple[int, str]]:
    return [(h.level, h.text) for h in recognise(clean([Page(1, text)], laid_out=False))]


def test_chapters_sections_and_clauses_by_their_form() -> None:
    text = (
        "第一章　总则\n为了规范管理，制定本办法。\n第一节 适用\n适用于全体员工。\n第二章 考勤\n一、工作时间\n"
        "实行弹性工作制。\n（一）核心时间\n上午十时至下午四时。\n1.1 例外\n另有规定的除外。"
    )
    assert found(text) == [
        (2, "第一章 总则"),
        (3, "第一节 适用"),
        (2, "第二章 考勤"),
        (4, "一、工作时间"),
        (5, "（一）核心时间"),
        (6, "1.1 例外"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "第一章规定的事项由总部负责\n后文。",
        "第三节课讲的是电路\n后文。",
        "一、保密期限为十年。\n后文。",
        "一、苹果\n二、梨\n三、桃\n后文。",
        "第一章 总则 ........ 1\n第二章 考勤 ........ 5\n正文。",
        "第一章 总则\t3\n正文。",
        "第一章 总则\n第二章 考勤\n",
        "四、利润总额（亏损以\n“－”号填列） | 3",
        "一、营业收入\n其中：主营 | 3 | 4",
        "3.5 公斤的箱子\n正文。",
        "2.7 版本说明\n正文。",
        "第一条 为了规范管理，制定本办法。\n第二条 适用于全体员工。",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert not found(text)


def test_a_contents_page_gives_none_but_the_chapters_do() -> None:
    assert found("目录\n第一章 总则\n第二章 考勤\n第一章 总则\n正文。\n第二章 考勤\n正文。") == [
        (2, "第一章 总则"),
        (2, "第二章 考勤"),
    ]


def test_a_novel_without_blanks_and_an_english_book() -> None:
    assert found("第十二回林黛玉进府\n话说那日。\n第一百二十回\n且说。") == [
        (2, "第十二回林黛玉进府"),
        (2, "第一百二十回"),
    ]
    assert found("CHAPTER IV\nIt was dark.\nChapter 5: The End\nIt ended.") == [
        (2, "CHAPTER IV"),
        (2, "Chapter 5: The End"),
    ]


def test_rows_of_tables_are_no_headings() -> None:
    text = "表\n一、营业收入\n100\n正文"
    start = text.index("一")
    page = Page(1, text, tables=(Table(start, start, text.index("正文")),))
    assert not recognise(clean([page], laid_out=False))
