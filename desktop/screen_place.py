"""Keeps a window where a person can reach it: screens are unplugged, and shapes were kept on other ones."""

from PySide6.QtCore import QObject, QRect, QSize, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

_GRIP_WIDTH, _GRIP_HEIGHT = 120, 24
"""Of the title bar and what is below it, so much has to be seen to take hold of the window (pixels)."""

_FRAME_WIDTH, _FRAME_HEIGHT = 4, 40
"""Room for the frame and the title bar of a window, which are not known before it is shown (pixels)."""


def reachable(frame: QRect, screens: list[QRect]) -> QRect:
    """``frame`` where its top can be taken hold of, else the same size in the middle of the first screen.

    ``screens`` are the parts of the screens that windows may use; nothing is changed where there is none.
    """
    top = QRect(frame.x(), frame.y(), frame.width(), 2 * _GRIP_HEIGHT)
    for screen in screens:
        seen = screen.intersected(top)
        if seen.width() >= _GRIP_WIDTH and seen.height() >= _GRIP_HEIGHT:
            return frame
    if not screens:
        return frame
    size = frame.size().boundedTo(screens[0].size())
    placed = QRect(screens[0].topLeft(), size)
    placed.moveCenter(screens[0].center())
    return placed


def fitting(size: QSize, screen: QRect) -> QSize:
    """``size``, or what of it the screen has room for beside a window's frame."""
    return size.boundedTo(screen.size() - QSize(_FRAME_WIDTH, _FRAME_HEIGHT))


class ScreenPlace(QObject):
    """Looks after one window: once now, and whenever a screen goes or another one becomes the first."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.screenRemoved.connect(self._on_screens_changed)
        application.primaryScreenChanged.connect(self._on_screens_changed)
        self.look()

    @Slot()
    def look(self) -> None:
        window = self._window
        if window.isFullScreen() or window.isMaximized():
            return
        frame = window.frameGeometry()
        placed = reachable(frame, [screen.availableGeometry() for screen in _screens()])
        if placed != frame:
            border = frame.size() - window.size()
            window.resize(placed.size() - border)
            window.move(placed.topLeft())

    @Slot(QScreen)
    def _on_screens_changed(self, screen: QScreen) -> None:
        # The system moves windows itself, or does not, a moment after it tells.
        QTimer.singleShot(500, self, self.look)


def _screens() -> list[QScreen]:
    """All of them, the primary one first."""
    first = QGuiApplication.primaryScreen()
    return sorted(QGuiApplication.screens(), key=lambda screen: screen is not first)
