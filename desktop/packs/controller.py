"""Export, import, backup and restore: asks where, shows how far it is, says what came of it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.library.panel import LibraryPanel
from desktop.packs.dialog import ProgressDialog
from desktop.packs.pickers import PackPicker
from desktop.words import number
from engine.commands import BackUp, ExportLibrary, ImportLibrary, Restore
from engine.events import (
    BackedUp,
    Event,
    FileFinished,
    LibraryExported,
    LibraryImported,
    Notice,
    Restored,
    StepProgress,
    TaskDone,
    TaskFailed,
    TaskStarted,
    TaskStopped,
)

_MEGABYTE = 1 << 20


class PackController(QObject):
    """One task at a time; its menu entries wait for its end. ``shown`` gives the knowledge base to export.

    Signals:
        arrived(str): a knowledge base was imported; its name here.
        restored(): knowledge bases came back from a backup.
        told(str, object): code and params of what came of a task.
        problem_found(str, object): code and params of what went wrong.
        ended(): the task in hand is over, or was not begun after all; another one may begin.
    """

    arrived = Signal(str)
    restored = Signal()
    told = Signal(str, object)
    problem_found = Signal(str, object)
    ended = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        panel: LibraryPanel,
        shown: Callable[[], str | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._shown = shown
        self._picker = PackPicker(panel, self)
        self._command: ExportLibrary | ImportLibrary | BackUp | Restore | None = None
        self._is_asking = False
        self.dialog: ProgressDialog | None = None
        panel.export_action.triggered.connect(self.export_pack)
        panel.import_action.triggered.connect(self.import_pack)
        panel.backup_action.triggered.connect(self.back_up)
        panel.restore_action.triggered.connect(self.restore)

    @Slot()
    def export_pack(self) -> None:
        """The pack of the knowledge base that is shown."""
        name = self._shown()
        if name is not None and not self._is_at_work() and (file := self._picker.new_pack(name)) is not None:
            command = ExportLibrary(self._bridge.new_task(), name, file)
            self._begin(command, self.tr("Exporting “{name}”").format(name=name))

    @Slot()
    def import_pack(self) -> None:
        if not self._is_at_work() and (file := self._picker.pack()) is not None:
            self.open_pack(file)

    def is_busy(self) -> bool:
        """Whether a task is in hand, or somebody is being asked about the next one."""
        return self.dialog is not None or self._is_asking

    def open_pack(self, file: Path) -> None:
        """Import a pack that was chosen already, with its documents where somebody has them."""
        self._is_asking = True
        has_folder = self._picker.wants_documents(file)
        folder = self._picker.documents() if has_folder else None
        self._is_asking = False
        if has_folder is None or (has_folder and folder is None):
            self.ended.emit()
            return
        command = ImportLibrary(self._bridge.new_task(), file, relink=folder)
        self._begin(command, self.tr("Importing “{name}”").format(name=file.name))

    @Slot()
    def back_up(self) -> None:
        if not self._is_at_work() and (folder := self._picker.backup_place()) is not None:
            self._begin(BackUp(self._bridge.new_task(), folder), self.tr("Backing up everything"))

    @Slot()
    def restore(self) -> None:
        if not self._is_at_work() and (folder := self._picker.backup()) is not None:
            self._begin(Restore(self._bridge.new_task(), folder), self.tr("Restoring a backup"))

    def _is_at_work(self) -> bool:
        """Brings the task in hand forward, if there is one."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
        return self.dialog is not None

    def _begin(self, command: ExportLibrary | ImportLibrary | BackUp | Restore, title: str) -> None:
        self._command = command
        self.dialog = ProgressDialog(title, self._panel.window())
        self.dialog.stop_wanted.connect(self._on_stop)
        self.dialog.show()
        self._bridge.send(command, self._on_event)

    @Slot()
    def _on_stop(self) -> None:
        if self._command is not None:
            self._bridge.stop_task(self._command.task_id)

    def _on_event(self, event: Event) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        if isinstance(event, TaskStarted):
            dialog.show_started()
        elif isinstance(event, StepProgress):
            words = error_text.describe(event.code, {"done": event.done, "total": event.total})
            dialog.show_step(words.title, event.done, event.total)
        elif isinstance(event, FileFinished):
            text = self.tr("Looking for its documents: {done} of %n", "", event.total)
            dialog.show_step(text.format(done=event.done), event.done, event.total)
        elif isinstance(event, Notice):
            self.problem_found.emit(event.code, event.params)
        elif isinstance(event, (TaskDone, TaskFailed, TaskStopped)):
            self._end()
            if isinstance(event, TaskFailed):
                self.problem_found.emit(event.code, event.params)
        else:
            self._tell(event)

    def _end(self) -> None:
        dialog, self.dialog = self.dialog, None
        self._command = None
        if dialog is not None:
            dialog.accept()
        self.ended.emit()

    def _tell(self, event: Event) -> None:
        if isinstance(event, LibraryExported):
            self.told.emit(
                "library_exported",
                {"name": event.library, "file": event.file, "documents": event.documents,
                 "chunks": event.chunks, "size_mb": _megabytes(event.size)},
            )  # fmt: skip
        elif isinstance(event, LibraryImported):
            self._tell_import(event)
            self.arrived.emit(event.library)
        elif isinstance(event, BackedUp):
            self.told.emit(
                "backup_made",
                {"count": len(event.libraries), "folder": event.folder, "size_mb": _megabytes(event.size)},
            )
            if event.left_out:
                self.problem_found.emit("backup_left_out", {"names": event.left_out})
        elif isinstance(event, Restored):
            self.told.emit(
                "backup_restored",
                {"folder": event.folder, "count": len(event.libraries), "runs": event.runs},
            )
            for folder in event.kept_aside:
                self.problem_found.emit("damaged_kept_aside", {"path": folder})
            self.restored.emit()

    def _tell_import(self, event: LibraryImported) -> None:
        figures = {"name": event.library, "documents": event.documents, "chunks": event.chunks}
        self.told.emit("library_imported", figures)
        if event.relinked is not None and isinstance(self._command, ImportLibrary):
            found = {
                "folder": self._command.relink,
                "relinked": event.relinked,
                "embedded": event.embedded,
            }
            self.told.emit("library_relinked", found)


def _megabytes(size: int) -> str:
    """Never nothing: a small pack is a pack, too."""
    return number(max(size / _MEGABYTE, 0.1), 1)
