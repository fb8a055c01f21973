"""Says that a long index has ended, to somebody who is looking at something else meanwhile."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from desktop.library.indexing import Indexing
from desktop.preferences import Preferences
from desktop.tray import Tray

LONG_S = 60.0
"""An index that took less is not worth a message."""


class IndexNotice(QObject):
    """Quiet while any window of the program is the active one."""

    def __init__(
        self, indexing: Indexing, tray: Tray, preferences: Preferences, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tray, self._preferences = tray, preferences
        indexing.synced.connect(self._on_synced)

    @Slot(str, object, object)
    def _on_synced(self, library: str, below: object, seconds: float) -> None:
        if seconds < LONG_S or not self._preferences.notify or QApplication.activeWindow() is not None:
            return
        text = self.tr("The knowledge base “{name}” is up to date.").format(name=library)
        self._tray.announce(self.tr("Indexing has ended"), text)
