"""Markdown, web pages, Word and tables in the reader, set from what is stored of them; nothing is loaded."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument, QTextTable
from PySide6.QtWidgets import QToolButton

from desktop.reader.grid_model import column_letters
from desktop.reader.grid_page import GridPage
from desktop.reader.rich_page import RichPage
from desktop.reader.stored_text import whole_parts
from desktop.reader.text_page import TextPage
from desktop.reader.text_part import TextPart
from engine.documents import Heading, Page
from engine.events import MarkedPage, PassageLocated
from tests.desktop import reading, sample_content

TEXT = """差旅办法

住宿标准如下😀：

城市 | 标准
一线 | 550 元
其他 | 400 元

- 凭发票
  - 电子的也行
超出部分自理。
"""


@pytest.fixture
def rich(qtbot) -> RichPage:
    made = RichPage()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


@pytest.fixture
def grid(qtbot) -> GridPage:
    made = GridPage()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def span(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


def tables(page: RichPage) -> list[QTextTable]:
    frames = page.document().rootFrame().childFrames()
    return [frame for frame in frames if isinstance(frame, QTextTable)]


def test_headings_and_tables_are_set_as_such(rich):
    rich.show_parts([TextPart(TEXT, headings=(Heading(0, 1, "差旅办法"),))])
    first = rich.document().firstBlock()
    body = rich.document().findBlockByNumber(1)
    size = [block.begin().fragment().charFormat().fontPointSize() for block in (first, body)]
    assert first.text() == "差旅办法" and size[0] > 1.2 * size[1]
    (table,) = tables(rich)
    cells = [[table.cellAt(r, c).firstCursorPosition().block().text() for c in range(2)] for r in range(3)]
    assert cells == [["城市", "标准"], ["一线", "550 元"], ["其他", "400 元"]]


@pytest.mark.parametrize("words", ["差旅办法", "如下😀：", "550 元", "其他", "电子的也行", "自理。"])
def test_marks_fall_on_the_same_words(rich, words):
    rich.show_parts([TextPart("前面的😀一页"), TextPart(TEXT, (span(TEXT, words),), "第二页")])
    assert rich.marked_texts() == [words]


def test_the_sentence_is_marked_within_its_passage(rich):
    sentence, passage = span(TEXT, "凭发票"), (TEXT.index("其他"), len(TEXT))
    rich.show_parts([TextPart(TEXT, (sentence,), passage=(passage,))])
    *soft, strong = rich.extraSelections()
    texts = [each.cursor.selectedText() for each in soft]
    assert texts == ["其他", "400 元", "- 凭发票", "  - 电子的也行", "超出部分自理。"]
    assert soft[0].format.background() != strong.format.background()
    assert strong.format.fontUnderline() and strong.cursor.selectedText() == "凭发票"


def test_the_mark_is_scrolled_to(qtbot, rich):
    text = "行\n" * 400 + "这里\n" + "行\n" * 400
    rich.show_parts([TextPart(text, (span(text, "这里"),))])
    qtbot.wait(20)
    assert 0 < rich.cursorRect().top() < rich.viewport().height()


def test_nothing_is_markup_and_nothing_is_loaded(rich):
    text = "<b>粗</b> <img src='file:///etc/hostname'> ![图](http://例.com/x.png) <script>alert(1)</script>"
    rich.show_parts([TextPart(text)])
    assert rich.toPlainText().strip() == text
    for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.HtmlResource):
        for name in ("file:///etc/hostname", "http://127.0.0.1/x.png", "data:text/plain,x"):
            assert rich.loadResource(kind.value, QUrl(name)) is None
    assert not rich.openLinks()


def test_a_long_table_is_set_as_lines(rich):
    text = "\n".join(f"{n} | 值" for n in range(1000))
    rich.show_parts([TextPart(text, (span(text, "999 | 值"),))])
    assert tables(rich) == [] and rich.marked_texts() == ["999 | 值"]


SHEET = TextPart(
    "编号 | 品名 | 单价\n1 | 三脚架 | 95\n2 | 激光 | 460",
    spans=((24, 29),),
    passage=((0, 33),),
    location={"sheet": "价格", "rows": [4, 6]},
)


def test_rows_of_a_sheet_are_a_table_with_its_numbers(grid):
    grid.show_parts([SHEET])
    model = grid.rows
    assert (model.rowCount(), model.columnCount()) == (3, 3)
    assert [model.headerData(n, Qt.Orientation.Vertical) for n in range(3)] == ["4", "5", "6"]
    assert [model.headerData(n, Qt.Orientation.Horizontal) for n in range(3)] == ["A", "B", "C"]
    assert model.index(1, 1).data() == "三脚架"
    assert not grid.tabs.isVisible()


def test_the_cited_cells_stand_out_in_the_passage(grid):
    words = SHEET.text
    part = TextPart(words, (span(words, "激光 | 460"),), "", ((0, len(words)),), (), SHEET.location)
    grid.show_parts([part])
    assert grid.marked_texts() == ["激光", "460"]
    shades = {grid.rows.index(r, 1).data(Qt.ItemDataRole.BackgroundRole).name() for r in (1, 2)}
    assert len(shades) == 2
    assert grid.rows.index(2, 1).data(Qt.ItemDataRole.FontRole).underline()


def test_tabs_choose_the_sheet_and_the_marked_one_is_shown(grid):
    other = TextPart("甲 | 乙", location={"sheet": "说明", "rows": [1, 1]})
    grid.show_parts([other, SHEET])
    assert grid.tabs.isVisible() and grid.tabs.currentIndex() == 1
    grid.tabs.setCurrentIndex(0)
    assert grid.rows.index(0, 1).data() == "乙"
    grid.go_to(1, SHEET.text.index("460"))
    assert grid.tabs.currentIndex() == 1 and grid.table.currentIndex().row() == 2


def test_a_header_that_is_repeated_in_a_passage_is_not_where_it_begins(grid):
    text = "\n".join(f"{n} | 值{n}" for n in range(50))
    grid.show_parts([TextPart(text, ((0, 5), span(text, "30 | 值30\n31 | 值31")))])
    assert grid.table.currentIndex().row() == 30


def test_rows_with_gaps_have_no_numbers(grid):
    grid.show_parts([TextPart("甲 | 乙\n丙 | 丁", location={"sheet": "表", "rows": [1, 9]})])
    assert grid.rows.headerData(0, Qt.Orientation.Vertical) == ""


def test_cells_are_copied_as_spreadsheets_take_them(qtbot, grid):
    grid.show_parts([SHEET])
    grid.table.selectAll()
    grid.table.setFocus()
    qtbot.keyClick(grid.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "编号\t品名\t单价\n1\t三脚架\t95\n2\t激光\t460"


def test_columns_are_named_as_in_spreadsheets():
    assert [column_letters(n) for n in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]


def test_the_whole_document_comes_around_the_passage(qtbot, opened):
    """The passage is there at once; pages before and after it, and the outline, follow."""
    stored = (
        Page(1, "封面\n欢迎", location={"slide": 1}, headings=(Heading(0, 1, "封面"),)),
        Page(2, "要点\n增长两成", location={"slide": 2}, headings=(Heading(0, 1, "要点"),)),
    )
    page = MarkedPage(2, None, stored[1].text, ((3, 7),))
    reading.located(opened.engine, None, (page,), kind="slides", stored=stored)
    opened.controller.reader.open_source(sample_content.hit(1, kind="slides"))
    panel = opened.window.reader_panel
    qtbot.waitUntil(lambda: "封面" in panel.rich_page.toPlainText())
    assert panel.rich_page.marked_texts() == ["增长两成"]
    assert "幻灯片 2" in panel.rich_page.toPlainText()
    qtbot.mouseClick(opened.child(QToolButton, "showOutline"), Qt.MouseButton.LeftButton)
    outline = panel.outline
    outline.clicked.emit(outline.model().index(1, 0))
    assert panel.rich_page.textCursor().block().text() == "要点"


def test_of_a_very_long_document_the_pages_around_the_passage_are_shown():
    pages = tuple(Page(number, "字" * 10_000) for number in range(1, 101))
    found = PassageLocated(1, "库", "长.pdf", None, "pdf", "", (MarkedPage(50, None, "字", ((0, 1),)),))
    parts, _ = whole_parts(found, pages)
    assert 50 <= len(parts) <= 52
    assert [bool(part.spans) for part in parts].index(True) in (25, 26)


def test_plain_text_takes_both_tones_too(qtbot):
    page = TextPage()
    qtbot.addWidget(page)
    page.show_parts([TextPart("前。中。后。", ((2, 4),), passage=((0, 6),))])
    assert [each.cursor.selectedText() for each in page.extraSelections()] == ["前。中。后。", "中。"]
    assert page.marked_texts() == ["中。"]
