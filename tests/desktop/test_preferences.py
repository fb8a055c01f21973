"""What a person chose for the window alone: kept, applied while it runs, and never in the way of a start."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from desktop import application, languages
from desktop.appearance import Appearance
from desktop.design_tokens import DARK, LIGHT, current_colours, palette_of
from desktop.preferences import DEFAULTS, Preferences


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "window.ini"


@pytest.fixture
def usual_look(qapp):
    """What a test does to the application's look is taken back."""
    yield
    look = Appearance(qapp, Preferences())
    look.deleteLater()
    qapp.setPalette(palette_of(LIGHT))


def test_what_was_chosen_is_there_at_the_next_start(qapp, file):
    preferences = Preferences(file)
    told = []
    preferences.changed.connect(told.append)
    for name, value in (("language", "en"), ("theme", "dark"), ("font_percent", 125), ("tray", True)):
        preferences.set(name, value)
    preferences.set("notify", False)
    preferences.set("notify", False)
    assert told == ["language", "theme", "font_percent", "tray", "notify"]
    again = Preferences(file)
    assert (again.language, again.theme, again.font_percent) == ("en", "dark", 125)
    assert (again.tray, again.notify) == (True, False)
    for name, default in DEFAULTS.items():
        again.set(name, default)
    assert "font_percent" not in file.read_text(encoding="utf-8"), "a default is not kept"


BROKEN = {
    "nothing": b"",
    "zeros": b"\0" * 200,
    "no ini": b'{"theme":',
    "another encoding": "[General]\ntheme=暗\n".encode("gbk"),
    "bad values": b"[General]\nlanguage=fr\ntheme=7\nfont_percent=huge\ntray=perhaps\nnotify=false\n",
    "a size without bounds": b"[General]\nfont_percent=9000\nnotify=false\n",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_keeps_no_window_from_opening(qapp, file, content):
    file.write_bytes(content)
    preferences = Preferences(file)
    assert (preferences.language, preferences.theme, preferences.font_percent) == (None, "system", 100)
    assert preferences.tray is False
    assert preferences.notify is (b"notify=false" not in content), "good values stand"
    preferences.set("font_percent", 110)
    assert Preferences(file).font_percent == 110


def test_a_folder_of_that_name_is_set_aside(qapp, file):
    file.mkdir()
    preferences = Preferences(file)
    preferences.set("theme", "light")
    assert Preferences(file).theme == "light"
    assert [each.name for each in file.parent.glob("window.ini.bak-*")]


def test_colours_change_while_windows_are_open_and_follow_the_system_again(qapp, opened, usual_look):
    preferences = opened.controller.preferences
    look = Appearance(qapp, preferences)
    assert current_colours() is LIGHT
    preferences.set("theme", "dark")
    assert current_colours() is DARK
    assert DARK.window in opened.window.styleSheet()
    preferences.set("theme", "light")
    assert LIGHT.window in opened.window.styleSheet()
    preferences.set("theme", "system")
    assert qapp.palette().resolveMask() == 0, "nothing of ours is left on the application"
    look.deleteLater()


def test_text_grows_while_windows_are_open(qapp, opened, usual_look):
    preferences = opened.controller.preferences
    look = Appearance(qapp, preferences)
    usual = QApplication.font().pointSizeF()
    before = opened.window.ask_panel.composer.ask_button.fontMetrics().height()
    preferences.set("font_percent", 150)
    assert QApplication.font().pointSizeF() == pytest.approx(usual * 1.5, abs=0.01)
    assert f"{usual * 1.5:.1f}pt" in opened.window.styleSheet()
    QCoreApplication.processEvents()
    assert opened.window.ask_panel.composer.ask_button.fontMetrics().height() > before * 1.3
    preferences.set("font_percent", 100)
    assert QApplication.font().pointSizeF() == pytest.approx(usual, abs=0.01)
    look.deleteLater()


def test_the_language_of_the_command_line_comes_before_the_kept_one(qapp, file, usual_look):
    preferences = Preferences(file)
    preferences.set("language", "en")
    application.prepare(qapp, preferences, "zh")
    assert languages.current() == "zh"
    application.prepare(qapp, preferences, None)
    assert languages.current() == "en"


def test_keys_are_kept_and_taken_back(qapp, file):
    preferences = Preferences(file)
    keys = QKeySequence("Ctrl+Alt+,").toString(QKeySequence.SequenceFormat.PortableText)
    preferences.set_shortcut("openSettings", keys)
    assert Preferences(file).shortcuts() == {"openSettings": keys}
    preferences.set_shortcut("openSettings", None)
    assert Preferences(file).shortcuts() == {}
