"""One calm line: whether a knowledge base is in step with its folders."""

from datetime import datetime
from pathlib import Path

from PySide6.QtWidgets import QWidget

from desktop.elided_label import ElidedLabel
from desktop.words import moment_words
from engine.standing import LibrarySummary


class SyncLine(ElidedLabel):
    """In step · 12:30, Syncing…, Paused, or which folder cannot be reached; hidden where none fits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("syncLine")
        self.setProperty("tone", "caption")
        self.hide()

    def show_state(
        self, library: LibrarySummary | None, *, is_syncing: bool, synced: datetime | None = None
    ) -> None:
        """``synced`` (with its time zone) is when it was brought in step, where that is known."""
        text = "" if library is None else self._words(library, is_syncing, synced)
        self.setText(text)
        self.setVisible(bool(text))

    def _words(self, library: LibrarySummary, is_syncing: bool, synced: datetime | None) -> str:
        if is_syncing:
            return self.tr("Syncing…")
        if library.paused:
            return self.tr("Paused")
        elsewhere = [folder for folder in library.folders if not Path(folder).is_absolute()]
        if (lost := len(library.offline) + len(elsewhere)) > 1:
            return self.tr("%n folders not reachable", "", lost)
        if elsewhere:
            return self.tr("Folder not on this computer: {folder}").format(folder=elsewhere[0])
        if library.offline and library.offline_since:
            text = self.tr("Not reachable since {time}: {folder}")
            since = moment_words(library.offline_since[0])
            return text.format(time=since, folder=library.offline[0])
        if library.offline:
            return self.tr("Folder not reachable: {folder}").format(folder=library.offline[0])
        moment = synced or library.last_sync
        return self.tr("In step · {time}").format(time=moment_words(moment)) if moment else ""
