"""The left panel: adding folders, per-file states, progress, Stop."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

import resources
from desktop.library.file_model import CHUNKS, NAME, PAGES, STATE, FileTableModel
from engine.commands import IngestFolders, ListFiles, ListLibraries, RemoveLibrary, StopTask
from engine.documents import FileState, Reason
from engine.events import (
    FileFinished,
    FileProgress,
    FileReport,
    FileStarted,
    LibrariesListed,
    OcrProgress,
    ScanFinished,
    TaskFailed,
    TaskStopped,
)
from tests.desktop import sample_content


def rows(table) -> list[tuple[str, ...]]:
    model = table.files
    return [
        tuple(model.index(row, column).data() for column in (NAME, STATE, PAGES, CHUNKS))
        for row in range(model.rowCount())
    ]


def test_the_model_keeps_qt_s_rules(qtbot):
    model = FileTableModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_files(sample_content.files())
    model.stage_reading("新.md")
    model.show_staged()
    model.stage(FileReport("新.md", FileState.EMPTY, Reason("zero_bytes")))
    model.show_staged()
    assert model.rowCount() == 11
    model.stage_reading("停.md")
    model.clear_reading()
    assert model.rowCount() == 11


def test_files_are_listed_with_state_words_and_reasons(opened):
    table = opened.window.library_panel.table
    listed = {row[0]: row for row in rows(table)}
    assert listed["员工手册（2025 版）.pdf"] == ("员工手册（2025 版）.pdf", "已索引", "12", "34")
    assert all(row[1] for row in listed.values())
    places = [
        row
        for row in range(table.files.rowCount())
        if table.files.index(row, NAME).data() == "2019 年租赁合同（扫描件）.pdf"
    ]
    tip = table.files.index(places[0], STATE).data(Qt.ItemDataRole.ToolTipRole)
    assert "合同/2019 年租赁合同（扫描件）.pdf" in tip
    assert len(tip.splitlines()) >= 3
    assert opened.child(QLabel, "librarySummary").text() == "10个文件 · 190个片段"


def test_add_folder_goes_into_the_knowledge_base_that_is_shown(qtbot, opened, monkeypatch, tmp_path):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "新 文件夹#1"))
    qtbot.mouseClick(opened.child(QPushButton, "addFolder"), Qt.MouseButton.LeftButton)
    command = opened.engine.last(IngestFolders)
    assert (command.folders, command.library) == ((tmp_path / "新 文件夹#1",), "公司制度")


def test_a_cancelled_picker_does_nothing(qtbot, opened, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    opened.child(QPushButton, "addFolder").click()
    assert opened.engine.commands(IngestFolders) == []


def test_first_run_offers_a_folder_and_the_samples(qtbot, empty):
    assert empty.window.pages.currentWidget() is empty.window.welcome_page
    qtbot.mouseClick(empty.child(QPushButton, "trySample"), Qt.MouseButton.LeftButton)
    command = empty.engine.last(IngestFolders)
    assert (command.folders, command.library) == ((resources.path("samples"),), "示例资料库")
    page = empty.window.welcome_page
    assert empty.window.pages.currentWidget() is page and page.model_step.isVisible()


def test_progress_names_the_file_and_counts(qtbot, empty):
    empty.controller.library.index((Path("/资料"),), None)
    task = empty.engine.last(IngestFolders).task_id
    strip = empty.window.library_panel.progress
    assert strip.isVisible()
    empty.engine.emit(
        ScanFinished(task, "资料", 3),
        FileStarted(task, "子/一.pdf"),
        FileFinished(task, FileReport("子/一.pdf", FileState.INDEXED, None, 4, 9), 1, 3),
        FileStarted(task, "二.md"),
        FileProgress(task, "二.md", 1, 5, 12),
    )
    table = empty.window.library_panel.table
    qtbot.waitUntil(lambda: table.files.rowCount() == 2)
    assert rows(table) == [("一.pdf", "已索引", "4", "9"), ("二.md", "读取中", "1", "12")]
    assert strip.count_label.text() == "1 / 3个文件"
    assert strip.file_label.text() == "二.md · 片段 5 / 12"
    assert (strip.bar.value(), strip.bar.maximum()) == (1, 3)
    assert empty.window.library_panel.library_combo.currentText() == "资料"


def test_stop_takes_back_the_unfinished_row_and_what_waited(qtbot, empty):
    library = empty.controller.library
    library.index((Path("/甲"),), None)
    library.index((Path("/乙"),), None)
    task = empty.engine.last(IngestFolders).task_id
    empty.engine.emit(ScanFinished(task, "甲", 2), FileStarted(task, "一.pdf"))
    qtbot.waitUntil(lambda: empty.window.library_panel.table.files.rowCount() == 1)
    empty.engine.scripts[ListLibraries] = lambda c: [
        LibrariesListed(c.task_id, (sample_content.library("甲"),))
    ]
    qtbot.mouseClick(empty.child(QPushButton, "stopIndexing"), Qt.MouseButton.LeftButton)
    assert StopTask(task) in empty.engine.sent
    qtbot.waitUntil(lambda: not library.is_busy())
    assert empty.window.library_panel.table.files.rowCount() == 0
    assert not empty.window.library_panel.progress.isVisible()
    assert len(empty.engine.commands(IngestFolders)) == 1


def test_folders_are_indexed_one_after_the_other(qtbot, empty):
    library = empty.controller.library
    library.index((Path("/甲"),), None)
    library.index((Path("/乙"),), None)
    first = empty.engine.last(IngestFolders)
    assert first.folders == (Path("/甲"),)
    empty.engine.emit(TaskStopped(first.task_id))
    qtbot.waitUntil(lambda: len(empty.engine.commands(IngestFolders)) == 2)
    assert empty.engine.last(IngestFolders).folders == (Path("/乙"),)


def test_a_failed_indexing_says_why_and_leads_back(qtbot, empty):
    empty.controller.library.index((Path("/空"),), None)
    task = empty.engine.last(IngestFolders).task_id
    empty.engine.emit(TaskFailed(task, "no_documents", {"folders": ["/空"]}))
    qtbot.waitUntil(lambda: bool(empty.window.banners.messages()))
    qtbot.waitUntil(lambda: empty.window.pages.currentWidget() is empty.window.welcome_page)
    assert empty.window.banners.messages()[0]


def test_dropped_folders_and_files_are_added(qtbot, opened, tmp_path):
    names = ["制度#3 (终稿)100%.pdf", "a b.pdf", "50%20.pdf", "[1].pdf"]
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
    event = QDropEvent(
        QPointF(20, 20),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    opened.window.dropEvent(event)
    command = opened.engine.last(IngestFolders)
    assert command.folders == tuple(tmp_path / name for name in names)
    assert command.library == "公司制度"


def test_ten_thousand_files_come_in_few_refreshes(qtbot, empty):
    empty.controller.library.index((Path("/大"),), None)
    task = empty.engine.last(IngestFolders).task_id
    files = empty.window.library_panel.table.files
    inserted = []
    files.rowsInserted.connect(lambda *_: inserted.append(1))
    empty.engine.emit(ScanFinished(task, "大", 10_000))
    for number in range(10_000):
        report = FileReport(f"{number}.md", FileState.INDEXED, None, 1, 1)
        empty.engine.emit(FileFinished(task, report, number + 1, 10_000))
    qtbot.waitUntil(lambda: files.rowCount() == 10_000, timeout=10_000)
    assert len(inserted) < 20


def test_removal_asks_first(qtbot, opened, monkeypatch):
    panel = opened.window.library_panel
    monkeypatch.setattr(panel, "confirm_removal", lambda name: False)
    panel.remove_action.trigger()
    assert opened.engine.commands(RemoveLibrary) == []
    monkeypatch.setattr(panel, "confirm_removal", lambda name: True)
    panel.remove_action.trigger()
    assert opened.engine.last(RemoveLibrary).library == "公司制度"


def test_sync_and_retry_send_the_known_folders(opened):
    panel = opened.window.library_panel
    for action, retry in ((panel.sync_action, False), (panel.retry_action, True)):
        action.trigger()
        command = opened.engine.last(IngestFolders)
        assert (command.folders, command.library) == ((Path("/资料/公司制度"),), "公司制度")
        assert command.retry_failed is retry
        opened.engine.emit(TaskStopped(command.task_id))
        opened.controller.library.indexing._end()


def test_the_last_synced_knowledge_base_is_shown(opened):
    assert opened.controller.library.current == "公司制度"
    assert opened.engine.last(ListFiles).library == "公司制度"


def test_pictures_that_are_being_read_give_way_to_a_new_folder(qtbot, opened, tmp_path):
    """OCR of a big archive takes hours; a folder that is added meanwhile is not to wait for it."""
    engine, library = opened.engine, opened.controller.library
    library.index((tmp_path / "档案",), "公司制度")
    archive = engine.last(IngestFolders)
    engine.emit(OcrProgress(archive.task_id, "扫描.pdf", 3, 900))
    qtbot.waitUntil(lambda: library.indexing.reads_pictures)
    library.index((tmp_path / "新文件",), "公司制度")
    assert StopTask(archive.task_id) in engine.sent
    qtbot.waitUntil(lambda: len(engine.commands(IngestFolders)) == 2)
    new = engine.last(IngestFolders)
    assert new.folders == (tmp_path / "新文件",)
    engine.done(new.task_id)
    qtbot.waitUntil(lambda: len(engine.commands(IngestFolders)) == 3)
    again = engine.last(IngestFolders)
    assert (again.folders, again.library, again.retry) == ((tmp_path / "档案",), "公司制度", ())


def test_text_that_is_being_indexed_is_not_interrupted(opened, tmp_path):
    opened.controller.library.index((tmp_path / "甲",), "公司制度")
    opened.controller.library.index((tmp_path / "乙",), "公司制度")
    assert opened.engine.commands(StopTask) == []
