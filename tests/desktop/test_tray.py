"""The tray, messages at the end of a long index, and starting again."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop import application, index_notice, tray
from desktop.autostart import IN_TRAY
from desktop.index_notice import IndexNotice
from desktop.preferences import Preferences
from desktop.restarting import own_command
from desktop.tray import Tray


class RecordingIcon(QSystemTrayIcon):
    """Remembers its messages; the offscreen platform has no tray."""

    messages: list[tuple[str, str]]

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.messages = []
        self.is_shown = False

    def setVisible(self, is_visible: bool) -> None:
        self.is_shown = is_visible

    def show(self) -> None:
        self.is_shown = True

    def hide(self) -> None:
        self.is_shown = False

    def isVisible(self) -> bool:
        return self.is_shown

    def showMessage(self, title, text, *_) -> None:
        self.messages.append((title, text))

    @staticmethod
    def isSystemTrayAvailable() -> bool:
        return True


@pytest.fixture
def with_tray(monkeypatch):
    monkeypatch.setattr(tray, "QSystemTrayIcon", RecordingIcon)
    yield
    QApplication.setQuitOnLastWindowClosed(True)


def test_off_by_default_and_closing_ends_the_program(with_tray, opened):
    assert opened.controller.tray.icon is None, "nothing is made that nobody wants"
    assert QApplication.quitOnLastWindowClosed()
    with pytest.MonkeyPatch.context() as patch:
        closed = []
        patch.setattr(type(opened.window), "closeEvent", lambda self, event: closed.append(True))
        opened.window.close()
    assert closed == [True]


def test_closing_goes_to_the_tray_and_the_icon_brings_it_back(qtbot, with_tray, opened):
    controller = opened.controller
    controller.preferences.set("tray", True)
    icon = controller.tray.icon
    assert icon is not None and icon.isVisible()
    assert not QApplication.quitOnLastWindowClosed()
    controller.health.open()
    opened.window.close()
    assert not opened.window.isVisible()
    assert controller.health.window is None or not controller.health.window.isVisible()
    assert opened.engine.stops == 0, "what is under way goes on"
    icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)
    assert not opened.window.isVisible()
    icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert opened.window.isVisible()
    controller.preferences.set("tray", False)
    assert not icon.isVisible()
    assert QApplication.quitOnLastWindowClosed()


def test_quit_of_its_menu_closes_for_good(with_tray, opened, monkeypatch):
    ended = []
    monkeypatch.setattr(QApplication, "quit", lambda: ended.append(True))
    opened.controller.preferences.set("tray", True)
    closed = []
    opened.window.closed.connect(lambda: closed.append(True))
    quit_action = opened.controller.tray.icon.contextMenu().actions()[-1]
    assert quit_action.text() == "退出"
    quit_action.trigger()
    assert (closed, ended) == ([True], [True])


def test_the_end_of_the_session_is_no_closing_to_the_tray(with_tray, opened):
    opened.controller.preferences.set("tray", True)
    opened.controller.tray.eventFilter(opened.window, QEvent(QEvent.Type.Quit))
    closed = []
    opened.window.closed.connect(lambda: closed.append(True))
    opened.window.close()
    assert closed == [True]


def test_without_a_tray_closing_always_ends_the_program(opened):
    opened.controller.preferences.set("tray", True)
    assert not opened.controller.tray.is_on()
    assert QApplication.quitOnLastWindowClosed()


@pytest.mark.parametrize(("wanted", "is_shown"), [(True, False), (False, True)])
def test_a_start_into_the_tray_shows_no_window_where_there_is_one(
    with_tray, make_engine, shape, wanted, is_shown
):
    preferences = Preferences()
    preferences.set("tray", wanted)
    window, controller = application.open_window(
        make_engine, shape=shape, preferences=preferences, in_tray=True
    )
    assert window.isVisible() is is_shown
    controller.come_forward(())
    assert window.isVisible()
    controller.tray.quit()
    controller.close()
    window.deleteLater()


# -- messages -------------------------------------------------------------------------------------


def messages(opened) -> list[tuple[str, str]]:
    icon = opened.controller.tray.icon
    return [] if icon is None else icon.messages


@pytest.mark.parametrize(
    ("seconds", "is_active", "notify", "count"),
    [(61.0, False, True, 1), (59.0, False, True, 0), (61.0, True, True, 0), (61.0, False, False, 0)],
)
def test_a_long_index_is_announced_to_somebody_who_looks_elsewhere(
    with_tray, opened, monkeypatch, seconds, is_active, notify, count
):
    active = opened.window if is_active else None
    monkeypatch.setattr(index_notice.QApplication, "activeWindow", lambda: active)
    opened.controller.preferences.set("notify", notify)
    opened.controller.library.indexing.synced.emit("制度", (), seconds)
    assert messages(opened) == [("索引完成", "知识库“制度”已是最新。")] * count


def test_a_message_that_is_clicked_brings_the_window_forward(qtbot, with_tray, opened):
    opened.controller.tray.announce("标题", "文字")
    opened.window.hide()
    opened.controller.tray.icon.messageClicked.emit()
    assert opened.window.isVisible()


def test_without_a_tray_the_window_only_asks_for_attention(opened, monkeypatch):
    asked = []
    monkeypatch.setattr(tray.QApplication, "alert", asked.append)
    made = Tray(opened.window, Preferences())
    IndexNotice(opened.controller.library.indexing, made, Preferences())
    made.announce("标题", "文字")
    assert asked == [opened.window]
    assert made.icon is None


# -- starting again -------------------------------------------------------------------------------


def test_the_program_is_started_again_as_it_was_started():
    original = ["/usr/bin/python3", "-X", "utf8", "-m", "desktop", "--home", "/家", IN_TRAY]
    found = own_command(
        "/usr/bin/python3", ["/x/desktop/__main__.py", "--home", "/家"], original, is_frozen=False
    )
    assert found == ["/usr/bin/python3", "-X", "utf8", "-m", "desktop", "--home", "/家"]
    frozen = own_command("/opt/zhiye", ["/opt/zhiye", IN_TRAY, "--home", "/家"], original, is_frozen=True)
    assert frozen == ["/opt/zhiye", "--home", "/家"]
