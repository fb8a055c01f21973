"""Passwords: asked for calmly, taken as they are typed, kept nowhere in the window."""

import logging
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from desktop.reader.pdf_pages import PdfPages
from engine.commands import GivePassword, IngestFolders, ListFiles, LocatePassage
from engine.documents import FileState, Reason
from engine.events import FileReport, FilesListed, MarkedPage, PassageLocated, TaskFailed
from tests.desktop import sample_content

SECRET = "  秘密😀 pass\t"


def locked(reason: str = "password_needed") -> tuple[FileReport, ...]:
    return (
        FileReport("一.pdf", FileState.NEEDS_PASSWORD, Reason(reason)),
        FileReport("二.pdf", FileState.NEEDS_PASSWORD, Reason("password_needed")),
        FileReport("三.md", FileState.INDEXED, None, 1, 1),
    )


def list_files(qtbot, opened, files) -> None:
    opened.engine.scripts[ListFiles] = lambda c: [FilesListed(c.task_id, c.library, files)]
    opened.controller.library.list_libraries()
    table = opened.window.library_panel.table
    qtbot.waitUntil(lambda: table.files.files() == tuple(sorted(files, key=lambda file: file.path)))


@pytest.fixture
def waiting(qtbot, opened):
    list_files(qtbot, opened, locked())
    return opened


def dialog_of(opened):
    opened.child(QPushButton, "passwordLineButton").click()
    dialog = opened.controller.library.passwords.dialog
    assert dialog is not None
    return dialog


def test_files_that_wait_are_told_of_without_a_pop_up(waiting):
    line = waiting.window.library_panel.password_line
    assert line.isVisible() and line.label.text() == "2个文件需要密码"
    assert QApplication.activeModalWidget() is None


def test_the_password_goes_out_as_it_was_typed_and_the_folders_follow(qtbot, waiting):
    waiting.engine.scripts[GivePassword] = lambda c: []
    dialog = dialog_of(waiting)
    assert not dialog.ok_button.isEnabled()
    dialog.box.setText(SECRET)
    qtbot.keyClick(dialog.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(waiting.engine.commands(IngestFolders)))
    assert waiting.engine.last(GivePassword).password == SECRET
    kinds = [type(command) for command in waiting.engine.sent]
    assert kinds.index(GivePassword) < kinds.index(IngestFolders)
    command = waiting.engine.last(IngestFolders)
    assert (command.folders, command.library) == ((Path("/资料/公司制度"),), "公司制度")
    # While they are read nothing is asked for.
    assert not waiting.window.library_panel.password_line.isVisible()


def test_it_is_hidden_until_it_is_wanted_to_be_seen(waiting):
    dialog = dialog_of(waiting)
    assert dialog.box.echoMode() == QLineEdit.EchoMode.Password
    dialog.show_box.setChecked(True)
    assert dialog.box.echoMode() == QLineEdit.EchoMode.Normal
    assert dialog.windowModality() != Qt.WindowModality.ApplicationModal
    dialog.reject()
    assert waiting.engine.commands(GivePassword) == []
    assert waiting.controller.library.passwords.dialog is None
    # And it can be opened again.
    dialog_of(waiting).reject()


def test_a_wrong_password_is_said_and_can_be_tried_again(qtbot, waiting):
    list_files(qtbot, waiting, locked("password_wrong"))
    line = waiting.window.library_panel.password_line
    assert line.label.text().splitlines()[1:] == ["已输入的密码打不开其中1个。"]
    assert line.property("tone") == "warn"
    dialog_of(waiting).reject()


def test_nothing_waits_and_nothing_is_said(qtbot, waiting):
    list_files(qtbot, waiting, (FileReport("三.md", FileState.INDEXED, None, 1, 1),))
    assert not waiting.window.library_panel.password_line.isVisible()


def test_a_password_is_in_no_log_and_no_title(qtbot, waiting, caplog):
    caplog.set_level(logging.DEBUG)
    waiting.engine.scripts[GivePassword] = lambda c: []
    dialog = dialog_of(waiting)
    dialog.box.setText("秘密123")
    dialog.accept()
    qtbot.waitUntil(lambda: bool(waiting.engine.commands(IngestFolders)))
    assert "秘密123" not in caplog.text
    assert all("秘密123" not in widget.windowTitle() for widget in QApplication.topLevelWidgets())


def test_an_engine_that_takes_no_password_says_why(qtbot, waiting):
    dialog = dialog_of(waiting)
    dialog.box.setText("x")
    dialog.accept()
    task = waiting.engine.last(GivePassword).task_id
    waiting.engine.emit(TaskFailed(task, "library_busy", {"name": "公司制度"}))
    qtbot.waitUntil(lambda: bool(waiting.window.banners.messages()))
    assert waiting.engine.commands(IngestFolders) == []


def encrypted_pdf(path: Path, password: str) -> Path:
    document = pymupdf.open()
    document.new_page(width=400, height=600).insert_text((50, 80), "secret page")
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="owner")
    document.close()
    return path


def test_one_of_the_passwords_opens_the_page(qtbot, tmp_path):
    pages = PdfPages()
    qtbot.addWidget(pages)
    path = encrypted_pdf(tmp_path / "加密.pdf", "密码é")
    assert not pages.open(path) and pages.needs_password
    assert not pages.open(path, ("错",)) and pages.needs_password
    assert pages.open(path, ("错", "密码é")) and not pages.needs_password
    assert pages.page_count == 1
    assert not pages.open(tmp_path / "没有.pdf", ("密码é",)) and not pages.needs_password


def test_the_reader_shows_the_stored_text_and_then_the_page(qtbot, opened, tmp_path):
    path = encrypted_pdf(tmp_path / "加密.pdf", "秘密")
    page = MarkedPage(1, None, "secret page", ((0, 6),), (400, 600), ((50, 70, 90, 84),))
    given: list[str] = []
    opened.engine.scripts[LocatePassage] = lambda c: [
        PassageLocated(c.task_id, c.library, "加密.pdf", path, "pdf", "加密", (page,), passwords=tuple(given))
    ]
    opened.engine.scripts[GivePassword] = lambda c: given.append(c.password) or []
    panel, reader = opened.window.reader_panel, opened.controller.reader
    reader.open_source(sample_content.hit(1))
    qtbot.waitUntil(lambda: panel.body.currentWidget() is panel.text_page)
    assert panel.text_page.marked_texts() == ["secret"]
    assert "已加密" in panel.note.label.text()
    for password, is_open in (("错", False), ("秘密", True)):
        panel.note.button.click()
        reader.passwords.dialog.box.setText(password)
        reader.passwords.dialog.accept()
        count = len(given)
        qtbot.waitUntil(lambda n=count: len(opened.engine.commands(LocatePassage)) > n)
        shown = panel.pdf_pages if is_open else panel.text_page
        qtbot.waitUntil(lambda widget=shown: panel.body.currentWidget() is widget)
        assert ("打不开" in panel.note.label.text()) is not is_open
    assert not panel.note.button.isVisible()
