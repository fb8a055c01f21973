"""Tells of what ended the program last time, and does with the report what a person says."""

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop.banner import Banners
from desktop.problems.crash_card import CrashCard
from desktop.problems.report_window import ReportWindow
from engine.crash.reports import CrashFolder, CrashReport


class CrashController(QObject):
    """Shows one card for all reports that nobody has put away; nothing leaves this machine."""

    def __init__(
        self, folder: CrashFolder, banners: Banners, owner: QWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._folder, self._banners, self._owner = folder, banners, owner
        self._reports: list[CrashReport] = []
        self.card: CrashCard | None = None
        self.window: ReportWindow | None = None

    def tell(self) -> None:
        """Show the card where there is something to tell."""
        self._reports = self._folder.unseen()
        if not self._reports:
            return
        self.card = CrashCard(fatal=self._reports[0].fatal)
        self.card.copy_button.clicked.connect(self.copy)
        self.card.show_button.clicked.connect(self.show)
        self.card.delete_button.clicked.connect(self.delete)
        self.card.close_button.clicked.connect(self.put_away)
        self._banners.show_card(self.card)

    def text(self) -> str:
        return "\n".join(report.text for report in self._reports)

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())
        if self.card is not None:
            self.card.show_copied()

    @Slot()
    def show(self) -> None:
        if self.window is None:
            self.window = ReportWindow(self.text(), self._owner)
            self.window.copy_button.clicked.connect(self.copy)
            self.window.folder_button.clicked.connect(self.open_folder)
            self.window.destroyed.connect(self._on_window_closed)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    @Slot()
    def open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder.folder)))

    @Slot()
    def delete(self) -> None:
        for report in self._reports:
            self._folder.delete(report)
        self._end()

    @Slot()
    def put_away(self) -> None:
        """The files stay, and the next start does not tell of them."""
        for report in self._reports:
            self._folder.put_away(report)
        self._end()

    def _end(self) -> None:
        if self.window is not None:
            self.window.close()
        if self.card is not None:
            self._banners.take_card(self.card)
            self.card = None

    @Slot()
    def _on_window_closed(self) -> None:
        self.window = None
