"""Decides what happens with the files that are selected in the table."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop.library.excluding import is_left_out
from desktop.library.file_words import name_of
from desktop.library.panel import LibraryPanel
from desktop.library.places import path_on_disk
from engine.documents import FileState
from engine.events import FileReport


class FileActions(QObject):
    """``folders`` gives the folders of the shown knowledge base, ``is_busy`` whether something is indexed.

    Signals:
        inspect_wanted(str): a document is to be looked at.
        retry_wanted(object): documents to read again, a tuple of names.
        password_wanted(object): names of the selected files that need one, a tuple.
        leaving_out_wanted(object): documents that are to be read no more, a tuple of names.
        taking_in_wanted(object): documents that were left out and are to be read again, a tuple of names.
        problem_found(str, object): code and params of something to tell.
    """

    inspect_wanted = Signal(str)
    retry_wanted = Signal(object)
    password_wanted = Signal(object)
    leaving_out_wanted = Signal(object)
    taking_in_wanted = Signal(object)
    problem_found = Signal(str, object)

    def __init__(
        self,
        panel: LibraryPanel,
        folders: Callable[[], Sequence[str]],
        is_busy: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._table = panel.table
        self._details = panel.details
        self._menu = panel.file_menu
        self._folders = folders
        self._is_busy = is_busy
        self._connect()

    def _connect(self) -> None:
        table, menu, details = self._table, self._menu, self._details
        table.selection_changed.connect(self._show_selection)
        table.opened.connect(self._open)
        table.menu_wanted.connect(self._on_menu_wanted)
        details.main_button.clicked.connect(self._on_main_clicked)
        details.more_button.clicked.connect(self._on_more_clicked)
        menu.inspect_action.triggered.connect(self._on_inspect)
        menu.retry_action.triggered.connect(self._on_retry)
        menu.password_action.triggered.connect(self._on_password)
        menu.exclude_action.triggered.connect(self._on_leave_out)
        menu.include_action.triggered.connect(self._on_take_in)
        menu.folder_action.triggered.connect(self._on_open_folder)
        menu.copy_action.triggered.connect(self._on_copy_path)

    @Slot()
    def _show_selection(self) -> None:
        selected = self._table.selected()
        folders = self._folders()
        can_take_in = bool(selected) and all(is_left_out(file, folders) for file, _ in selected)
        self._menu.prepare([state for _, state in selected], self._is_busy(), can_take_in)
        self._details.show_files(selected)

    @Slot(object)
    def _open(self, file: FileReport) -> None:
        """The main action of one file: its password where that is what it waits for, else a look at it."""
        if file.state == FileState.NEEDS_PASSWORD:
            self.password_wanted.emit((name_of(file),))
        else:
            self.inspect_wanted.emit(file.path)

    @Slot(object)
    def _on_menu_wanted(self, place: QPoint) -> None:
        self._show_selection()
        if self._table.selected():
            self._menu.popup(place)

    @Slot()
    def _on_more_clicked(self) -> None:
        self._show_selection()
        button = self._details.more_button
        self._menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    @Slot()
    def _on_main_clicked(self) -> None:
        selected = self._table.selected()
        if len(selected) == 1:
            self._open(selected[0][0])
        elif not self._is_busy():
            self._on_retry()

    @Slot()
    def _on_inspect(self) -> None:
        for file, _ in self._table.selected()[:1]:
            self.inspect_wanted.emit(file.path)

    @Slot()
    def _on_retry(self) -> None:
        if names := tuple(file.path for file, _ in self._table.selected()):
            self.retry_wanted.emit(names)

    @Slot()
    def _on_password(self) -> None:
        needs = FileState.NEEDS_PASSWORD
        names = tuple(name_of(file) for file, state in self._table.selected() if state == needs)
        self.password_wanted.emit(names)

    @Slot()
    def _on_leave_out(self) -> None:
        if names := tuple(file.path for file, _ in self._table.selected()):
            self.leaving_out_wanted.emit(names)

    @Slot()
    def _on_take_in(self) -> None:
        if names := tuple(file.path for file, _ in self._table.selected()):
            self.taking_in_wanted.emit(names)

    def _paths(self) -> list[Path]:
        found = (path_on_disk(file.path, self._folders()) for file, _ in self._table.selected())
        return [path for path in found if path is not None]

    @Slot()
    def _on_open_folder(self) -> None:
        for path in self._paths()[:1]:
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))):
                self.problem_found.emit("not_readable", {"path": str(path.parent)})

    @Slot()
    def _on_copy_path(self) -> None:
        if paths := self._paths():
            QGuiApplication.clipboard().setText("\n".join(map(str, paths)))
