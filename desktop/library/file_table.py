"""The files of a knowledge base as a table: name, state, pages, passages."""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop import error_text, icons
from desktop.design_tokens import LIGHT, Colours, current_colours
from desktop.words import number, state_word
from engine.documents import FileState
from engine.events import FileReport

NAME, STATE, PAGES, CHUNKS = range(4)
_WIDEST_STATE = 72
_READABLE_NAME = 130
_Index = QModelIndex | QPersistentModelIndex
_MARKS: dict[FileState | None, tuple[str, str]] = {
    None: ("state-reading", "muted"),
    FileState.INDEXED: ("state-good", "good"),
    FileState.PARTIAL: ("state-part", "warn"),
    FileState.EXCLUDED: ("state-skip", "muted"),
    FileState.SET_ASIDE: ("state-skip", "muted"),
    FileState.UNSUPPORTED: ("state-skip", "muted"),
}


def _by_name(file: FileReport) -> tuple[str, str]:
    return PurePosixPath(file.path).name.casefold(), file.path


class FileTableModel(QAbstractTableModel):
    """Rows by path. News is staged and shown by :meth:`show_staged`, so that a fast sync does not
    repaint per file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[FileReport] = []
        self._places: dict[str, int] = {}
        self._reading: set[str] = set()
        self._staged: dict[str, FileReport] = {}
        self._colours = LIGHT

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self._announce(range(len(self._rows)))

    def states(self) -> set[FileState | None]:
        """The states that are in the table now."""
        return {self.state(file) for file in self._rows}

    def state(self, file: FileReport) -> FileState | None:
        return None if file.path in self._reading else file.state

    def set_files(self, files: Iterable[FileReport]) -> None:
        self.beginResetModel()
        self._rows = sorted(files, key=_by_name)
        self._places = {file.path: place for place, file in enumerate(self._rows)}
        self._reading.clear()
        self._staged.clear()
        self.endResetModel()

    def stage_reading(self, path: str, pages: int = 0, chunks: int = 0) -> None:
        self._reading.add(path)
        self._staged[path] = FileReport(path, FileState.INDEXED, pages=pages, chunks=chunks)

    def stage(self, file: FileReport) -> None:
        self._reading.discard(file.path)
        self._staged[file.path] = file

    def show_staged(self) -> None:
        """Bring what was staged into the table."""
        if not self._staged:
            return
        new = [file for path, file in self._staged.items() if path not in self._places]
        changed = [self._places[path] for path in self._staged if path in self._places]
        for place in changed:
            self._rows[place] = self._staged[self._rows[place].path]
        self._announce(changed)
        if new:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._rows.extend(new)
            self._places.update({file.path: first + n for n, file in enumerate(new)})
            self.endInsertRows()
        self._staged.clear()

    def clear_reading(self) -> None:
        """Take back the rows of files that never reached a state, after a stop or a failure."""
        self.show_staged()
        unfinished = self._reading.copy()
        if unfinished:
            self.set_files([file for file in self._rows if file.path not in unfinished])

    def _announce(self, places: Iterable[int]) -> None:
        rows = list(places)
        if rows:
            self.dataChanged.emit(self.index(min(rows), 0), self.index(max(rows), CHUNKS))

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("File"), self.tr("State"), self.tr("Pages"), self.tr("Passages"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section >= PAGES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        file = self._rows[index.row()]
        state = self.state(file)
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == NAME:
                return PurePosixPath(file.path).name
            if column == STATE:
                return state_word(state)
            count = file.pages if column == PAGES else file.chunks
            return number(count) if count else "–"
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(file, state)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NAME:
            return self._tooltip(file, state)
        if role == Qt.ItemDataRole.DecorationRole and column == STATE:
            name, colour = _MARKS.get(state, ("state-bad", "bad"))
            return icons.icon(name, getattr(self._colours, colour))
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= PAGES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _tooltip(self, file: FileReport, state: FileState | None) -> str:
        lines = [file.path, state_word(state)]
        if file.reason is not None:
            words = error_text.describe(file.reason.code, file.reason.params)
            lines += [part for part in (words.title, words.advice) if part]
        return "\n".join(lines)


class FileTable(QTableView):
    """The view of :class:`FileTableModel`; columns keep their place, names take the room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fileTable")
        self.setAccessibleName(self.tr("Files of the knowledge base"))
        self.files = FileTableModel(self)
        self.setModel(self.files)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(16, 16))
        self.verticalHeader().hide()
        # One height for all rows: measuring each of 10,000 rows would freeze the window.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 14)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.files.modelReset.connect(self.fit_columns)
        self.files.rowsInserted.connect(self.fit_columns)

    @Slot()
    def fit_columns(self) -> None:
        """Room for the longest state word that is shown and for the headers; the name takes the rest."""
        metrics = self.fontMetrics()
        words = {state_word(state) for state in self.files.states()}
        widest = max((metrics.horizontalAdvance(word) for word in words), default=0)
        least = metrics.horizontalAdvance(state_word(FileState.INDEXED))
        self.setColumnWidth(STATE, min(max(widest, least), _WIDEST_STATE) + self.iconSize().width() + 30)
        for column in (PAGES, CHUNKS):
            title = self.files.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            self.setColumnWidth(column, max(metrics.horizontalAdvance(str(title)), 24) + 10)

    def wanted_width(self) -> int:
        """Room in which names can be told apart beside the other columns."""
        self.fit_columns()
        return _READABLE_NAME + sum(self.columnWidth(column) for column in (STATE, PAGES, CHUNKS))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.files.set_colours(current_colours())
            self.fit_columns()
