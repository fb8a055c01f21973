"""Find in document: PDFs through the engine's stored text, everything else in the text that is shown."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from engine.commands import FindInDocument
from engine.documents import Page
from engine.events import MarkedPage
from tests.desktop import reading, sample_content


def show(qtbot, opened, path, kind: str, stored: tuple[Page, ...]) -> None:
    first = stored[0]
    page = MarkedPage(1, None, first.text, ((0, 1),), first.size, (reading.line_rect(0),))
    reading.located(opened.engine, path, (page,), kind=kind, stored=stored)
    opened.controller.reader.open_source(sample_content.hit(1, kind=kind))
    panel = opened.window.reader_panel
    qtbot.waitUntil(lambda: panel.body.currentWidget() is not panel.placeholder)
    qtbot.wait(10)


def look_for(qtbot, opened, words: str) -> None:
    qtbot.mouseClick(opened.child(QToolButton, "findInDocument"), Qt.MouseButton.LeftButton)
    opened.child(QLineEdit, "findWords").setText(words)
    qtbot.waitUntil(lambda: opened.child(QLabel, "findCount").text() not in ("", "…"))


def test_all_places_of_a_pdf_are_marked_and_walked_through(qtbot, opened, tmp_path):
    show(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf", 4), "pdf", reading.stored_pages(4))
    pages, count = opened.window.reader_panel.pdf_pages, opened.child(QLabel, "findCount")
    look_for(qtbot, opened, "顺延至次年")
    assert count.text() == "1 / 4" and pages.page_index == 0
    assert [page for page, _ in pages.marks.found] == [0, 1, 2, 3] and pages.marks.found_now == 0
    edit = opened.child(QLineEdit, "findWords")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert count.text() == "2 / 4" and pages.page_index == 1
    for _ in range(2):
        qtbot.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert count.text() == "4 / 4" and pages.page_index == 3
    qtbot.mouseClick(opened.child(QToolButton, "findNext"), Qt.MouseButton.LeftButton)
    assert count.text() == "1 / 4"


def test_the_search_begins_on_the_page_that_is_read(qtbot, opened, tmp_path):
    show(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf", 4), "pdf", reading.stored_pages(4))
    opened.window.reader_panel.pdf_pages.go_to_page(2)
    look_for(qtbot, opened, "顺延")
    assert opened.child(QLabel, "findCount").text() == "3 / 4"


@pytest.mark.parametrize("from_pages", [False, True])
def test_escape_closes_and_takes_the_marks_away(qtbot, opened, tmp_path, from_pages):
    opened.window.activateWindow()
    show(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), "pdf", reading.stored_pages(3))
    look_for(qtbot, opened, "顺延")
    panel = opened.window.reader_panel
    place = panel.pdf_pages if from_pages else opened.child(QLineEdit, "findWords")
    place.setFocus()
    qtbot.keyClick(place, Qt.Key.Key_Escape)
    assert not panel.find_bar.isVisible() and not panel.pdf_pages.marks.found
    assert panel.pdf_pages.marks.sentence


def test_words_that_are_nowhere_are_said_not_to_be_found(qtbot, opened, tmp_path):
    show(qtbot, opened, reading.written_pdf(tmp_path / "页.pdf"), "pdf", reading.stored_pages(3))
    look_for(qtbot, opened, "没有的词")
    assert opened.child(QLabel, "findCount").text() == "没有找到"
    assert not opened.child(QToolButton, "findNext").isEnabled()


@pytest.mark.parametrize("kind", ["text", "markdown", "sheet"])
def test_words_are_found_in_text_and_tables(qtbot, opened, kind):
    stored = (Page(1, "编号 | 品名\n1 | 三脚架\n2 | 激光\n3 | 三脚\n架", location={"sheet": "表"}),)
    show(qtbot, opened, None, kind, stored)
    look_for(qtbot, opened, "三脚架")
    assert opened.child(QLabel, "findCount").text() == "1 / 2"
    assert not opened.engine.commands(FindInDocument)
    panel = opened.window.reader_panel
    if kind == "sheet":
        assert panel.grid_page.rows.sheet.found_now == (1, 1)
    else:
        reader = panel.text_page if kind == "text" else panel.rich_page
        texts = [selection.cursor.selectedText() for selection in reader.extraSelections()]
        assert texts[-4:] == ["三脚架", "三脚", "架", "三脚架"]  # both places, and the one that is shown


def test_another_document_is_searched_for_the_same_words(qtbot, opened):
    show(qtbot, opened, None, "text", (Page(1, "甲有词。"),))
    look_for(qtbot, opened, "词")
    show(qtbot, opened, None, "text", (Page(1, "词词词"),))
    qtbot.waitUntil(lambda: opened.child(QLabel, "findCount").text() == "1 / 3")


def test_nothing_is_opened_before_there_is_a_document(opened):
    opened.controller.reader.finding.open()
    assert not opened.window.reader_panel.find_bar.isVisible()
