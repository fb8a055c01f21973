"""The icon in the system's tray: the window comes from it and goes to it, where a person wants that."""

import sys

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon, QWidget

from desktop import icons
from desktop.preferences import Preferences

_MESSAGE_MS = 10_000


class Tray(QObject):
    """While the preference is on, closing ``window`` hides it; *Quit* in the icon's menu ends the program.

    Where the system has no tray, closing always ends the program.

    Signals:
        opened(): the window is to come forward.
    """

    opened = Signal()

    def __init__(self, window: QWidget, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window, self._preferences = window, preferences
        self._is_quitting = False
        self.icon: QSystemTrayIcon | None = None
        preferences.changed.connect(self._on_changed)
        window.installEventFilter(self)
        if sys.platform == "darwin" and (application := QApplication.instance()) is not None:
            application.installEventFilter(self)
        self._apply()

    @staticmethod
    def is_available() -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable()

    def is_on(self) -> bool:
        return self._preferences.tray and self.is_available()

    def announce(self, title: str, text: str) -> None:
        """Ask for attention, with a message of the system where it has a tray."""
        QApplication.alert(self._window)
        if self.is_available():
            icon = self._made_icon()
            icon.show()
            icon.showMessage(title, text, icons.logo(), _MESSAGE_MS)

    @Slot()
    def quit(self) -> None:
        """Close the window for good."""
        self._is_quitting = True
        self._window.close()
        QApplication.quit()

    def _made_icon(self) -> QSystemTrayIcon:
        if self.icon is None:
            menu = QMenu(self._window)
            menu.addAction(self.tr("Open Zhiye"), self.opened.emit)
            menu.addSeparator()
            menu.addAction(self.tr("Quit"), self.quit)
            self.icon = QSystemTrayIcon(icons.logo(), self)
            self.icon.setToolTip(self._window.windowTitle())
            self.icon.setContextMenu(menu)
            self.icon.activated.connect(self._on_activated)
            self.icon.messageClicked.connect(self.opened)
        return self.icon

    @Slot(str)
    def _on_changed(self, name: str) -> None:
        if name == "tray":
            self._apply()

    def _apply(self) -> None:
        is_on = self.is_on()
        QApplication.setQuitOnLastWindowClosed(not is_on)
        if is_on:
            self._made_icon().show()
        elif self.icon is not None:
            self.icon.hide()

    @Slot(object)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.opened.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Closing goes to the tray, but neither Quit of macOS' own menu nor the end of the session does."""
        if event.type() == QEvent.Type.Quit:
            self._is_quitting = True
        elif event.type() == QEvent.Type.Close and watched is self._window and self._goes_to_tray():
            event.ignore()
            for other in self._window.findChildren(
                QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
            ):
                if other.isWindow() and other.isVisible():
                    other.close()
            self._window.hide()
            return True
        return False

    def _goes_to_tray(self) -> bool:
        application = QApplication.instance()
        is_ending = isinstance(application, QApplication) and application.isSavingSession()
        return self.is_on() and not self._is_quitting and not is_ending
