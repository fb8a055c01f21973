"""Runs one indexing task at a time and shows how far it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.engine_bridge import EngineBridge
from desktop.library.panel import LibraryPanel
from engine.commands import IngestFolders
from engine.events import (
    Event,
    FileFinished,
    FileProgress,
    FileStarted,
    Notice,
    OcrProgress,
    ScanFinished,
    TaskDone,
    TaskFailed,
    TaskStopped,
)
from engine.intake.chunking.profiles import ProfileName

REFRESH_MS = 100


@dataclass(frozen=True, slots=True)
class _Wish:
    """Folders that wait for their turn; ``retry`` names documents that are read again."""

    folders: tuple[Path, ...]
    library: str | None
    retry_failed: bool = False
    retry: tuple[str, ...] = ()
    profile: ProfileName | None = None


class Indexing(QObject):
    """``shown`` says which knowledge base the table shows: only its files get news.

    ``reads_pictures`` is true once everything else of the task has been read.

    Signals:
        began(object): an indexing task was sent; the name of its knowledge base, or None.
        named(str): the knowledge base that grows has this name.
        ended(): the task is over, whatever its outcome.
        problem_found(str, object): code and params of something to tell.
    """

    began = Signal(object)
    named = Signal(str)
    ended = Signal()
    problem_found = Signal(str, object)

    def __init__(
        self,
        bridge: EngineBridge,
        panel: LibraryPanel,
        shown: Callable[[], str | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._strip = panel.progress
        self._files = panel.table.files
        self._shown = shown
        self._waiting: list[_Wish] = []
        self._task: int | None = None
        self._library: str | None = None
        self._wish: _Wish | None = None
        self.reads_pictures = False
        # The latest news of each kind since the last refresh.
        self._count: tuple[int, int] | None = None
        self._file: tuple[str, int, int] | None = None
        self._ocr: OcrProgress | None = None
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._refresh.timeout.connect(self._show_news)
        self._strip.stop_button.clicked.connect(self._on_stop_clicked)

    @property
    def library(self) -> str | None:
        """The knowledge base that grows now."""
        return self._library

    def is_busy(self) -> bool:
        return self._task is not None

    def index(
        self,
        paths: Sequence[Path],
        library: str | None,
        *,
        retry_failed: bool = False,
        retry: Sequence[str] = (),
        profile: ProfileName | None = None,
    ) -> None:
        """Index now, or after what is being indexed already; pictures that are being read wait, too."""
        if not paths:
            return
        self._waiting.append(_Wish(tuple(paths), library, retry_failed, tuple(retry), profile))
        if self._task is None:
            self._begin_next()
        elif self.reads_pictures and self._wish is not None:
            # OCR may take hours. What it has read is kept; it goes on when the new folder can be searched.
            self.reads_pictures = False
            self._waiting.append(_Wish(self._wish.folders, self._library))
            self._bridge.stop_task(self._task)

    def _begin_next(self) -> None:
        wish = self._waiting.pop(0)
        self._wish, self.reads_pictures = wish, False
        self._library = wish.library
        task = self._bridge.new_task()
        self._task = task
        self._strip.begin()
        self._refresh.start()
        self.began.emit(wish.library)
        command = IngestFolders(task, wish.folders, wish.library, wish.retry_failed, wish.retry, wish.profile)
        self._bridge.send(command, self._on_event)

    def _on_event(self, event: Event) -> None:
        is_shown = self._shown() == self._library
        if isinstance(event, ScanFinished):
            self._library = event.library
            self.named.emit(event.library)
            self._strip.show_count(0, event.total)
        elif isinstance(event, FileStarted):
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
            self.reads_pictures = True
        elif isinstance(event, Notice):
            self.problem_found.emit(event.code, event.params)
        elif isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
            self._end()
        elif isinstance(event, (TaskDone, TaskStopped)):
            self._end()

    @Slot()
    def _show_news(self) -> None:
        if self._count is not None:
            self._strip.show_count(*self._count)
        if self._file is not None:
            self._strip.show_file(*self._file)
        if self._ocr is not None:
            self._strip.show_ocr(self._ocr.path, self._ocr.done, self._ocr.total)
        self._forget_news()
        self._files.show_staged()

    def _forget_news(self) -> None:
        self._count = self._file = self._ocr = None

    def _end(self) -> None:
        self._show_news()
        self._refresh.stop()
        self._files.clear_reading()
        self._strip.end()
        self._task = self._library = self._wish = None
        self.reads_pictures = False
        if self._waiting:
            self._begin_next()
        self.ended.emit()

    @Slot()
    def _on_stop_clicked(self) -> None:
        if self._task is not None:
            self._waiting.clear()
            self._strip.show_stopping()
            self._bridge.stop_task(self._task)
