"""Settings of a knowledge base: OK sends what was changed and nothing else, an error loses nothing."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QPushButton, QWidget

from desktop.design_tokens import DARK, LIGHT, palette_of
from desktop.library.properties.changes import FolderWish, Wanted, after, changes, needs_sync
from engine.commands import ChangeLibrary, ForgetFolder, IngestFolders, ListLibraries, MoveFolder, StopTask
from engine.events import LibrariesListed, ScanFinished, TaskFailed
from tests.desktop import sample_content
from tests.desktop.conftest import Opened
from tests.desktop.test_theme import unreadable

HERE, AWAY, ELSEWHERE = Path("/资料/公司制度"), Path("/media/盘/合同"), Path("项目归档")
LIBRARY = replace(
    sample_content.library(),
    folders=(str(HERE), str(AWAY), str(ELSEWHERE)),
    offline=(str(AWAY),),
    exclude=("草稿/",),
)
OTHER = sample_content.library("研究论文")


@pytest.fixture
def settings(qtbot, opened: Opened):
    """The dialog of a knowledge base with a folder here, one that is away, and one of another machine."""
    opened.engine.scripts[ListLibraries] = lambda c: [LibrariesListed(c.task_id, (LIBRARY, OTHER))]
    opened.controller.library.list_libraries()
    panel = opened.window.library_panel
    qtbot.waitUntil(lambda: panel.library_combo.count() == 2)
    panel.properties_action.trigger()
    dialog = opened.controller.library.properties.dialog
    assert dialog is not None
    yield dialog
    if opened.controller.library.properties.dialog is not None:
        dialog.show_applying(False)
        dialog.reject()


def agree(opened: Opened) -> None:
    """The engine does everything it is asked for."""
    for kind in (ChangeLibrary, MoveFolder, ForgetFolder):
        opened.engine.scripts[kind] = lambda c: []


def sent(opened: Opened) -> list[type]:
    kinds = (ChangeLibrary, MoveFolder, ForgetFolder, IngestFolders)
    return [type(command) for command in opened.engine.sent if isinstance(command, kinds)]


def pick(monkeypatch, folder: str | Path) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))


def answer_with(monkeypatch, name: str) -> list[str]:
    """Click the button of this name in the next question; returns the texts of the questions."""
    asked: list[str] = []

    def run(box: QMessageBox) -> None:
        asked.append(box.text())
        button = box.findChild(QAbstractButton, name)
        (button or box.button(QMessageBox.StandardButton.Cancel)).click()

    monkeypatch.setattr(QMessageBox, "exec", run)
    return asked


def row(dialog, path: Path):
    return next(row for row in dialog.folder_list.rows if row.wish.known == path)


def closed(opened: Opened):
    return lambda: opened.controller.library.properties.dialog is None


def test_each_folder_says_how_it_stands(settings):
    states = [row.state_label.text() for row in settings.folder_list.rows]
    assert states[0] == "可以访问"
    assert states[1].startswith("无法访问") and states[2].startswith("不在这台电脑上")
    assert row(settings, HERE).open_button.isVisibleTo(settings)
    assert not row(settings, ELSEWHERE).open_button.isVisibleTo(settings)


def test_ok_without_a_change_sends_nothing(qtbot, opened, settings):
    settings.ok_button.click()
    qtbot.waitUntil(closed(opened))
    assert sent(opened) == []


def test_cancel_sends_nothing_of_what_was_changed(opened, settings, monkeypatch):
    answer_with(monkeypatch, "confirmForget")
    settings.name_box.setText("别的名称")
    settings.selection.include_box.setPlainText("*.pdf")
    row(settings, HERE).remove_button.click()
    settings.cancel_button.click()
    assert opened.controller.library.properties.dialog is None
    assert sent(opened) == []


def test_ok_sends_all_changes_and_then_one_sync(qtbot, opened, settings, monkeypatch, tmp_path):
    agree(opened)
    answer_with(monkeypatch, "confirmForget")
    settings.name_box.setText(" 制度汇编 ")
    settings.selection.include_box.setPlainText("*.pdf\n\n 合同/ \n")
    settings.selection.hidden_box.setChecked(True)
    settings.paused_box.setChecked(True)
    settings.profile_combo.setCurrentIndex(settings.profile_combo.findData("long"))
    pick(monkeypatch, tmp_path / "新盘")
    row(settings, AWAY).locate_button.click()
    row(settings, HERE).remove_button.click()
    pick(monkeypatch, tmp_path / "补充")
    settings.add_button.click()
    assert sent(opened) == []
    settings.ok_button.click()
    qtbot.waitUntil(lambda: bool(opened.engine.commands(IngestFolders)))
    assert sent(opened) == [ChangeLibrary, MoveFolder, ForgetFolder, IngestFolders]
    change, move = opened.engine.last(ChangeLibrary), opened.engine.last(MoveFolder)
    assert (change.library, change.name) == ("公司制度", "制度汇编")
    assert (change.paused, change.hidden) == (True, True)
    assert (change.include, change.exclude) == (("*.pdf", "合同/"), None)
    assert (move.library, move.folder, move.now_at) == ("制度汇编", AWAY, tmp_path / "新盘")
    assert opened.engine.last(ForgetFolder).folder == HERE
    sync = opened.engine.last(IngestFolders)
    # What lies on another machine cannot be read here.
    assert (sync.folders, sync.library) == ((tmp_path / "新盘", tmp_path / "补充"), "制度汇编")
    assert (sync.profile, sync.deep) == ("long", False)
    assert opened.controller.library.current == "制度汇编"


def test_a_new_name_alone_reads_nothing_again(qtbot, opened, settings):
    agree(opened)
    settings.name_box.setText("制度汇编")
    opened.engine.scripts[ListLibraries] = lambda c: [
        LibrariesListed(c.task_id, (replace(LIBRARY, name="制度汇编"), OTHER))
    ]
    qtbot.keyClick(settings.name_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.window.library_panel.library_combo.currentText() == "制度汇编")
    assert sent(opened) == [ChangeLibrary]


def test_a_taken_name_is_said_beside_the_field_and_nothing_is_lost(opened, settings):
    settings.name_box.setText("研究论文")
    settings.selection.exclude_box.setPlainText("*.tmp")
    settings.ok_button.click()
    assert sent(opened) == []
    assert settings.isVisible() and settings.name_error.isVisible()
    assert "研究论文" in settings.name_error.text()
    assert settings.name_box.accessibleDescription() == settings.name_error.text()
    assert settings.selection.exclude() == ("*.tmp",)
    settings.name_box.setText("  ")
    settings.ok_button.click()
    assert settings.name_error.text() == "知识库需要一个名称。"


def test_a_name_that_another_program_took_meanwhile_is_said_too(qtbot, opened, settings):
    settings.name_box.setText("新名称")
    settings.ok_button.click()
    assert not settings.cancel_button.isEnabled()
    settings.reject()
    assert settings.isVisible(), "it is not closed while the engine works on it"
    task = opened.engine.last(ChangeLibrary).task_id
    opened.engine.emit(TaskFailed(task, "library_name_taken", {"name": "新名称"}))
    qtbot.waitUntil(settings.name_error.isVisible)
    assert settings.cancel_button.isEnabled() and settings.name_box.text() == "新名称"


@pytest.mark.parametrize("field", ["include", "exclude"])
def test_a_bad_pattern_is_said_below_its_own_box(qtbot, opened, settings, field):
    getattr(settings.selection, f"{field}_box").setPlainText("*.pdf\n[a")
    settings.ok_button.click()
    task = opened.engine.last(ChangeLibrary).task_id
    opened.engine.emit(TaskFailed(task, "pattern_invalid", {"pattern": "*.pdf [a", "detail": "x"}))
    errors = {name: getattr(settings.selection, f"{name}_error") for name in ("include", "exclude")}
    qtbot.waitUntil(errors[field].isVisible)
    assert [name for name, label in errors.items() if label.isVisible()] == [field]
    assert sent(opened) == [ChangeLibrary]


def test_what_was_done_before_an_error_is_not_sent_again(qtbot, opened, settings, monkeypatch):
    agree(opened)
    del opened.engine.scripts[MoveFolder]
    settings.name_box.setText("新名称")
    pick(monkeypatch, "/")
    row(settings, AWAY).locate_button.click()
    settings.ok_button.click()
    qtbot.waitUntil(lambda: bool(opened.engine.commands(MoveFolder)))
    opened.engine.emit(TaskFailed(opened.engine.last(MoveFolder).task_id, "folder_too_broad", {"path": "/"}))
    qtbot.waitUntil(settings.folders_error.isVisible)
    assert "整个磁盘" in settings.folders_error.text()
    row(settings, AWAY).undo_button.click()
    settings.ok_button.click()
    qtbot.waitUntil(closed(opened))
    assert sent(opened).count(ChangeLibrary) == 1
    assert opened.controller.library.current == "新名称"


def test_removing_a_folder_is_asked_about_and_can_be_undone(settings, monkeypatch):
    asked = answer_with(monkeypatch, "nobody")
    here = row(settings, HERE)
    here.remove_button.click()
    assert str(HERE) in asked[0] and here.wish == FolderWish(HERE, HERE)
    answer_with(monkeypatch, "confirmForget")
    here.remove_button.click()
    assert here.wish == FolderWish(HERE, None)
    here.undo_button.click()
    assert here.wish == FolderWish(HERE, HERE)


def test_a_folder_is_added_once_and_taken_back(settings, monkeypatch):
    pick(monkeypatch, HERE)
    settings.add_button.click()
    assert len(settings.folder_list.rows) == 3 and settings.folders_error.isVisible()
    pick(monkeypatch, "/资料/新")
    settings.add_button.click()
    assert not settings.folders_error.isVisible()
    settings.folder_list.rows[-1].undo_button.click()
    assert [row.shown for row in settings.folder_list.rows] == [HERE, AWAY, ELSEWHERE]


def test_a_folder_that_cannot_be_opened_says_so(settings, monkeypatch):
    wanted = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: wanted.append(url.toLocalFile()))
    row(settings, HERE).open_button.click()
    assert wanted == [str(HERE)]
    assert str(HERE) in settings.folders_error.text()


def test_the_deep_check_reads_the_folders_that_are_here(opened, settings):
    settings.deep_button.click()
    command = opened.engine.last(IngestFolders)
    assert command.deep and command.folders == (HERE, AWAY) and command.library == "公司制度"
    assert not settings.deep_button.isEnabled()


def test_a_sync_in_hand_makes_room_and_is_done_again(qtbot, opened, settings):
    agree(opened)
    settings.deep_button.click()
    running = opened.engine.last(IngestFolders)
    opened.engine.emit(ScanFinished(running.task_id, "公司制度", 3))
    qtbot.waitUntil(lambda: opened.controller.library.indexing.library == "公司制度")
    settings.name_box.setText("新名称")
    settings.ok_button.click()
    qtbot.waitUntil(lambda: len(opened.engine.commands(IngestFolders)) == 2)
    kinds = [type(command) for command in opened.engine.sent]
    assert kinds.index(StopTask) < kinds.index(ChangeLibrary)
    again = opened.engine.last(IngestFolders)
    assert (again.library, again.folders, again.deep) == ("新名称", running.folders, True)


def test_folders_that_are_away_are_told_and_lead_to_the_settings(qtbot, opened, settings):
    settings.reject()
    panel = opened.window.library_panel
    assert panel.sync_line.text() == "2个文件夹无法访问"
    assert panel.table.files.rowCount() == 10, "their files stay listed"
    qtbot.mouseClick(opened.child(QPushButton, "locateFolder"), Qt.MouseButton.LeftButton)
    assert opened.controller.library.properties.dialog is not None
    opened.controller.library.properties.dialog.reject()
    panel.show_places(OTHER)
    assert not panel.locate_button.isVisible()


def test_every_control_of_the_settings_can_be_reached_and_named(settings):
    unnamed = []
    for widget in settings.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(settings):
            interface = QAccessible.queryAccessibleInterface(widget)
            if not interface.text(QAccessible.Text.Name).strip():
                unnamed.append(f"{type(widget).__name__} {widget.objectName()}")
    assert unnamed == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_of_the_settings_reads_in_both_themes(qtbot, qapp, settings, theme):
    qapp.setPalette(palette_of(theme))
    settings.name_box.setText("")
    settings.ok_button.click()
    row(settings, AWAY).move_to(Path("/新"))
    qtbot.wait(20)
    assert unreadable(settings) == []


def test_a_sync_leaves_out_what_lies_on_another_machine(opened, settings):
    settings.reject()
    opened.window.library_panel.sync_action.trigger()
    assert opened.engine.last(IngestFolders).folders == (HERE, AWAY)


def test_the_whole_home_folder_is_asked_about_first(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    chosen = [str(tmp_path / "文档"), str(tmp_path)]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: chosen.pop())
    asked = answer_with(monkeypatch, "chooseAnother")
    opened.child(QPushButton, "addFolder").click()
    assert "主文件夹" in asked[0]
    assert opened.engine.last(IngestFolders).folders == (tmp_path / "文档",)


def test_the_whole_home_folder_can_be_indexed_or_left(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    pick(monkeypatch, tmp_path)
    answer_with(monkeypatch, "nobody")
    opened.child(QPushButton, "addFolder").click()
    opened.controller.library.add_dropped((tmp_path,))
    assert opened.engine.commands(IngestFolders) == []
    answer_with(monkeypatch, "indexHome")
    opened.controller.library.add_dropped((tmp_path,))
    assert opened.engine.last(IngestFolders).folders == (tmp_path,)


def test_a_folder_that_the_engine_refuses_says_why(qtbot, opened, monkeypatch):
    pick(monkeypatch, "/")
    opened.child(QPushButton, "addFolder").click()
    task = opened.engine.last(IngestFolders).task_id
    opened.engine.emit(TaskFailed(task, "folder_too_broad", {"path": "/"}))
    qtbot.waitUntil(lambda: any("整个磁盘" in text for text in opened.window.banners.messages()))


def test_changes_are_only_what_differs():
    wanted = Wanted("公司制度", False, (), ("草稿/",), False, "general", (FolderWish(HERE, HERE),))
    count = iter(range(100))
    assert changes(LIBRARY, wanted, lambda: next(count)) == [] and not needs_sync(LIBRARY, wanted)
    cleared = replace(wanted, exclude=(), name="新")
    (change,) = changes(LIBRARY, cleared, lambda: next(count))
    assert isinstance(change, ChangeLibrary) and change.exclude == ()
    assert needs_sync(LIBRARY, cleared)
    assert (after(LIBRARY, change).name, after(LIBRARY, change).exclude) == ("新", ())
    # What is done is not wanted any more.
    assert changes(after(LIBRARY, change), cleared, lambda: next(count)) == []
