"""The file list: states that add up, what is said of a file, and what can be done with it."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from desktop.library.file_model import CHUNKS, INDEXED_AT, NAME, PAGES, FileFilter, FileTableModel
from desktop.library.places import path_on_disk
from desktop.words import number_list
from engine.commands import IngestFolders, InspectDocument, ListFiles
from engine.documents import FileState, Reason
from engine.events import (
    FileFinished,
    FileReport,
    FilesListed,
    FileStarted,
    OcrProgress,
    ScanFinished,
    TaskStopped,
)
from tests.desktop import sample_documents

LOCKED = "合同/供应商保密协议.pdf"
PARTIAL = "研发/系统设计说明书.pdf"


@pytest.fixture
def listed(qtbot, opened):
    """The window with files in every state."""
    opened.engine.scripts[ListFiles] = lambda c: [FilesListed(c.task_id, c.library, sample_documents.files())]
    opened.controller.library.list_libraries()
    table = opened.window.library_panel.table
    qtbot.waitUntil(lambda: table.files.rowCount() == len(sample_documents.files()))
    return opened


def shown(table) -> list[str]:
    model = table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_every_state_is_counted_and_the_counts_add_up(listed):
    panel = listed.window.library_panel
    texts = [panel.ledger.button(state).text() for state in FileState]
    assert texts[0] == "已索引 6" and all(panel.ledger.button(state).isVisible() for state in FileState)
    assert sum(int(text.split()[-1]) for text in texts) == panel.table.files.rowCount()
    assert not panel.ledger.button(None).isVisible()


def test_counts_follow_the_files_while_they_are_read(qtbot, listed):
    files = listed.window.library_panel.table.files
    listed.controller.library.indexing.index([Path("/资料/公司制度")], "公司制度")
    task = listed.engine.last(IngestFolders).task_id
    listed.engine.emit(
        ScanFinished(task, "公司制度", 19), FileStarted(task, LOCKED), FileStarted(task, "新.md")
    )
    qtbot.waitUntil(lambda: files.counts().get(None) == 2)
    assert sum(files.counts().values()) == files.rowCount() == 19
    listed.engine.emit(FileFinished(task, FileReport(LOCKED, FileState.INDEXED, None, 3, 5), 1, 19))
    qtbot.waitUntil(lambda: files.counts()[FileState.INDEXED] == 7)
    assert sum(files.counts().values()) == files.rowCount()


def test_a_click_on_a_state_shows_only_its_files_and_a_second_one_all(qtbot, listed):
    panel = listed.window.library_panel
    button = panel.ledger.button(FileState.NEEDS_PASSWORD)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown(panel.table) == ["供应商保密协议.pdf", "投资意向书.pdf"]
    other = panel.ledger.button(FileState.DAMAGED)
    qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
    assert shown(panel.table) == ["旧版接口文档.pdf"] and not button.isChecked()
    qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
    assert len(shown(panel.table)) == len(sample_documents.files())


def test_a_state_without_files_stops_filtering(listed):
    panel = listed.window.library_panel
    panel.ledger.button(FileState.DAMAGED).click()
    panel.table.files.set_files([FileReport("甲.md", FileState.INDEXED)])
    assert shown(panel.table) == ["甲.md"] and panel.ledger.chosen() is None


def test_the_filter_keeps_qt_s_rules(qtbot):
    files = FileTableModel()
    model = FileFilter(files)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    files.set_files(sample_documents.files())
    model.show_only(frozenset({FileState.INDEXED}))
    files.stage(FileReport("新.md", FileState.INDEXED))
    files.stage(FileReport(LOCKED, FileState.INDEXED))
    files.show_staged()
    assert model.rowCount() == 8


def test_the_selected_file_is_explained_without_hovering(listed):
    panel = listed.window.library_panel
    panel.table.select([PARTIAL])
    details = panel.details
    assert details.isVisible() and details.name_label.text() == "系统设计说明书.pdf"
    assert details.state_label.text() == "部分 · 48页 · 121个片段"
    assert "48" in details.reason_label.text() and len(details.reason_label.text().splitlines()) == 2
    assert details.pages_label.text() == "缺第 2、5–7、31 页"
    panel.table.select(["人事/员工手册（2025 版）.pdf"])
    assert details.pages_label.text() == "第 7、9 页由文字识别得出"
    panel.table.select(["公告/关于春节放假的通知.txt"])
    assert "编码 GB18030" in details.state_label.text()
    panel.table.clearSelection()
    assert not details.isVisible()


def test_tooltips_and_screen_readers_hear_the_same(listed):
    table = listed.window.library_panel.table
    row = table.files.row_of(PARTIAL)
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        text = table.files.index(row, 0).data(role)
        assert PARTIAL in text and "部分" in text and "缺第 2、5–7、31 页" in text


def test_what_is_selected_stays_selected_when_files_are_listed_anew(listed):
    table = listed.window.library_panel.table
    table.select([PARTIAL, LOCKED])
    table.files.set_files([*sample_documents.files(), FileReport("啊.md", FileState.INDEXED)])
    assert {file.path for file, _ in table.selected()} == {PARTIAL, LOCKED}


def test_double_click_and_enter_do_the_main_thing(qtbot, listed):
    table = listed.window.library_panel.table
    table.select([PARTIAL])
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert listed.engine.last(InspectDocument).document == PARTIAL
    table.select([LOCKED])
    table.doubleClicked.emit(table.currentIndex())
    dialog = listed.controller.library.passwords.dialog
    assert dialog is not None and "供应商保密协议.pdf" in dialog.about_label.text()
    dialog.reject()


def test_the_menu_comes_by_mouse_by_key_and_by_button(qtbot, listed):
    panel = listed.window.library_panel
    table, menu = panel.table, panel.file_menu
    table.select([LOCKED])
    for reason in (QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard):
        place = table.visualRect(table.currentIndex()).center()
        event = QContextMenuEvent(reason, place, table.viewport().mapToGlobal(place))
        QApplication.sendEvent(table.viewport(), event)
        assert menu.isVisible()
        menu.hide()
    qtbot.mouseClick(panel.details.more_button, Qt.MouseButton.LeftButton)
    assert menu.isVisible() and menu.password_action.isVisible()
    menu.hide()
    table.select([PARTIAL])
    assert not menu.password_action.isVisible() and menu.inspect_action.isEnabled()
    table.clearSelection()
    table.menu_wanted.emit(QPoint(0, 0))
    assert not menu.isVisible()


def test_several_files_are_read_again_in_one_task(qtbot, listed):
    panel = listed.window.library_panel
    panel.table.select([PARTIAL, "研发/旧版接口文档.pdf"])
    assert panel.details.name_label.text() == "已选2个文件"
    assert not panel.file_menu.inspect_action.isEnabled()
    panel.file_menu.retry_action.trigger()
    command = listed.engine.last(IngestFolders)
    assert set(command.retry) == {PARTIAL, "研发/旧版接口文档.pdf"}
    assert (command.folders, command.library) == ((Path("/资料/公司制度"),), "公司制度")
    assert not command.retry_failed


def test_only_failed_files_are_retried_where_there_are_some(qtbot, listed):
    button = listed.child(QPushButton, "retryFailedOnly")
    assert button.text() == "仅重试失败的文件（8）"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    command = listed.engine.last(IngestFolders)
    assert command.retry_failed and command.retry == ()
    # Not twice at the same time.
    assert not button.isVisible()
    listed.engine.scripts[ListFiles] = lambda c: [
        FilesListed(c.task_id, c.library, (FileReport("甲.md", FileState.INDEXED),))
    ]
    listed.engine.emit(TaskStopped(command.task_id))
    qtbot.waitUntil(lambda: listed.window.library_panel.table.files.rowCount() == 1)
    assert not button.isVisible()


def test_paths_are_copied_and_folders_opened(listed, monkeypatch):
    panel = listed.window.library_panel
    panel.table.select([PARTIAL])
    panel.file_menu.copy_action.trigger()
    assert QGuiApplication.clipboard().text() == str(Path("/资料/公司制度", PARTIAL))
    asked = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toLocalFile()))
    panel.file_menu.folder_action.trigger()
    assert asked == ["/资料/公司制度/研发"]
    assert listed.window.banners.messages(), "nothing opened it, and nobody says so"


def test_a_document_is_found_in_the_folder_it_came_from(tmp_path):
    first, second, single = tmp_path / "甲" / "资料", tmp_path / "乙" / "资料", tmp_path / "一.pdf"
    for path in (first / "a.md", second / "子" / "b.md", single):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    folders = [str(first), str(second), str(single)]
    assert path_on_disk("a.md", folders) == first / "a.md"
    assert path_on_disk("子/b.md", folders) == second / "子" / "b.md"
    assert path_on_disk("资料-2/子/b.md", folders) == second / "子" / "b.md"
    assert path_on_disk("一.pdf", folders) == single
    assert path_on_disk("不在.md", [str(first)]) == first / "不在.md"
    assert path_on_disk("a.md", []) is None


def test_ocr_progress_is_told_in_the_strip(qtbot, listed):
    listed.controller.library.indexing.index([Path("/资料/公司制度")], "公司制度")
    task = listed.engine.last(IngestFolders).task_id
    listed.engine.emit(ScanFinished(task, "公司制度", 3), OcrProgress(task, "合同扫描.pdf", 12, 40))
    strip = listed.window.library_panel.progress
    qtbot.waitUntil(lambda: strip.count_label.text() == "文字识别 12 / 40页")
    assert strip.file_label.text() == "合同扫描.pdf"
    assert (strip.bar.value(), strip.bar.maximum()) == (12, 40)
    strip.show_stopping()
    strip.show_ocr("合同扫描.pdf", 13, 40)
    assert strip.count_label.text() == "正在停止…"


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((), ""),
        ((3,), "3"),
        ((7, 2, 5, 6), "2、5–7"),
        (tuple(range(1, 60, 2)), "1、3、5、7、9、11、13、15、17、19、21、23、…"),
    ],
)
def test_long_lists_of_pages_are_shortened(qapp, numbers, words):
    assert number_list(numbers) == words


def test_a_narrow_table_gives_its_room_to_names(qtbot, listed):
    table = listed.window.library_panel.table
    table.setFixedWidth(240)
    qtbot.waitUntil(lambda: table.isColumnHidden(2))
    assert table.columnWidth(0) >= 80
    table.setFixedWidth(400)
    qtbot.waitUntil(lambda: not table.isColumnHidden(2))


def test_reasons_without_words_do_not_break_the_list(listed):
    panel = listed.window.library_panel
    panel.table.files.set_files(
        [FileReport("甲.md", FileState.DAMAGED, Reason("brand_new_reason", {"n": 1}))]
    )
    panel.table.select(["甲.md"])
    assert "brand_new_reason" in panel.details.reason_label.text()


def test_a_click_on_a_title_sorts_and_the_selection_stays(qtbot, listed):
    table = listed.window.library_panel.table
    table.select([PARTIAL])
    for column in (PAGES, CHUNKS):
        table.sortByColumn(column, Qt.SortOrder.DescendingOrder)
        figures = [getattr(file, "pages" if column == PAGES else "chunks") for file in table.files.files()]
        assert figures == sorted(figures, reverse=True)
        assert [file.path for file, _ in table.selected()] == [PARTIAL]
    table.sortByColumn(NAME, Qt.SortOrder.AscendingOrder)
    assert shown(table) == [Path(file.path).name for file in sorted(sample_documents.files(), key=by_name)]


def by_name(file: FileReport) -> tuple[str, str]:
    return Path(file.path).name.casefold(), file.path


def test_the_order_stays_when_files_are_listed_anew_and_counts_go_on(qtbot, listed):
    files = listed.window.library_panel.table.files
    listed.window.library_panel.table.sortByColumn(CHUNKS, Qt.SortOrder.DescendingOrder)
    files.stage(FileReport("新.md", FileState.INDEXED, None, 1, 9_999))
    files.show_staged()
    files.set_files(files.files())
    assert files.file(0).path == "新.md"
    assert sum(files.counts().values()) == files.rowCount()


def test_the_menu_sorts_for_the_keyboard_and_a_second_time_the_other_way_round(listed):
    panel = listed.window.library_panel
    menu = panel.more_button.menu().findChild(QMenu, "sortFiles") or panel.findChild(QMenu, "sortFiles")
    action = menu.actions()[PAGES]
    action.trigger()
    first = [file.pages for file in panel.table.files.files()]
    action.trigger()
    assert [file.pages for file in panel.table.files.files()] == sorted(first, reverse=True) != first
    assert action.isChecked()


def test_words_of_the_filter_are_looked_for_in_the_whole_path(qtbot, listed):
    panel = listed.window.library_panel
    qtbot.keyClicks(panel.filter_edit, "2025 PDF")
    assert shown(panel.table) == [
        Path(file.path).name for file in sorted(sample_documents.files(), key=by_name)
        if "2025" in file.path and "pdf" in file.path.casefold()
    ]  # fmt: skip
    panel.filter_edit.setText("没有这样的文件")
    assert shown(panel.table) == [] and panel.filter_edit.isVisible()
    before = panel.table.viewport().grab().toImage()
    panel.table.files.set_files(())
    assert panel.table.viewport().grab().toImage() != before, "an empty list says why"


def test_filter_and_state_are_both_meant(listed):
    panel = listed.window.library_panel
    panel.ledger.button(FileState.NEEDS_PASSWORD).click()
    panel.filter_edit.setText("保密")
    assert shown(panel.table) == ["供应商保密协议.pdf"]


def test_when_a_file_was_read_is_told_in_words_of_the_place_and_in_a_column_where_there_is_room(listed):
    panel = listed.window.library_panel
    read = FileReport("甲.md", FileState.INDEXED, None, 1, 2, indexed_at="2025-03-01T04:00:00+00:00")
    panel.table.files.set_files([read])
    panel.table.select(["甲.md"])
    assert "2025/3/1" in panel.details.state_label.text()
    assert panel.table.isColumnHidden(INDEXED_AT)
    panel.table.setFixedWidth(900)
    panel.table.fit_columns()
    assert not panel.table.isColumnHidden(INDEXED_AT)
    assert "2025/3/1" in panel.table.files.index(0, INDEXED_AT).data()


def test_ten_thousand_files_are_shown_filtered_and_sorted_without_a_wait(qtbot, listed):
    """Limits for a slow and busy machine; tests/bench/gui has the figures."""
    files = [
        FileReport(f"部门 {n % 40}/记录 {n:05d}.pdf", FileState.INDEXED, pages=n % 90) for n in range(10_000)
    ]
    table = listed.window.library_panel.table
    for work in (
        lambda: table.files.set_files(files),
        lambda: table.show_named("记录 099"),
        lambda: table.sortByColumn(PAGES, Qt.SortOrder.DescendingOrder),
    ):
        begun = time.process_time()
        work()
        table.grab()
        assert time.process_time() - begun < 1.5
    assert len(shown(table)) == sum("099" in f"{n:05d}" for n in range(10_000))
