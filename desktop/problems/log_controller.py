"""Fills the log page and does what its buttons say."""

from PySide6.QtCore import QObject, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop.choice_box import is_confirmed
from desktop.problems.log_page import LogPage
from engine import log_entries, logs
from engine.log_entries import LogEntry
from engine.paths import Home

_TYPING_MS = 200
"""A search begins when nobody has typed for this long."""


class LogController(QObject):
    """Reads the log of ``home`` when the page comes into sight and when it is told to."""

    def __init__(self, home: Home, page: LogPage) -> None:
        super().__init__(page)
        self._home, self._page = home, page
        self._entries: list[LogEntry] = []
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.choose)
        page.search_edit.textChanged.connect(self._typing.start)
        page.level_box.currentIndexChanged.connect(self.choose)
        page.reload_button.clicked.connect(self.reload)
        page.copy_button.clicked.connect(self.copy)
        page.folder_button.clicked.connect(self.open_folder)
        page.clear_button.clicked.connect(self.clear)
        self.reload()

    @Slot()
    def reload(self) -> None:
        self._entries = log_entries.read(self._home.logs)
        self.choose()

    @Slot()
    def choose(self) -> None:
        """Show what is important enough and says what is searched for."""
        page = self._page
        self._page.show_entries(self._chosen(page), len(self._entries))

    def _chosen(self, page: LogPage) -> list[LogEntry]:
        level, words = page.level_box.currentData(), page.search_edit.text()
        return [entry for entry in self._entries if entry.is_at_least(level) and entry.says(words)]

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(map(str, self._chosen(self._page))))

    @Slot()
    def open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._home.logs)))

    @Slot()
    def clear(self) -> None:
        title, doing = self.tr("Clear the log"), self.tr("Clear")
        advice = self.tr("It helps to find out what went wrong; the program goes on writing to it.")
        question = self.tr("Delete all entries of the log?")
        if is_confirmed(self._page.window(), title, question, advice, doing, "confirmClearLog"):
            logs.clear(self._home)
            self.reload()
