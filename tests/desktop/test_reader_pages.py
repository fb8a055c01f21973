"""A PDF in the reader: page box, zoom, outline, selection and copy, the sentence within its passage."""

import pymupdf
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from desktop.reader.page_layout import fit_scale
from desktop.reader.pdf_pages import PdfPages
from engine.commands import ReadPages
from engine.documents import Heading, Page
from engine.events import MarkedPage
from engine.intake import boxes
from tests.desktop import reading, sample_content

SENTENCE, PASSAGE = reading.line_rect(1), tuple(reading.line_rect(line) for line in range(3))


def marked(number: int = 1) -> MarkedPage:
    return MarkedPage(number, None, "文字", ((0, 1),), (400.0, 600.0), (SENTENCE,), None, ((0, 2),), PASSAGE)


@pytest.fixture
def pages(qtbot, tmp_path) -> PdfPages:
    made = PdfPages()
    qtbot.addWidget(made)
    made.resize(500, 700)
    made.show()
    assert made.open(reading.written_pdf(tmp_path / "文.pdf", 6, bookmarks=True))
    made.show_marks({}, 0)
    qtbot.wait(10)
    return made


def open_pdf(qtbot, opened, path, number: int = 1, **facts) -> PdfPages:
    reading.located(opened.engine, path, (marked(number),), **facts)
    opened.controller.reader.open_source(sample_content.hit(1))
    panel = opened.window.reader_panel
    qtbot.waitUntil(lambda: panel.body.currentWidget() is panel.pdf_pages)
    qtbot.wait(10)
    return panel.pdf_pages


def at(pages: PdfPages, x: float, y: float):
    """A point of the first page in pixels of the viewport."""
    rect = pages._placed(0, [(x, y, x, y)])[0]
    return rect.topLeft().toPoint()


def drag(qtbot, pages: PdfPages, start, end) -> None:
    qtbot.mousePress(pages.viewport(), Qt.MouseButton.LeftButton, pos=at(pages, *start))
    place = QPointF(at(pages, *end))
    move = QMouseEvent(
        QEvent.Type.MouseMove, place, pages.viewport().mapToGlobal(place), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QGuiApplication.sendEvent(pages.viewport(), move)
    qtbot.mouseRelease(pages.viewport(), Qt.MouseButton.LeftButton, pos=at(pages, *end))


def test_the_sentence_is_stronger_than_the_passage_around_it(qtbot, pages):
    pages.show_marks({0: (SENTENCE,)}, 0, {0: PASSAGE})
    qtbot.wait(200)
    image = pages.viewport().grab().toImage()
    ratio = image.devicePixelRatio()

    def blue(rect) -> int:
        corner = at(pages, rect[2] - 3, rect[1] + 2)
        return image.pixelColor(round(corner.x() * ratio), round(corner.y() * ratio)).blue()

    sentence, passage = blue(SENTENCE), blue(PASSAGE[0])
    beside = image.pixelColor(*(round(v * ratio) for v in at(pages, 370, SENTENCE[1] + 2).toTuple()))
    assert sentence < passage - 60 < beside.blue() - 60
    below = at(pages, SENTENCE[2] - 3, SENTENCE[3])
    line = image.pixelColor(round(below.x() * ratio), round(below.y() * ratio))
    assert line.blue() < 60


def test_selected_text_is_copied(qtbot, pages):
    drag(qtbot, pages, (41, 100 - 3), (200, 100 - 3))
    assert pages.selection.text.startswith("员工在本公司")
    qtbot.keyClick(pages, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == pages.selection.text
    qtbot.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=at(pages, 20, 500))
    assert pages.selection.text == "" and not pages.selection.rects


def test_text_of_a_scanned_page_is_selected_from_the_stored_characters(qtbot, opened, tmp_path):
    document = pymupdf.open()
    document.new_page(width=400, height=600)
    document.save(tmp_path / "扫描.pdf")
    text = "扫描的\n金额"
    places = [
        (40, 80, 52, 92),
        (52, 80, 64, 92),
        (64, 80, 76, 92),
        (0, 0, 0, 0),
        (40, 100, 52, 112),
        (52, 100, 64, 112),
    ]
    page = Page(1, text, from_ocr=True, size=(400.0, 600.0), boxes=boxes.pack(places, (400, 600)))
    pages = open_pdf(qtbot, opened, tmp_path / "扫描.pdf", stored=(page,), from_ocr=(1,))
    before = len(opened.engine.commands(ReadPages))
    pages.selection.begin(0, QPointF(53, 85))
    assert opened.engine.commands(ReadPages)[before:][0].numbers == (1,)
    qtbot.waitUntil(lambda: bool(pages.selection._glyphs))
    pages.selection.extend(QPointF(49, 108))
    assert pages.selection.text == "描的\n金"
    assert len(pages.selection.rects) == 2


@pytest.mark.parametrize(("typed", "index"), [("4", 3), ("99", 0), ("乱", 0), (" 2 ", 1)])
def test_the_page_box_takes_numbers(qtbot, opened, tmp_path, typed, index):
    pages = open_pdf(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf", 6))
    box = opened.child(QLineEdit, "pageBox")
    box.setFocus()
    box.setText(typed)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert pages.page_index == index
    assert box.text() == str(index + 1)


def test_the_page_box_shows_and_takes_printed_labels(qtbot, opened, tmp_path):
    path = reading.written_pdf(tmp_path / "源.pdf", 6)
    with pymupdf.open(path) as document:
        document.set_page_labels(
            [
                {"startpage": 0, "style": "r", "firstpagenum": 1},
                {"startpage": 2, "style": "D", "firstpagenum": 1},
            ]
        )
        document.save(tmp_path / "标签.pdf")
    pages = open_pdf(qtbot, opened, tmp_path / "标签.pdf", 2)
    box = opened.child(QLineEdit, "pageBox")
    assert box.text() == "ii" and opened.child(QLabel, "pageNumber").text() == "(2 / 6)"
    box.setText("3")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert pages.page_index == 4


def test_zoom_keys_and_fits(qtbot, opened, tmp_path):
    pages = open_pdf(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"))
    pages.setFocus()
    fitted = pages.zoom
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(pages, Qt.Key.Key_Plus, control)
    assert pages.zoom == pytest.approx(fitted * 1.2)
    qtbot.keyClick(pages, Qt.Key.Key_Minus, control)
    qtbot.keyClick(pages, Qt.Key.Key_Minus, control)
    assert pages.zoom == pytest.approx(fitted / 1.2)
    qtbot.keyClick(pages, Qt.Key.Key_0, control)
    assert pages.zoom == pytest.approx(fitted)
    qtbot.mouseClick(opened.child(QToolButton, "fitPage"), Qt.MouseButton.LeftButton)
    view = pages.viewport()
    expected = fit_scale((400, 600), (view.width(), view.height()))
    assert pages.zoom == pytest.approx(expected * 72 / 96, rel=0.01)
    assert pages._page_rect(0).height() <= view.height()


def test_bookmarks_fold_out_and_lead_to_their_pages(qtbot, opened, tmp_path):
    pages = open_pdf(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf", 6, bookmarks=True))
    outline, button = opened.window.reader_panel.outline, opened.child(QToolButton, "showOutline")
    assert button.isVisible() and not outline.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    model = outline.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["第1章", "第3章", "第5章"]
    inner = model.index(0, 0, model.index(1, 0))
    outline.clicked.emit(inner)
    assert pages.page_index == 3
    outline.setCurrentIndex(model.index(2, 0))
    qtbot.keyClick(outline, Qt.Key.Key_Return)
    assert pages.page_index == 4


def test_a_pdf_without_bookmarks_shows_the_headings_that_were_read(qtbot, opened, tmp_path):
    stored = (Page(1, "一\n文"), Page(2, "二\n文", headings=(Heading(0, 1, "二"),)), Page(3, "文"))
    pages = open_pdf(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), stored=stored)
    outline = opened.window.reader_panel.outline
    qtbot.waitUntil(lambda: not outline.is_empty)
    outline.clicked.emit(outline.model().index(0, 0))
    assert pages.page_index == 1


def test_a_document_without_any_headings_has_no_outline_button(qtbot, opened, tmp_path):
    open_pdf(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), stored=(Page(1, "文"),))
    assert not opened.child(QToolButton, "showOutline").isVisible()


def test_sizes_that_are_measured_later_keep_the_place(qtbot, tmp_path, monkeypatch):
    """Pages after the first step are taken for the first one's size until they are measured."""
    document = pymupdf.open()
    for number in range(40):
        document.new_page(width=400, height=600 if number < 5 else 300)
    document.save(tmp_path / "混.pdf")
    monkeypatch.setattr("desktop.reader.pdf_file._STEP_S", 1e-5)
    pages = PdfPages()
    qtbot.addWidget(pages)
    pages.resize(500, 700)
    pages.show()
    assert pages.open(tmp_path / "混.pdf")
    pages.show_marks({30: ((10, 10, 60, 30),)}, 30)
    qtbot.waitUntil(lambda: pages.file.sizes[-1][1] == 300)
    qtbot.wait(10)
    assert pages.page_index == 30
    assert 0 < pages.mark_rects(30)[0].top() < pages.viewport().height()


def test_keys_walk_through_the_pages(qtbot, pages):
    for key, index in ((Qt.Key.Key_End, 5), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(pages, key)
        assert pages.page_index == index
    bar = pages.verticalScrollBar()
    before = bar.value()
    qtbot.keyClick(pages, Qt.Key.Key_PageDown)
    assert before < bar.value() <= before + pages.viewport().height()
    qtbot.keyClick(pages, Qt.Key.Key_PageUp)
    assert bar.value() == before


def test_few_pages_are_drawn_at_once_and_those_in_view_are(qtbot, pages):
    """Pages that were dragged past are not drawn one after the other before the one that is looked at."""
    for index in (0, 1, 2, 3, 4, 5):
        pages.go_to_page(index)
        pages.viewport().repaint()
    assert len(pages._images._requests) <= 3
    qtbot.waitUntil(lambda: 5 in pages._images._images and not pages._images._requests)
