"""Decides in the library panel: which knowledge base is shown, what is indexed and when."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.engine_bridge import EngineBridge
from desktop.library.panel import LibraryPanel
from engine.commands import IngestFolders, ListFiles, ListLibraries, RemoveLibrary
from engine.documents import FileState
from engine.events import (
    Event,
    FileFinished,
    FileProgress,
    FilesListed,
    FileStarted,
    LibrariesListed,
    LibrarySummary,
    Notice,
    ScanFinished,
    TaskDone,
    TaskFailed,
    TaskStopped,
)

REFRESH_MS = 100
_IN_INDEX = (FileState.INDEXED, FileState.PARTIAL)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Folders that wait for their turn."""

    folders: tuple[Path, ...]
    library: str | None
    retry_failed: bool = False


class LibraryController(QObject):
    """Keeps the list of knowledge bases and runs one indexing task at a time.

    Signals:
        libraries_listed(object): names of all knowledge bases, a tuple, each time they were listed.
        indexing_began(): an indexing task was sent.
        problem_found(str, object): code and params of something to tell.
    """

    libraries_listed = Signal(object)
    indexing_began = Signal()
    problem_found = Signal(str, object)

    def __init__(self, bridge: EngineBridge, panel: LibraryPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._summaries: dict[str, LibrarySummary] = {}
        self._current: str | None = None
        self._waiting: list[_Wish] = []
        self._task: int | None = None
        self._task_library: str | None = None
        self._list_task: int | None = None
        self._count: tuple[int, int] | None = None
        self._file: tuple[str, int, int] | None = None
        self._refresh = QTimer(self)
        self._refresh.setInterval(REFRESH_MS)
        self._connect()

    def _connect(self) -> None:
        panel = self._panel
        self._refresh.timeout.connect(self._show_news)
        panel.add_button.clicked.connect(self._on_add_clicked)
        panel.new_button.clicked.connect(self._on_new_clicked)
        panel.library_combo.textActivated.connect(self.show_library)
        panel.progress.stop_button.clicked.connect(self._on_stop_clicked)
        panel.sync_action.triggered.connect(self._on_sync)
        panel.retry_action.triggered.connect(self._on_retry)
        panel.remove_action.triggered.connect(self._on_remove)

    @property
    def current(self) -> str | None:
        return self._current

    def is_busy(self) -> bool:
        return self._task is not None

    def list_libraries(self) -> None:
        self._bridge.send(ListLibraries(self._bridge.new_task()), self._on_list_event)

    def choose_folder(self, library: str | None = None) -> None:
        """Ask for a folder and index it; ``library`` None makes a knowledge base of its own."""
        folder = self._panel.ask_for_folder()
        if folder is not None:
            self.index((folder,), library)

    def index(self, paths: Sequence[Path], library: str | None, *, retry_failed: bool = False) -> None:
        """Index now, or after what is being indexed already."""
        if not paths:
            return
        self._waiting.append(_Wish(tuple(paths), library, retry_failed))
        if self._task is None:
            self._begin_next()

    def add_dropped(self, paths: Sequence[Path]) -> None:
        """Dropped folders and files join the knowledge base that is shown."""
        self.index(paths, self._current)

    @Slot(str)
    def show_library(self, name: str) -> None:
        self._current = name
        self._panel.set_libraries(self._names(), name)
        self._panel.table.files.set_files(())
        self._panel.summary_label.clear()
        if self._list_task is not None:
            self._bridge.drop(self._list_task)
        task = self._bridge.new_task()
        self._list_task = self._bridge.send(ListFiles(task, name), self._on_files_event)

    def _names(self) -> list[str]:
        names = list(self._summaries)
        if self._task_library is not None and self._task_library not in self._summaries:
            names.append(self._task_library)
        return names

    def _begin_next(self) -> None:
        wish = self._waiting.pop(0)
        self._task_library = wish.library
        if wish.library is not None:
            self._show_for_indexing(wish.library)
        self._panel.progress.begin()
        self._refresh.start()
        task = self._bridge.new_task()
        self._task = task
        self.indexing_began.emit()
        command = IngestFolders(task, wish.folders, wish.library, wish.retry_failed)
        self._bridge.send(command, self._on_ingest_event)

    def _show_for_indexing(self, name: str) -> None:
        """Show the knowledge base that grows; its known files stay listed."""
        self._task_library = name
        if self._current != name:
            if name in self._summaries:
                self.show_library(name)
            else:
                self._current = name
                self._panel.table.files.set_files(())
                self._panel.summary_label.clear()
        self._panel.set_libraries(self._names(), name)

    def _on_ingest_event(self, event: Event) -> None:
        if isinstance(event, ScanFinished):
            self._show_for_indexing(event.library)
            self._panel.progress.show_count(0, event.total)
            return
        shown = self._current == self._task_library
        files = self._panel.table.files
        if isinstance(event, FileStarted):
            self._file = (event.path, 0, 0)
            if shown:
                files.stage_reading(event.path)
        elif isinstance(event, FileProgress):
            self._file = (event.path, event.chunks_done, event.chunks)
            if shown:
                files.stage_reading(event.path, event.pages, event.chunks)
        elif isinstance(event, FileFinished):
            self._count = (event.done, event.total)
            if shown:
                files.stage(event.file)
        elif isinstance(event, Notice):
            self.problem_found.emit(event.code, event.params)
        elif isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
            self._end_task()
        elif isinstance(event, (TaskDone, TaskStopped)):
            self._end_task()

    @Slot()
    def _show_news(self) -> None:
        if self._count is not None:
            self._panel.progress.show_count(*self._count)
        if self._file is not None:
            self._panel.progress.show_file(*self._file)
        self._count = self._file = None
        self._panel.table.files.show_staged()

    def _end_task(self) -> None:
        self._show_news()
        self._refresh.stop()
        self._panel.table.files.clear_reading()
        self._panel.progress.end()
        self._task = None
        self._task_library = None
        if self._waiting:
            self._begin_next()
        self.list_libraries()

    def _on_list_event(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        if not isinstance(event, LibrariesListed):
            return
        self._summaries = {library.name: library for library in event.libraries}
        names = self._names()
        if self._current in names:
            self._panel.set_libraries(names, self._current)
            if self._task is None and self._current is not None:
                self.show_library(self._current)
        elif names:
            latest = max(event.libraries, key=lambda library: library.last_sync or "").name
            self.show_library(latest if event.libraries else names[-1])
        else:
            self._current = None
            self._panel.set_libraries((), None)
            self._panel.table.files.set_files(())
            self._panel.summary_label.clear()
        self.libraries_listed.emit(tuple(self._summaries))

    def _on_files_event(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        if isinstance(event, FilesListed) and event.library == self._current:
            self._panel.table.files.set_files(event.files)
            indexed = sum(file.state in _IN_INDEX for file in event.files)
            chunks = sum(file.chunks for file in event.files)
            self._panel.show_summary(len(event.files), indexed, chunks)

    @Slot()
    def _on_add_clicked(self) -> None:
        self.choose_folder(self._current)

    @Slot()
    def _on_new_clicked(self) -> None:
        self.choose_folder(None)

    @Slot()
    def _on_stop_clicked(self) -> None:
        if self._task is not None:
            self._waiting.clear()
            self._panel.progress.show_stopping()
            self._bridge.stop_task(self._task)

    @Slot()
    def _on_sync(self) -> None:
        self._sync(retry_failed=False)

    @Slot()
    def _on_retry(self) -> None:
        self._sync(retry_failed=True)

    def _sync(self, *, retry_failed: bool) -> None:
        summary = self._summaries.get(self._current or "")
        if summary is not None:
            folders = tuple(Path(folder) for folder in summary.folders)
            self.index(folders, summary.name, retry_failed=retry_failed)

    @Slot()
    def _on_remove(self) -> None:
        name = self._current
        if name is not None and self._panel.confirm_removal(name):
            self._bridge.send(RemoveLibrary(self._bridge.new_task(), name), self._on_removed)

    def _on_removed(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        if isinstance(event, (TaskDone, TaskFailed)):
            self._current = None
            self.list_libraries()
