"""Opens the settings of a knowledge base and has the engine do what was changed in them."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.library.indexing import Indexing
from desktop.library.panel import LibraryPanel
from desktop.library.pickers import ask_for_folder
from desktop.library.properties.changes import Change, Wanted, after, changes, needs_sync
from desktop.library.properties.dialog import Field, PropertiesDialog
from desktop.library.properties.folder_list import FolderRow
from engine.commands import ChangeLibrary, ForgetFolder, MoveFolder
from engine.events import Event, TaskDone, TaskFailed, TaskStopped
from engine.standing import LibrarySummary
from engine.wording import Wording


class PropertiesController(QObject):
    """One dialog at a time. Cancel sends nothing; OK sends every change, then a sync if files are concerned.

    A change that is refused leaves the dialog open with its words beside the field; what was done before it
    is not sent again. ``shown`` gives the knowledge base that is shown, ``names`` those of all.

    Signals:
        changed(str, str): a knowledge base was changed; its name before and its name now.
    """

    changed = Signal(str, str)

    def __init__(
        self,
        bridge: EngineBridge,
        panel: LibraryPanel,
        indexing: Indexing,
        shown: Callable[[], LibrarySummary | None],
        names: Callable[[], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._panel, self._indexing = bridge, panel, indexing
        self._shown, self._names = shown, names
        self.dialog: PropertiesDialog | None = None
        self._forget()
        panel.properties_action.triggered.connect(self.open)
        panel.locate_button.clicked.connect(self.open)

    def _forget(self) -> None:
        self._opened_as = ""
        self._known: LibrarySummary | None = None
        self._others: frozenset[str] = frozenset()
        self._waiting: deque[Change] = deque()
        self._has_changed = self._is_sync_due = self._is_deep = False

    @Slot()
    def open(self) -> None:
        """Show the settings of the knowledge base that is shown, or bring them forward."""
        library = self._shown()
        if self.dialog is None:
            if library is None:
                return
            self._opened_as, self._known = library.name, library
            self._others = frozenset(self._names()) - {library.name}
            self.dialog = PropertiesDialog(library, self._panel.window())
            self._connect(self.dialog)
            self.dialog.open()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def _connect(self, dialog: PropertiesDialog) -> None:
        dialog.ok_button.clicked.connect(self._on_ok)
        dialog.add_button.clicked.connect(self._on_add)
        dialog.deep_button.clicked.connect(self._on_deep_check)
        dialog.folder_list.open_wanted.connect(self._on_open_folder)
        dialog.folder_list.locate_wanted.connect(self._on_locate)
        dialog.folder_list.remove_wanted.connect(self._on_remove)
        dialog.finished.connect(self._on_finished)

    @Slot()
    def _on_add(self) -> None:
        if self.dialog is not None and (folder := self._ask_for_folder()) is not None:
            self.dialog.folder_list.add(folder)

    @Slot(object)
    def _on_locate(self, row: FolderRow) -> None:
        if (folder := self._ask_for_folder()) is not None:
            row.move_to(folder)

    def _ask_for_folder(self) -> Path | None:
        """A folder that is not in the list yet."""
        dialog = self.dialog
        if dialog is None:
            return None
        dialog.clear_problems()
        folder = ask_for_folder(dialog, self.tr("Choose a folder with documents"))
        if folder is not None and dialog.folder_list.holds(folder):
            words = self.tr("“{folder}” is in the list already.").format(folder=folder)
            dialog.show_problem("folders", Wording(words))
            return None
        return folder

    @Slot(object)
    def _on_remove(self, row: FolderRow) -> None:
        if self.dialog is not None and self.dialog.confirm_forgetting(row.shown):
            row.remove()

    @Slot(object)
    def _on_open_folder(self, row: FolderRow) -> None:
        # A single file that was picked is its own folder.
        place = row.shown.parent if row.shown.is_file() else row.shown
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(place))):
            self._say("folders", "not_readable", {"path": place})

    @Slot()
    def _on_deep_check(self) -> None:
        if self.dialog is not None and self._known is not None:
            folders = [path for path in map(Path, self._known.folders) if path.is_absolute()]
            self._is_deep = True
            self.dialog.show_deep_check()
            self._indexing.index(folders, self._known.name, deep=True)

    @Slot()
    def _on_ok(self) -> None:
        if self.dialog is None or self._known is None:
            return
        self.dialog.clear_problems()
        wanted = self.dialog.wanted()
        if not wanted.name:
            self.dialog.show_problem("name", Wording(self.tr("A knowledge base needs a name.")))
            return
        if wanted.name in self._others:
            self._say("name", "library_name_taken", {"name": wanted.name})
            return
        self._is_sync_due = self._is_sync_due or needs_sync(self._known, wanted)
        self._waiting = deque(changes(self._known, wanted, self._bridge.new_task))
        if any(map(_needs_peace, self._waiting)):
            # A sync of it that is stopped here is done again at the end.
            self._is_sync_due = self._is_sync_due or self._indexing.library == self._known.name
            self._indexing.forget(self._known.name)
        self.dialog.show_applying(True)
        self._send_next()

    def _send_next(self) -> None:
        if self.dialog is None:
            return
        if self._waiting:
            self._bridge.send(self._waiting[0], self._on_event)
        else:
            self.dialog.show_applying(False)
            self.dialog.accept()

    def _on_event(self, event: Event) -> None:
        if self.dialog is None or self._known is None:
            return
        if isinstance(event, TaskDone):
            change = self._waiting.popleft()
            self._has_changed = True
            self._known = after(self._known, change)
            if isinstance(change, (MoveFolder, ForgetFolder)):
                self.dialog.folder_list.settle(change.folder)
            self._send_next()
        elif isinstance(event, (TaskFailed, TaskStopped)):
            change = self._waiting[0]
            self._waiting.clear()
            self.dialog.show_applying(False)
            if isinstance(event, TaskFailed):
                self._say(_field_of(change, event), event.code, event.params)

    def _say(self, field: Field, code: str, params: Mapping[str, object]) -> None:
        if self.dialog is not None:
            self.dialog.show_problem(field, error_text.describe(code, params))

    @Slot(int)
    def _on_finished(self, result: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None or self._known is None:
            return
        wanted = dialog.wanted()
        is_accepted = result == QDialog.DialogCode.Accepted
        if self._has_changed:
            self.changed.emit(self._opened_as, self._known.name)
        if self._is_sync_due and (is_accepted or self._has_changed):
            self._sync(wanted, is_accepted=is_accepted)
        self._forget()

    def _sync(self, wanted: Wanted, *, is_accepted: bool) -> None:
        assert self._known is not None, "a dialog is about a knowledge base"
        known = [folder.known for folder in wanted.folders if folder.known is not None]
        folders = wanted.folders_here() if is_accepted else [path for path in known if path.is_absolute()]
        is_recut = is_accepted and wanted.profile != self._known.profile
        self._indexing.index(
            folders, self._known.name, profile=wanted.profile if is_recut else None, deep=self._is_deep
        )


def _needs_peace(change: Change) -> bool:
    """Whether it is refused while somebody writes to the knowledge base."""
    return not isinstance(change, ChangeLibrary) or change.name is not None


def _field_of(change: Change, event: TaskFailed) -> Field:
    """Where the words of an error belong."""
    if not isinstance(change, ChangeLibrary):
        return "folders"
    if event.code == "pattern_invalid":
        is_of_exclude = event.params.get("pattern") == " ".join(change.exclude or ())
        return "exclude" if is_of_exclude else "include"
    return "name"
