"""The shortcuts of the main window: found where they are, changed, kept, and never given twice."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from desktop import application
from desktop.preferences import Preferences
from desktop.settings.row import SettingRow
from desktop.settings.shortcuts_page import ShortcutsPage
from desktop.shortcuts import KeptShortcuts, shortcuts_of

PORTABLE = QKeySequence.SequenceFormat.PortableText


@pytest.fixture
def page(qtbot, opened) -> ShortcutsPage:
    made = ShortcutsPage(opened.controller.settings.shortcuts())
    qtbot.addWidget(made.page)
    return made


def press(row: SettingRow, keys: str) -> None:
    row.control.edit.setKeySequence(QKeySequence(keys))
    row.control.edit.editingFinished.emit()


def test_every_shortcut_of_the_window_is_found_once(opened, page):
    expected = {
        button.objectName(): button.shortcut().toString(PORTABLE)
        for button in opened.window.findChildren(QPushButton)
        if not button.shortcut().isEmpty() and button.window() is opened.window
    }
    shown = {name: row.control.value() for name, row in page.page.rows.items()}
    assert expected.items() <= shown.items()
    assert shown["openSettings"] == "Ctrl+,"
    assert len(set(shown.values())) == len(shown), "no keys do two things"
    assert all(row.title_label.text() for row in page.page.rows.values())


def test_those_of_other_windows_are_not_taken_for_the_windows_own(opened):
    other = QWidget(opened.window, Qt.WindowType.Window)
    button = QPushButton("别处", other)
    button.setShortcut("Ctrl+J")
    own = QShortcut(QKeySequence("Ctrl+L"), opened.window)
    own.setWhatsThis("有名字")
    QShortcut(QKeySequence("Ctrl+M"), opened.window)
    titles = [each.title for each in shortcuts_of(opened.window)]
    assert "有名字" in titles
    assert "别处" not in titles
    assert [each.title for each in shortcuts_of(other)] == ["别处"]


def test_new_keys_work_at_once_and_at_the_next_start(qtbot, opened, page, make_engine, shape):
    button = opened.window.settings_button
    press(page.page.rows["openSettings"], "Ctrl+Alt+S")
    assert button.shortcut() == QKeySequence("Ctrl+Alt+S")
    assert "Ctrl+Alt+S" in button.toolTip()
    assert "默认：Ctrl+," in page.page.rows["openSettings"].state_label.text()
    preferences = opened.controller.preferences
    window, controller = application.open_window(make_engine, shape=shape, preferences=preferences)
    assert window.settings_button.shortcut() == QKeySequence("Ctrl+Alt+S")
    window.close()
    controller.close()
    page.page.rows["openSettings"].reset_button.click()
    assert button.shortcut() == QKeySequence("Ctrl+,")
    assert preferences.shortcuts() == {}
    assert page.page.rows["openSettings"].reset_button.isHidden()
    window.deleteLater()


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("Ctrl+H", "已经用于"),
        ("A", "Ctrl 或 Alt"),
        ("Shift+B", "Ctrl 或 Alt"),
        ("Esc", "没有改动"),
        ("", "没有改动"),
    ],
)
def test_keys_that_will_not_do_are_refused_with_the_reason(opened, page, keys, words):
    row = page.page.rows["openSettings"]
    press(row, keys)
    assert words in row.problem_label.text()
    assert row.control.value() == "Ctrl+,"
    assert opened.window.settings_button.shortcut() == QKeySequence("Ctrl+,")
    press(row, "F9")
    assert row.problem_label.isHidden()
    assert row.control.value() == "F9"


def test_kept_keys_that_something_else_has_by_now_are_left_out(qtbot, opened):
    preferences = Preferences()
    preferences.set_shortcut("openSettings", "Ctrl+H")
    preferences.set_shortcut("openCheck", "☃")
    preferences.set_shortcut("longGone", "Ctrl+9")
    KeptShortcuts(opened.window, preferences)
    assert opened.window.settings_button.shortcut() == QKeySequence("Ctrl+,")
    assert opened.window.check_button.shortcut() == QKeySequence("Ctrl+Shift+K")
