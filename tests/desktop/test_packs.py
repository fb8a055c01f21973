"""Export, import, backup and restore from the window: asked for, stopped, and told what came of them."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton

from engine.commands import BackUp, ExportLibrary, ImportLibrary, ListLibraries, Restore, StopTask
from engine.documents import FileState
from engine.events import (
    BackedUp,
    FileFinished,
    FileReport,
    LibrariesListed,
    LibraryExported,
    LibraryImported,
    Restored,
    StepProgress,
    TaskFailed,
    TaskStarted,
    TaskStopped,
)
from tests.desktop import sample_content
from tests.desktop.test_properties import answer_with, pick


@pytest.fixture
def panel(opened):
    return opened.window.library_panel


def save_as(monkeypatch, file: Path | str) -> list[str]:
    offered: list[str] = []

    def ask(parent, title, path, kinds) -> tuple[str, str]:
        offered.append(Path(path).name)
        return str(file), kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return offered


def open_file(monkeypatch, file: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))


def test_a_knowledge_base_is_exported_with_progress_and_its_figures(
    qtbot, opened, panel, monkeypatch, tmp_path
):
    offered = save_as(monkeypatch, tmp_path / "制度")
    panel.export_action.trigger()
    command = opened.engine.last(ExportLibrary)
    assert offered == ["公司制度.zhiye"]
    assert (command.library, command.file) == ("公司制度", tmp_path / "制度.zhiye")
    dialog = opened.controller.packs.dialog
    assert dialog.isVisible() and not dialog.isModal()
    assert (dialog.step_label.text(), dialog.bar.maximum()) == ("正在等待其他工作完成…", 0)
    opened.engine.emit(TaskStarted(command.task_id), StepProgress(command.task_id, "progress_export", 3, 12))
    qtbot.waitUntil(lambda: dialog.bar.maximum() == 12)
    assert (dialog.bar.value(), dialog.step_label.text()) == (3, "正在打包 3/12")
    done = LibraryExported(command.task_id, "公司制度", command.file, 3 << 20, 10, 190)
    opened.engine.done(command.task_id, done)
    qtbot.waitUntil(lambda: opened.controller.packs.dialog is None)
    (said,) = opened.window.banners.messages()
    assert "190" in said and "3.0 MB" in said and str(command.file) in said


def test_a_name_that_no_file_can_have_is_offered_without_its_signs(opened, panel, monkeypatch):
    offered = save_as(monkeypatch, "")
    opened.controller.library._current = "甲/乙: 2025?"
    panel.export_action.trigger()
    assert offered == ["甲_乙_ 2025_.zhiye"]
    assert opened.engine.commands(ExportLibrary) == []


def test_a_stopped_export_ends_quietly(qtbot, opened, panel, monkeypatch, tmp_path):
    save_as(monkeypatch, tmp_path / "a.zhiye")
    panel.export_action.trigger()
    task = opened.engine.last(ExportLibrary).task_id
    dialog = opened.controller.packs.dialog
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert StopTask(task) in opened.engine.sent
    qtbot.waitUntil(lambda: opened.controller.packs.dialog is None)
    assert opened.window.banners.messages() == []


def test_one_task_at_a_time(opened, panel, monkeypatch, tmp_path):
    save_as(monkeypatch, tmp_path / "a.zhiye")
    pick(monkeypatch, tmp_path)
    panel.export_action.trigger()
    panel.backup_action.trigger()
    assert opened.engine.commands(BackUp) == []


@pytest.mark.parametrize(("button", "has_folder"), [("packWithFolder", True), ("packWithoutFolder", False)])
def test_a_pack_is_imported_and_shown(qtbot, opened, panel, monkeypatch, tmp_path, button, has_folder):
    open_file(monkeypatch, tmp_path / "论文.zhiye")
    pick(monkeypatch, tmp_path / "论文")
    asked = answer_with(monkeypatch, button)
    panel.import_action.trigger()
    command = opened.engine.last(ImportLibrary)
    assert "论文.zhiye" in asked[0]
    assert (command.file, command.relink) == (
        tmp_path / "论文.zhiye", tmp_path / "论文" if has_folder else None,
    )  # fmt: skip
    task, dialog = command.task_id, opened.controller.packs.dialog
    opened.engine.emit(FileFinished(task, FileReport("a.md", FileState.INDEXED), 2, 5))
    qtbot.waitUntil(lambda: dialog.step_label.text() == "正在查找它的文档：2 / 5")
    libraries = (sample_content.library(), sample_content.library("论文 2"))
    opened.engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, libraries)]
    relinked = 5 if has_folder else None
    opened.engine.done(task, LibraryImported(task, "论文 2", 5, 80, relinked, 0))
    qtbot.waitUntil(lambda: opened.controller.library.current == "论文 2")
    qtbot.waitUntil(lambda: panel.library_combo.currentText() == "论文 2")
    assert len(opened.window.banners.messages()) == 1 + has_folder


def test_an_import_can_be_left_at_each_question(opened, panel, monkeypatch, tmp_path):
    open_file(monkeypatch, tmp_path / "a.zhiye")
    answer_with(monkeypatch, "nobody")
    panel.import_action.trigger()
    answer_with(monkeypatch, "packWithFolder")
    pick(monkeypatch, "")
    panel.import_action.trigger()
    assert opened.engine.commands(ImportLibrary) == []


def test_a_pack_that_is_none_says_so(qtbot, opened, panel, monkeypatch, tmp_path):
    open_file(monkeypatch, tmp_path / "a.zhiye")
    answer_with(monkeypatch, "packWithoutFolder")
    panel.import_action.trigger()
    task = opened.engine.last(ImportLibrary).task_id
    opened.engine.emit(TaskFailed(task, "pack_invalid", {"path": "a.zhiye", "detail": "zip"}))
    qtbot.waitUntil(lambda: any("不是知识库包" in text for text in opened.window.banners.messages()))
    assert opened.controller.packs.dialog is None


def test_a_backup_says_where_it_is_and_what_is_not_in_it(qtbot, opened, panel, monkeypatch, tmp_path):
    pick(monkeypatch, tmp_path)
    panel.backup_action.trigger()
    command = opened.engine.last(BackUp)
    assert command.folder == tmp_path
    made = BackedUp(command.task_id, tmp_path / "zhiye-backup-1", ("公司制度",), 1 << 20, ("0123456789ab",))
    opened.engine.done(command.task_id, made)
    qtbot.waitUntil(lambda: len(opened.window.banners.messages()) == 2)
    said, left_out = opened.window.banners.messages()
    assert "zhiye-backup-1" in said and "0123456789ab" in left_out


def test_a_first_start_can_take_in_what_was_elsewhere(qtbot, empty, monkeypatch, tmp_path):
    pick(monkeypatch, tmp_path)
    qtbot.mouseClick(empty.child(QPushButton, "welcomeRestore"), Qt.MouseButton.LeftButton)
    command = empty.engine.last(Restore)
    assert command.folder == tmp_path
    empty.engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, (sample_content.library(),))]
    aside = (tmp_path / "kept-aside" / "x",)
    empty.engine.done(command.task_id, Restored(command.task_id, tmp_path, ("公司制度",), 7, aside))
    qtbot.waitUntil(lambda: empty.window.pages.currentWidget() is empty.window.workspace)
    said, kept = empty.window.banners.messages()
    assert "7" in said and str(aside[0]) in kept
    open_file(monkeypatch, tmp_path / "a.zhiye")
    monkeypatch.setattr(QMessageBox, "exec", lambda box: None)
    empty.child(QPushButton, "welcomeImport").click()
    assert empty.engine.commands(ImportLibrary) == [], "the question was left open"


def test_without_a_knowledge_base_the_menu_offers_what_makes_one(empty):
    panel = empty.window.library_panel
    assert panel.more_button.isEnabled()
    assert panel.import_action.isEnabled() and panel.restore_action.isEnabled()
    for action in (panel.export_action, panel.properties_action, panel.remove_action, panel.sync_action):
        assert not action.isEnabled()


def test_a_stop_that_comes_too_late_still_ends(qtbot, opened, panel, monkeypatch, tmp_path):
    pick(monkeypatch, tmp_path)
    panel.backup_action.trigger()
    task = opened.engine.last(BackUp).task_id
    dialog = opened.controller.packs.dialog
    dialog.show_step("正在复制 1/2 MB", 1, 2)
    dialog._is_stopping = True
    dialog.show_step("正在复制 2/2 MB", 2, 2)
    assert dialog.step_label.text() == "正在复制 1/2 MB", "news on the way do not take the word back"
    opened.engine.emit(TaskStopped(task))
    qtbot.waitUntil(lambda: opened.controller.packs.dialog is None)
