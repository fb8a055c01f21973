"""Screens that go, sleep, and fonts that are not there."""

import time

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop import application, fonts, languages
from desktop.library import keeping
from desktop.screen_place import fitting, reachable
from engine.commands import IngestFolders
from tests.desktop.test_sync import kept, libraries  # noqa: F401 -- fixtures

LEFT, RIGHT = QRect(0, 0, 1920, 1040), QRect(1920, 0, 2560, 1400)


@pytest.mark.parametrize(
    "frame",
    [QRect(100, 100, 1440, 900), QRect(1800, 900, 1440, 900), QRect(-1200, 20, 1440, 900)],
)
def test_a_window_that_can_be_taken_hold_of_stays_where_it_is(frame):
    assert reachable(frame, [LEFT, RIGHT]) == frame


@pytest.mark.parametrize(
    "frame",
    [
        QRect(2600, 100, 1440, 900),  # on the screen that was on the right
        QRect(100, -860, 1440, 900),  # its foot is seen, its title bar is not
        QRect(100, 1036, 1440, 900),
        QRect(-1430, 20, 1440, 900),
    ],
)
def test_one_that_cannot_comes_to_the_first_screen(frame):
    placed = reachable(frame, [LEFT])
    assert LEFT.contains(placed) and placed.size() == QSize(1440, 900)


def test_one_that_is_larger_than_the_screen_that_is_left_fits_into_it():
    small = QRect(0, 0, 1280, 720)
    assert reachable(QRect(3000, 100, 2000, 1300), [small]) == small
    assert reachable(QRect(3000, 100, 2000, 1300), []) == QRect(3000, 100, 2000, 1300)


def test_the_first_window_fits_the_screen_with_its_frame():
    wanted = QSize(1440, 900)
    assert fitting(wanted, RIGHT) == wanted
    assert fitting(wanted, QRect(0, 0, 1366, 728)).height() < 700


def test_a_window_whose_screen_goes_comes_to_where_it_is_seen(qtbot, make_engine, shape, monkeypatch):
    window, controller = application.open_window(make_engine, shape=shape)
    monkeypatch.setattr(QTimer, "singleShot", lambda _, receiver, look: look())
    window.move(5000, 3000)
    QGuiApplication.instance().screenRemoved.emit(QGuiApplication.primaryScreen())
    seen = QGuiApplication.primaryScreen().availableGeometry()
    assert seen.contains(window.frameGeometry().topLeft() + QPoint(2, 2))
    window.close()
    controller.close()
    window.deleteLater()


def test_after_a_sleep_everything_is_looked_through(kept, monkeypatch):  # noqa: F811
    kept.settle()
    monkeypatch.setattr(keeping, "AWAKE_S", 0.0)
    before = len(kept.engine.commands(IngestFolders))
    kept.controller.keeping._on_heartbeat()
    kept.qtbot.wait(30)
    assert len(kept.engine.commands(IngestFolders)) == before, "it was awake"
    now = time.time()
    monkeypatch.setattr(keeping.time, "time", lambda: now + 8 * 3600)
    kept.controller.keeping._on_heartbeat()
    assert kept.last(1).below == ()


def test_without_a_chinese_font_it_says_which_package_is_missing(qtbot, make_engine, shape, monkeypatch):
    monkeypatch.setattr(fonts, "has_chinese", lambda: False)
    window, controller = application.open_window(make_engine, shape=shape)
    (message,) = [each for each in window.banners.messages() if "font" in each]
    assert "fonts-noto-cjk" in message and message.isascii()
    window.close()
    controller.close()
    window.deleteLater()


def test_without_a_chinese_font_the_window_speaks_english_unless_somebody_wants_chinese(monkeypatch):
    monkeypatch.setattr(languages, "system_language", lambda: "zh")
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: [])
    try:
        application.make_application()
        assert languages.current() == "en"
        application.make_application("zh")
        assert languages.current() == "zh"
    finally:
        monkeypatch.undo()
        fonts.choose_font(QApplication.instance())
        languages.install("zh")


def test_this_machine_has_a_chinese_font(qapp):
    assert fonts.has_chinese(), "the pictures and the tests of widths need one"
