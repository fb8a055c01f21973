"""Decides in the library panel: which knowledge base is shown, what is indexed and when."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop.engine_bridge import EngineBridge
from desktop.library.excluding import Excluding
from desktop.library.file_actions import FileActions
from desktop.library.indexing import Indexing
from desktop.library.panel import LibraryPanel
from desktop.library.properties.controller import PropertiesController
from desktop.library.rereading import Rereading
from desktop.library.revealing import Revealing
from desktop.passwords.controller import PasswordController
from engine.commands import ListFiles, ListLibraries, RemoveLibrary
from engine.documents import FAILED, FileState
from engine.events import Event, FileReport, FilesListed, LibrariesListed, Notice, TaskDone, TaskFailed
from engine.standing import LibrarySummary


class LibraryController(QObject):
    """Keeps the list of knowledge bases and what can be done with the one that is shown.

    Signals:
        libraries_listed(object): all knowledge bases (LibrarySummary), a tuple, each time they were listed.
        indexing_began(): an indexing task was sent.
        inspect_wanted(str, str): a knowledge base and its document that is to be looked at.
        problem_found(str, object): code and params of something to tell.
    """

    libraries_listed = Signal(object)
    indexing_began = Signal()
    inspect_wanted = Signal(str, str)
    problem_found = Signal(str, object)

    def __init__(self, bridge: EngineBridge, panel: LibraryPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._summaries: dict[str, LibrarySummary] = {}
        self._synced: dict[str, datetime] = {}
        self._told: list[Mapping[str, object]] = []
        self._current: str | None = None
        self._is_stale = False  # the files that are shown may have changed
        self._list_task: int | None = None
        self.indexing = Indexing(bridge, panel, self._shown_library, self)
        self.files = FileActions(panel, self._folders, self.is_busy, self)
        self.passwords = PasswordController(bridge, panel, self)
        self.properties = PropertiesController(
            bridge, panel, self.indexing, self._shown_summary, self._names, self
        )
        self.rereading = Rereading(
            panel, self.indexing, self.files, self.passwords, self._shown_summary, self
        )
        self.excluding = Excluding(bridge, self.indexing, self.files, self._shown_summary, self)
        self.revealing = Revealing(bridge, panel, self)
        self._connect()

    def _connect(self) -> None:
        panel, indexing, files = self._panel, self.indexing, self.files
        panel.add_button.clicked.connect(self._on_add_clicked)
        panel.new_button.clicked.connect(self._on_new_clicked)
        panel.library_combo.textActivated.connect(self.show_library)
        panel.remove_action.triggered.connect(self._on_remove)
        panel.table.files.counts_changed.connect(self._show_counts)
        indexing.began.connect(self._on_indexing_began)
        indexing.named.connect(self._show_for_indexing)
        indexing.synced.connect(self._on_synced)
        indexing.running_changed.connect(self._show_sync)
        indexing.ended.connect(self._on_indexing_ended)
        files.inspect_wanted.connect(self._on_inspect_wanted)
        self.properties.changed.connect(self._on_changed)
        self.revealing.library_found.connect(self.show_library)
        for part in (indexing, files, self.passwords, self.excluding):
            part.problem_found.connect(self.problem_found)

    @property
    def current(self) -> str | None:
        return self._current

    def _shown_library(self) -> str | None:
        return self._current

    def _shown_summary(self) -> LibrarySummary | None:
        return self._summaries.get(self._current or "")

    def _folders(self) -> tuple[str, ...]:
        summary = self._shown_summary()
        return summary.folders if summary is not None else ()

    def is_busy(self) -> bool:
        return self.indexing.is_busy()

    def list_libraries(self) -> None:
        """List the knowledge bases, and the files of the one that is shown."""
        self._is_stale = True
        self.list_summaries()

    def list_summaries(self) -> None:
        """List the knowledge bases; the files that are shown stay as they are."""
        self._bridge.send(ListLibraries(self._bridge.new_task()), self._on_list_event)

    def choose_folder(self, library: str | None = None) -> None:
        """Ask for a folder and index it; ``library`` None makes a knowledge base of its own."""
        folder = self._panel.ask_for_folder()
        if folder is not None:
            self.index((folder,), library)

    def index(self, paths: Sequence[Path], library: str | None) -> None:
        self.indexing.index(paths, library)

    def add_dropped(self, paths: Sequence[Path]) -> None:
        """Dropped folders and files join the knowledge base that is shown."""
        confirmed = map(self._panel.confirmed, paths)
        self.index([path for path in confirmed if path is not None], self._current)

    @Slot(str, object)
    def reveal_file(self, document: str, libraries: Sequence[str]) -> None:
        """Lead to the row of a file of one of these knowledge bases (none named: of any)."""
        self.revealing.reveal(document, libraries or self._names(), self._current)

    @Slot(str, object)
    def read_again(self, library: str, documents: Sequence[str]) -> None:
        """Read documents of a knowledge base again, whichever is shown."""
        if (summary := self._summaries.get(library)) is not None:
            self.rereading.read_again(summary, retry=documents)

    @Slot(str)
    def show_library(self, name: str) -> None:
        if name != self._current:
            self._clear_files()
        self._current, self._is_stale = name, False
        self._panel.set_libraries(self._names(), name)
        self._show_sync()
        if self._list_task is not None:
            self._bridge.drop(self._list_task)
        task = self._bridge.new_task()
        self._list_task = self._bridge.send(ListFiles(task, name), self._on_files_event)

    def _clear_files(self) -> None:
        self._panel.ledger.show_all()
        self._panel.table.files.set_files(())

    def _names(self) -> list[str]:
        names = list(self._summaries)
        growing = self.indexing.library
        if growing is not None and growing not in self._summaries:
            names.append(growing)
        return names

    @Slot(object)
    def _on_indexing_began(self, name: str | None) -> None:
        if name is not None:
            self._show_for_indexing(name)
        self._show_counts()
        self.indexing_began.emit()

    @Slot(str)
    def _show_for_indexing(self, name: str) -> None:
        """Show the knowledge base that grows; its known files stay listed."""
        if self._current != name:
            if name in self._summaries:
                self.show_library(name)
            else:
                self._current = name
                self._clear_files()
        self._panel.set_libraries(self._names(), name)

    @Slot(str, object, object)
    def _on_synced(self, name: str, below: object, seconds: float) -> None:
        self._synced[name] = datetime.now(UTC)

    @Slot()
    def _show_sync(self) -> None:
        name = self._current or ""
        is_syncing = self.indexing.library == name
        self._panel.sync_line.show_state(
            self._shown_summary(), is_syncing=is_syncing, synced=self._synced.get(name)
        )
        self._panel.show_places(self._shown_summary())

    @Slot(object)
    def _on_indexing_ended(self, name: str | None) -> None:
        self._show_counts()
        if name == self._current:
            self.list_libraries()
        else:
            self.list_summaries()

    def _on_list_event(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        if isinstance(event, Notice) and event.params not in self._told:  # once, not after each sync
            self._told.append(event.params)
            self.problem_found.emit(event.code, event.params)
        if not isinstance(event, LibrariesListed):
            return
        self._summaries = {library.name: library for library in event.libraries}
        names = self._names()
        self._show_sync()
        if self._current in names:
            self._panel.set_libraries(names, self._current)
            if self._is_stale and not self.is_busy() and self._current is not None:
                self.show_library(self._current)
        elif names:
            latest = max(event.libraries, key=lambda library: library.last_sync or "").name
            self.show_library(latest if event.libraries else names[-1])
        else:
            self._current = None
            self._panel.set_libraries((), None)
            self._clear_files()
        self.libraries_listed.emit(event.libraries)

    def _on_files_event(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        if isinstance(event, FilesListed) and event.library == self._current:
            table = self._panel.table.files
            # After a sync that found nothing new the list keeps its selection and its place.
            if sorted(event.files, key=_path) != sorted(table.files(), key=_path):
                table.set_files(event.files)

    @Slot()
    def _show_counts(self) -> None:
        """The ledger, and what can be done about files that were not read."""
        panel, files = self._panel, self._panel.table.files
        counts = files.counts()
        panel.ledger.show_counts(counts)
        listed = files.files()
        panel.show_summary(len(listed), sum(file.chunks for file in listed))
        is_idle = not self.is_busy()
        panel.show_retry(sum(counts.get(state, 0) for state in FAILED) if is_idle else 0)
        waiting = [file for file in listed if file.state == FileState.NEEDS_PASSWORD]
        wrong = sum(file.reason is not None and file.reason.code == "password_wrong" for file in waiting)
        panel.show_passwords(len(waiting) if is_idle else 0, wrong)

    @Slot()
    def _on_add_clicked(self) -> None:
        self.choose_folder(self._current)

    @Slot()
    def _on_new_clicked(self) -> None:
        self.choose_folder(None)

    @Slot(str)
    def show_arrived(self, name: str) -> None:
        """A knowledge base came from elsewhere: list it, and show it."""
        self._current = name
        self.list_libraries()

    @Slot(str, str)
    def _on_changed(self, old: str, name: str) -> None:
        """A knowledge base has other settings, and perhaps another name."""
        if old in self._summaries:
            self._summaries[name] = replace(self._summaries.pop(old), name=name)
        if self._current == old:
            self._current = name
        self.list_libraries()

    @Slot(str)
    def _on_inspect_wanted(self, document: str) -> None:
        if self._current is not None:
            self.inspect_wanted.emit(self._current, document)

    @Slot()
    def _on_remove(self) -> None:
        name = self._current
        if name is not None and self._panel.confirm_removal(name):
            self.indexing.forget(name)
            self._bridge.send(RemoveLibrary(self._bridge.new_task(), name), self._on_removed)

    def _on_removed(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        if isinstance(event, (TaskDone, TaskFailed)):
            self._current = None
            self.list_libraries()


def _path(file: FileReport) -> str:
    return file.path
