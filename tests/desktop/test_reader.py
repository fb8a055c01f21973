"""The right panel: pages marked where the engine says, and the stored text when there is no page."""

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from desktop.design_tokens import PAPER_MARK
from desktop.reader.page_layout import GAP, MARGIN, PageLayout
from desktop.reader.pdf_pages import PdfPages
from desktop.reader.positions import Positions, shown_text
from desktop.reader.text_page import TextPage
from desktop.reader.text_part import TextPart
from engine.commands import LocatePassage
from engine.events import MarkedPage, PassageLocated, TaskFailed
from tests.desktop import sample_content

NAMES = ["制度#3 (终稿)100%.pdf", "a b?c.pdf", "50%20.pdf", "[1].pdf", "尾随空格 /文件.pdf"]


def blank_pdf(path: Path, *, rotation: int = 0, crop: tuple | None = None, pages: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    document = pymupdf.open()
    for _ in range(pages):
        page = document.new_page(width=400, height=600)
        if crop:
            page.set_cropbox(pymupdf.Rect(*crop))
        page.set_rotation(rotation)
    document.save(path)
    document.close()
    return path


@pytest.fixture
def pages(qtbot) -> PdfPages:
    made = PdfPages()
    qtbot.addWidget(made)
    made.resize(500, 700)
    made.show()
    return made


def is_marked(image, x: float, y: float) -> bool:
    """Yellow: the blue of the paper is gone."""
    colour = image.pixelColor(round(x * image.devicePixelRatio()), round(y * image.devicePixelRatio()))
    return colour.red() > 200 and colour.blue() < 160


@pytest.mark.parametrize(
    ("rotation", "crop", "size"),
    [
        (0, None, (400, 600)),
        (90, None, (600, 400)),
        (270, None, (600, 400)),
        (0, (50, 100, 350, 500), (300, 400)),
        (90, (50, 100, 350, 500), (400, 300)),
    ],
)
def test_marks_lie_on_the_pixels_of_their_points(qtbot, pages, tmp_path, rotation, crop, size):
    assert pages.open(blank_pdf(tmp_path / "页.pdf", rotation=rotation, crop=crop))
    measured = pages.document.pagePointSize(1)
    assert (measured.width(), measured.height()) == pytest.approx(size, abs=1)
    rect = (60.0, 80.0, 160.0, 110.0)
    pages.show_marks({1: (rect,)}, 1)
    qtbot.wait(50)
    drawn = pages.mark_rects(1)[0]
    scale = pages.zoom * 96 / 72
    assert drawn.width() == pytest.approx(100 * scale)
    image = pages.viewport().grab().toImage()
    for x, y in ((0.1, 0.1), (0.9, 0.9), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1)):
        assert is_marked(image, drawn.x() + x * drawn.width(), drawn.y() + y * drawn.height())
    around = QRectF(drawn).adjusted(-6, -6, 6, 6)
    for x, y in ((around.left(), drawn.center().y()), (around.right(), drawn.center().y())):
        assert not is_marked(image, x, y)
    for x, y in ((drawn.center().x(), around.top()), (drawn.center().x(), around.bottom())):
        assert not is_marked(image, x, y)


def test_the_mark_lies_on_the_text_it_names(qtbot, pages, tmp_path):
    """Where PyMuPDF says the glyphs are, QtPdf has painted them: dark pixels inside, none just outside."""
    path = tmp_path / "字.pdf"
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    page.insert_text((120, 200), "MMMMMM", fontsize=24)
    page.set_rotation(90)
    box = pymupdf.Rect(page.search_for("MMMMMM")[0]) * page.rotation_matrix
    document.save(path)
    document.close()
    pages.open(path)
    pages.show_marks({0: (tuple(box.normalize()),)}, 0)
    drawn = pages.mark_rects(0)[0]

    def dark(area: QRectF) -> int:
        image = pages.viewport().grab().toImage()
        return sum(
            image.pixelColor(x, y).lightness() < 60
            for x in range(int(area.left()), int(area.right()))
            for y in range(int(area.top()), int(area.bottom()))
        )

    qtbot.waitUntil(lambda: dark(drawn) > 50)
    assert dark(drawn.translated(drawn.width() + 4, 0)) == 0
    assert dark(drawn.translated(-drawn.width() - 4, 0)) == 0


def test_letters_stay_readable_under_the_mark():
    from desktop.design_tokens import contrast

    assert contrast("#000000", PAPER_MARK) > 10


def test_zoom_scales_the_marks_and_fit_comes_back(qtbot, pages, tmp_path):
    pages.open(blank_pdf(tmp_path / "页.pdf"))
    pages.show_marks({0: ((10, 10, 110, 30),)}, 0)
    fitted = pages.zoom
    pages.zoom_by(2)
    assert pages.zoom == pytest.approx(fitted * 1.44)
    assert pages.mark_rects(0)[0].width() == pytest.approx(100 * pages.zoom * 96 / 72)
    pages.fit_width()
    assert pages.zoom == pytest.approx(fitted)


def test_marks_on_several_pages_show_the_first(qtbot, pages, tmp_path):
    pages.open(blank_pdf(tmp_path / "页.pdf", pages=12))
    pages.show_marks({7: ((10, 500, 90, 520),), 8: ((10, 10, 90, 30), (10, 40, 90, 60))}, 7)
    qtbot.wait(20)
    assert pages.page_index == 7
    assert 0 <= pages.mark_rects(7)[0].top() < pages.viewport().height()
    assert len(pages.mark_rects(8)) == 2


def test_page_layout_finds_pages_by_height():
    layout = PageLayout(((100, 200), (100, 300), (200, 100)), 1.0)
    assert list(layout.tops) == [MARGIN, MARGIN + 200 + GAP, MARGIN + 500 + 2 * GAP]
    assert [layout.page_at(y) for y in (0, MARGIN + 199, MARGIN + 200 + GAP, 10_000)] == [0, 0, 1, 2]
    assert layout.visible(0, 100) == range(1)
    assert PageLayout((), 1.0).visible(0, 100) == range(0)


def test_a_broken_file_cannot_be_opened(pages, tmp_path):
    broken = tmp_path / "坏.pdf"
    broken.write_bytes(b"not a pdf")
    assert not pages.open(broken)
    assert not pages.open(tmp_path / "没有.pdf")
    assert pages.page_count == 0


def test_a_file_that_was_written_anew_is_loaded_anew(pages, tmp_path):
    path = blank_pdf(tmp_path / "页.pdf", pages=3)
    assert pages.open(path)
    blank_pdf(path, pages=5)
    assert pages.open(path)
    assert pages.page_count == 5


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_path_is_opened_exactly(qtbot, opened, tmp_path, name):
    path = blank_pdf(tmp_path / name)
    locate(qtbot, opened, path, pages=(marked(2, "ii"),))
    pdf = opened.window.reader_panel.pdf_pages
    assert str(pdf.path) == str(path)
    assert pdf.page_count == 3
    assert pdf.page_index == 1
    assert opened.child(QLineEdit, "pageBox").text() == "2"
    assert opened.child(QLabel, "pageNumber").text() == "/ 3"
    assert opened.child(QLabel, "readerPlace").text() == "第 2 页（页码标签 ii）"


def marked(number: int, label: str | None = None, rects=((10.0, 10.0, 60.0, 30.0),)) -> MarkedPage:
    return MarkedPage(number, label, "存下的文字。", ((0, 3),), (400.0, 600.0), rects)


def locate(qtbot, opened, path, pages, kind="pdf", changed=False) -> None:
    opened.engine.scripts[LocatePassage] = lambda c: [
        PassageLocated(c.task_id, c.library, "子/文件.pdf", path, kind, "标题", pages, changed)
    ]
    opened.controller.reader.open_source(sample_content.hit(1))
    panel = opened.window.reader_panel
    qtbot.waitUntil(lambda: panel.body.currentWidget() is not panel.placeholder)


def test_every_fact_opens_its_own_sheet(qtbot, opened, tmp_path):
    """Six sheets labelled i, ii, 1 to 4: the number from 1 decides, the label is only shown."""
    path = blank_pdf(tmp_path / "标签.pdf", pages=6)
    pdf = opened.window.reader_panel.pdf_pages
    for number, label in enumerate(("i", "ii", "1", "2", "3", "4"), 1):
        locate(qtbot, opened, path, (marked(number, label),))
        qtbot.waitUntil(lambda n=number: pdf.page_index == n - 1)
        place = opened.child(QLabel, "readerPlace").text()
        assert place == f"第 {number} 页（页码标签 {label}）"


def test_page_and_zoom_buttons(qtbot, opened, tmp_path):
    locate(qtbot, opened, blank_pdf(tmp_path / "页.pdf"), (marked(1),))
    pdf = opened.window.reader_panel.pdf_pages
    assert not opened.child(QToolButton, "previousPage").isEnabled()
    for _ in range(2):
        qtbot.mouseClick(opened.child(QToolButton, "nextPage"), Qt.MouseButton.LeftButton)
    assert pdf.page_index == 2
    assert not opened.child(QToolButton, "nextPage").isEnabled()
    before = pdf.zoom
    qtbot.mouseClick(opened.child(QToolButton, "zoomIn"), Qt.MouseButton.LeftButton)
    assert pdf.zoom > before
    assert opened.child(QLabel, "zoomLabel").text() == f"{round(pdf.zoom * 100)}%"


@pytest.mark.parametrize("case", ["changed", "no path", "unreadable"])
def test_moved_or_changed_files_show_the_stored_text(qtbot, opened, tmp_path, case):
    path = blank_pdf(tmp_path / "页.pdf")
    if case == "unreadable":
        path.write_bytes(b"")
    locate(qtbot, opened, None if case == "no path" else path, (marked(1),), changed=case == "changed")
    panel = opened.window.reader_panel
    assert panel.body.currentWidget() is panel.text_page
    assert panel.note.isVisible() and "存下的文字" in panel.note.label.text()
    assert panel.text_page.toPlainText() == "存下的文字。"
    assert panel.text_page.marked_texts() == ["存下的"]


def test_a_page_without_rectangles_opens_with_a_note(qtbot, opened, tmp_path):
    locate(qtbot, opened, blank_pdf(tmp_path / "页.pdf"), (marked(2, rects=()),))
    panel = opened.window.reader_panel
    assert panel.body.currentWidget() is panel.pdf_pages
    assert panel.note.isVisible()
    assert panel.pdf_pages.page_index == 1


def test_a_passage_that_is_gone_shows_what_the_click_knows(qtbot, opened):
    source = sample_content.hit(1)
    opened.controller.reader.open_source(source)
    task = opened.engine.last(LocatePassage).task_id
    opened.engine.emit(TaskFailed(task, "library_unknown", {"name": "x"}))
    panel = opened.window.reader_panel
    qtbot.waitUntil(lambda: panel.body.currentWidget() is panel.text_page)
    assert panel.text_page.toPlainText() == source.text
    assert panel.note.isVisible()


def test_a_newer_click_makes_the_older_one_unwanted(qtbot, opened, tmp_path):
    reader = opened.controller.reader
    reader.open_source(sample_content.hit(1))
    old = opened.engine.last(LocatePassage).task_id
    reader.open_source(sample_content.hit(2))
    new = opened.engine.last(LocatePassage).task_id
    path = blank_pdf(tmp_path / "页.pdf")
    for task, document in ((new, "新.pdf"), (old, "旧.pdf")):
        opened.engine.done(task, PassageLocated(task, "k", document, path, "pdf", "", (marked(1),)))
    title = opened.child(QLabel, "readerTitle")
    qtbot.waitUntil(lambda: title.text() == "新.pdf")
    qtbot.wait(30)
    assert title.text() == "新.pdf"


@pytest.mark.parametrize(
    "text",
    [
        "普通文字标记在这里结束",
        "😀表情🎉之后标记这里",
        "一行\r\n二行\r\n标记三行",
        "旧式\r换行标记完",
        "空\0字标记符",
    ],
)
def test_text_marks_fall_on_the_same_characters(qtbot, text):
    page = TextPage()
    qtbot.addWidget(page)
    start = text.index("标记")
    page.show_parts([TextPart("😀第一部分", ((0, 2),)), TextPart(text, ((start, start + 2),))])
    assert page.marked_texts() == ["😀第", "标记"]


def test_offsets_count_wide_characters_and_line_ends():
    text = "😀a\r\nb"
    assert [Positions(text).shown(n) for n in range(len(text) + 1)] == [0, 2, 3, 4, 4, 5]
    assert shown_text(text) == "😀a\nb"


def test_the_marked_place_is_scrolled_to(qtbot):
    page = TextPage()
    qtbot.addWidget(page)
    page.resize(300, 300)
    page.show()
    text = "行\n" * 500 + "这里" + "\n行" * 500
    page.show_parts([TextPart(text, ((1000, 1002),))])
    qtbot.wait(20)
    assert 0 < page.cursorRect().top() < page.viewport().height()


def test_text_is_never_markup(qtbot):
    page = TextPage()
    qtbot.addWidget(page)
    text = "<b>不是粗体</b><img src='file:///etc/hostname'>"
    page.show_parts([TextPart(text)])
    assert page.toPlainText() == text


@pytest.mark.parametrize(("confidence", "tone", "advice"), [(0.97, "quiet", False), (0.94, "warn", True)])
def test_pages_read_by_ocr_say_so_and_doubtful_ones_warn(qtbot, opened, tmp_path, confidence, tone, advice):
    page = MarkedPage(1, None, "", (), (400, 600), ((50, 70, 90, 84),), confidence)
    path = blank_pdf(tmp_path / "扫描.pdf")
    opened.engine.scripts[LocatePassage] = lambda c: [
        PassageLocated(c.task_id, c.library, "扫描.pdf", path, "pdf", "扫描", (page,))
    ]
    opened.controller.reader.open_source(sample_content.hit(1))
    panel = opened.window.reader_panel
    qtbot.waitUntil(lambda: panel.body.currentWidget() is panel.pdf_pages)
    words = panel.note.label.text()
    assert f"置信度 {int(confidence * 100)}%" in words
    assert panel.note.property("tone") == tone and ("数字请对照原图核对" in words) is advice


@pytest.mark.parametrize(
    ("kind", "location", "section", "words"),
    [
        ("slides", {"slide": 3}, ("季度回顾",), "幻灯片 3 · 季度回顾"),
        ("sheet", {"sheet": "价格表", "rows": [2, 40]}, ("价格表",), "工作表“价格表” 第 2–40 行"),
        ("sheet", {"sheet": None, "rows": [7, 7]}, ("表头",), "第 7 行"),
        ("ebook", {"chapter": "第一回 甄士隐梦幻识通灵"}, (), "第一回 甄士隐梦幻识通灵"),
        ("mail", None, ("附件",), "附件"),
        ("mail", None, (), "正文"),
        ("text", {"line": 12}, (), "第 12 行"),
    ],
)
def test_places_without_pages_are_told_in_words(qtbot, opened, kind, location, section, words):
    page = MarkedPage(1, None, "甲 | 乙\n丙 | 丁", ((0, 1),))
    opened.engine.scripts[LocatePassage] = lambda c: [
        PassageLocated(c.task_id, c.library, "文件", Path("/文件"), kind, "", (page,))
    ]
    source = sample_content.hit(1, "文件", kind=kind, location=location, section=section, label=None)
    opened.controller.reader.open_source(source)
    panel = opened.window.reader_panel
    readers = {"text": panel.text_page, "sheet": panel.grid_page}
    reader = readers.get(kind, panel.rich_page)
    qtbot.waitUntil(lambda: panel.body.currentWidget() is reader)
    assert panel.header.place_label.text() == words
    assert reader.marked_texts() == ["甲"] and not panel.note.isVisible()


def test_columns_of_tables_stand_under_each_other(qtbot):
    page = TextPage()
    qtbot.addWidget(page)
    page.resize(800, 300)
    page.show()
    text = "编号 | 很长很长的品名 | 单价\n0001 | 箱 | 95\n2 | 三脚架 | 460"
    page.show_parts([TextPart(text)])
    qtbot.wait(20)

    def left_of(word: str) -> int:
        cursor = page.textCursor()
        cursor.setPosition(text.index(word))
        return page.cursorRect(cursor).left()

    assert left_of("很长") == pytest.approx(left_of("箱"), abs=2) == pytest.approx(left_of("三脚架"), abs=2)
    assert left_of("单价") == pytest.approx(left_of("95"), abs=2) == pytest.approx(left_of("460"), abs=2)
    assert page.toPlainText() == text
