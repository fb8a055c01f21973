"""The inspect window: every page, every chunk, everything that was left out, and why."""

import time

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget

from desktop.inspect.layers import PART_LENGTH, Layers
from desktop.inspect.lists import ChunkRows, PageRows
from desktop.reader.positions import Positions
from engine.commands import InspectDocument, StopTask
from engine.documents import Dropped, FileState, Page, PageSpan, Reason
from engine.events import DocumentInspected, FileReport, TaskFailed
from tests.desktop import sample_documents
from tests.desktop.test_theme import THEMES, unreadable

HANDBOOK = "人事/员工手册（2025 版）.pdf"


@pytest.fixture
def inspect(qtbot, opened):
    """Opens a document and gives its window when it is filled."""

    def open_document(make, document: str = HANDBOOK):
        opened.engine.scripts[InspectDocument] = lambda c: [make(c.task_id)]
        opened.controller.library.inspect_wanted.emit("公司制度", document)
        window = opened.controller.inspect.windows()[-1]
        qtbot.waitUntil(lambda: bool(window.header.state_label.text()))
        return window

    return open_document


def test_the_header_says_how_the_document_was_read(inspect):
    window = inspect(sample_documents.inspected)
    assert window.header.state_label.text() == "部分"
    reason = window.header.reason_label.text()
    assert "缺第 5 页" in reason and "第 7 页由文字识别得出" in reason
    figures = [label.text() for label in window.header.findChildren(QWidget, "inspectFigure")]
    assert "页  12" in figures and "片段  22" in figures and "文字识别页  1 · 79%" in figures
    assert HANDBOOK.rpartition("/")[2] in window.windowTitle()


def test_every_page_is_listed_and_missing_ones_too(inspect):
    window = inspect(sample_documents.inspected)
    model = window.page_rows.model
    assert model.rowCount() == 12
    assert "缺失" in model.index(4, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "文字识别 79%" in model.index(6, 0).data(Qt.ItemDataRole.ToolTipRole)
    window.page_list.go_to(4)
    assert window.page_text.toPlainText() == "这里没有已保存的内容。"
    window.page_list.go_to(6)
    assert window.warning_label.isVisible() and "79%" in window.page_label.text()
    window.page_list.go_to(7)
    assert not window.warning_label.isVisible()


def test_what_was_left_out_is_struck_through_with_its_reason(inspect):
    window = inspect(sample_documents.inspected)
    text = window.page_text
    assert "页码 1" in window.legend.dropped_label.text()
    struck = text.document().begin().begin().fragment()
    assert struck.charFormat().fontStrikeOut() and struck.text() == sample_documents.HEADER
    page = sample_documents.page_text(1)
    assert "页码" in text.hint_at(page.index("— 1"))
    assert "片段 1" in text.hint_at(page.index("2.1"))
    # The overlap belongs to both.
    overlap = text.hint_at(page.index("当年"))
    assert "片段 1 ·" in overlap and "片段 2 ·" in overlap
    assert text.hint_at(len(page) - 1) == "不在任何片段中"


def test_a_chosen_chunk_is_marked_on_its_page(qtbot, inspect):
    window = inspect(sample_documents.inspected)
    window.chunk_list.go_to(5)
    page = sample_documents.page_text(3)
    assert window.page_label.text().startswith("第 3 页")
    assert window.page_list.currentIndex().row() == 2
    assert window.page_text.marked_texts() == [page[page.index("当年") : page.index("— 3")]]
    assert window.chunk_view.toPlainText().startswith("员工手册 第二章 假期\n\n当年未休完")
    window.page_list.go_to(9)
    assert window.page_text.marked_texts() == []
    # A click on it leads back.
    window.chunk_list.clicked.emit(window.chunk_list.currentIndex())
    assert window.page_label.text().startswith("第 3 页")


def test_a_click_in_the_text_chooses_the_chunk(qtbot, inspect):
    window = inspect(sample_documents.inspected)
    cursor = window.page_text.textCursor()
    cursor.setPosition(sample_documents.page_text(1).index("病假期间") + 3)
    place = window.page_text.cursorRect(cursor).center() + QPoint(2, 0)
    qtbot.mouseClick(window.page_text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.chunk_list.currentIndex().row() == 1


def test_hovering_tells_the_chunk(qtbot, inspect, monkeypatch):
    from PySide6.QtWidgets import QToolTip

    told = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, widget: told.append(text))
    window = inspect(sample_documents.inspected)
    cursor = window.page_text.textCursor()
    cursor.setPosition(sample_documents.page_text(1).index("工龄"))
    place = window.page_text.cursorRect(cursor).center() + QPoint(3, 0)
    viewport = window.page_text.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place)))
    assert "片段 1" in told[0] and "2.1 年休假" in told[0] and "词元" in told[0]


def test_keys_move_and_escape_closes(qtbot, inspect, opened):
    window = inspect(sample_documents.inspected)
    qtbot.keyClick(window.page_list, Qt.Key.Key_Down)
    assert window.page_label.text().startswith("第 2 页")
    qtbot.keyClick(window.page_list, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: opened.controller.inspect.windows() == [])


def test_places_of_other_formats_are_told_in_words(inspect):
    window = inspect(sample_documents.price_list, "行政/价格表.xlsx")
    assert window.page_rows.model.index(0, 0).data() == "工作表“价格表” 第 1–33 行"
    assert "工作表“价格表”" in window.chunk_rows.model.index(0, 0).data()
    assert window.page_text.lineWrapMode() == window.page_text.LineWrapMode.NoWrap


def test_a_document_is_opened_once_and_two_beside_each_other(inspect, opened):
    first = inspect(sample_documents.inspected)
    assert inspect(sample_documents.inspected) is first
    second = inspect(sample_documents.price_list, "行政/价格表.xlsx")
    assert opened.controller.inspect.windows() == [first, second]
    assert len(opened.engine.commands(InspectDocument)) == 2
    assert not first.isModal()


def test_a_file_of_which_nothing_is_stored_still_says_why(inspect):
    report = FileReport("合同/坏.pdf", FileState.DAMAGED, Reason("damaged", {"detail": "PDF"}))
    window = inspect(lambda task: DocumentInspected(task, "公司制度", report, "坏", None, (), (), ()))
    assert window.header.state_label.text() == "损坏" and "PDF" in window.header.reason_label.text()
    assert window.page_text.toPlainText() == "这里没有已保存的内容。"


def test_an_engine_that_cannot_answer_is_quoted(qtbot, opened):
    opened.controller.library.inspect_wanted.emit("公司制度", HANDBOOK)
    window = opened.controller.inspect.windows()[0]
    assert window.header.reason_label.text() == "正在取出已保存的内容…"
    task = opened.engine.last(InspectDocument).task_id
    opened.engine.emit(TaskFailed(task, "library_unknown", {"name": "公司制度"}))
    qtbot.waitUntil(lambda: "公司制度" in window.header.reason_label.text())


def test_closing_early_drops_the_question(qtbot, opened):
    opened.controller.library.inspect_wanted.emit("公司制度", HANDBOOK)
    task = opened.engine.last(InspectDocument).task_id
    opened.controller.inspect.windows()[0].close()
    qtbot.waitUntil(lambda: StopTask(task) in opened.engine.sent)


def test_a_million_characters_are_shown_in_parts(inspect):
    text = "字" * 500_000 + "\n" + "行😀\n" * 150_000
    spans = ((10, 30), (PART_LENGTH * 3, PART_LENGTH * 3 + 20))
    chunks = tuple(
        sample_documents.chunk(place, (PageSpan(1, start, end),), text[start:end])
        for place, (start, end) in enumerate(spans)
    )
    report = FileReport(HANDBOOK, FileState.INDEXED, None, 1, 2)
    begun = time.monotonic()
    window = inspect(
        lambda t: DocumentInspected(t, "公司制度", report, "长", None, (Page(1, text),), chunks, ())
    )
    assert time.monotonic() - begun < 3
    assert len(window.page_text.toPlainText()) <= PART_LENGTH
    assert window.part_tools.isVisible() and not window.previous_part.isEnabled()
    window.chunk_list.go_to(1)
    assert window.part_label.text().startswith("第 4 段")
    assert window.page_text.marked_texts() == ["字" * 20]
    window.next_part.click()
    assert window.part_label.text().startswith("第 5 段")


def test_thousands_of_pages_are_listed_at_once(inspect):
    begun = time.monotonic()
    window = inspect(lambda task: sample_documents.inspected(task, pages=5000))
    assert window.page_rows.model.rowCount() == 5000
    assert time.monotonic() - begun < 5


def test_lists_keep_qt_s_rules(qtbot):
    found = sample_documents.inspected(1)
    layers = Layers(found.pages, found.chunks, found.dropped)
    pages, chunks = PageRows(), ChunkRows()
    for model in (pages.model, chunks.model):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    pages.set_pages(found.pages, found.report.missing_pages, layers)
    chunks.set_chunks(found.chunks)
    assert (pages.model.rowCount(), chunks.model.rowCount()) == (12, 22)


def test_text_without_a_home_is_counted():
    page = Page(1, "甲乙丙丁 戊己\n")
    chunks = (sample_documents.chunk(0, (PageSpan(1, 1, 3),), "乙丙"),)
    layers = Layers((page,), chunks, (Dropped(PageSpan(1, 5, 6), "戊", "page_number"),)).of(1)
    assert layers.homeless() == 3
    assert layers.chunks_at(2) == [0] and layers.chunks_at(3) == []


def test_parts_hold_the_whole_page():
    text = ("一行文字\n" * 30_000) + "尾" * 100_000
    layers = Layers((Page(1, text),), (), ()).of(1)
    parts = layers.parts()
    assert "".join(text[start:end] for start, end in parts) == text
    assert all(end - start <= PART_LENGTH for start, end in parts)
    assert text[parts[0][1] - 1] == "\n"


def test_offsets_lead_there_and_back():
    text = "😀a\r\nb𠀀"
    positions = Positions(text)
    for offset in (0, 1, 2, 4, 5, 6):
        assert positions.offset(positions.shown(offset)) == offset


@pytest.mark.parametrize("theme", THEMES)
def test_everything_reads_in_both_themes(qtbot, qapp, inspect, theme):
    from desktop.design_tokens import palette_of

    window = inspect(sample_documents.inspected)
    window.page_list.go_to(6)
    qapp.setPalette(palette_of(THEMES[theme]))
    qtbot.wait(30)
    assert unreadable(window) == []
