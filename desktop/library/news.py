"""What an indexing task says, gathered and shown a few times a second."""

import time

from PySide6.QtCore import QObject, QTimer, Slot

from desktop.library.pace import Pace
from desktop.library.panel import LibraryPanel
from engine.events import Event, FileFinished, FileProgress, FileStarted, OcrProgress, ScanFinished

REFRESH_MS = 100
UNSEEN_S = 2.0
"""A quiet task is seen when it has read files for longer than this."""


class IndexingNews(QObject):
    """Brings the news of one task at a time into the progress strip and the table of files."""

    def __init__(self, panel: LibraryPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._strip = panel.progress
        self._files = panel.table.files
        self._pace = Pace()
        self._begun = 0.0
        self._reads_files = False
        self._is_strip_shown = False
        # The latest news of each kind since the last refresh.
        self._count: tuple[int, int] | None = None
        self._file: tuple[str, int, int] | None = None
        self._ocr: OcrProgress | None = None
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(self._show)

    def begin(self, *, is_quiet: bool) -> None:
        """A task begins; one that is quiet gets no strip unless it takes long."""
        self._begun = time.monotonic()
        self._pace.begin()
        self._reads_files = self._is_strip_shown = False
        if not is_quiet:
            self.show_strip()
        self._refresh.start()

    def show_strip(self) -> None:
        """Somebody wants to know how far the task is."""
        if not self._is_strip_shown:
            self._is_strip_shown = True
            self._strip.begin()

    def take(self, event: Event, *, is_shown: bool) -> None:
        """``is_shown``: the table shows the files of this task's knowledge base."""
        self._pace.take(event)
        if isinstance(event, ScanFinished):
            self._count = (0, event.total)
        elif isinstance(event, FileStarted):
            self._reads_files = True
            self._file = (event.path, 0, 0)
            if is_shown:
                self._files.stage_reading(event.path)
        elif isinstance(event, FileProgress):
            self._file = (event.path, event.chunks_done, event.chunks)
            if is_shown:
                self._files.stage_reading(event.path, event.pages, event.chunks)
        elif isinstance(event, FileFinished):
            self._count = (event.done, event.total)
            if is_shown:
                self._files.stage(event.file)
        elif isinstance(event, OcrProgress):
            self._ocr = event

    @Slot()
    def _show(self) -> None:
        self._files.show_staged()
        if self._reads_files and time.monotonic() - self._begun > UNSEEN_S:
            self.show_strip()
        if not self._is_strip_shown:
            return
        if self._count is not None:
            self._strip.show_count(*self._count)
        if self._file is not None:
            self._strip.show_file(*self._file)
        if self._ocr is not None:
            self._strip.show_ocr(self._ocr.path, self._ocr.done, self._ocr.total)
        self._strip.show_pace(self._pace.chunks_per_s(), self._pace.left_s())
        self._forget()

    def _forget(self) -> None:
        self._count = self._file = self._ocr = None

    def end(self) -> None:
        """The task is over; files that reached no state are taken back."""
        self._refresh.stop()
        self._forget()
        self._files.show_staged()
        self._files.clear_reading()
        self._strip.end()
