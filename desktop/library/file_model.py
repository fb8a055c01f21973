"""The files of a knowledge base as a table model: name, state, pages, passages."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from desktop import icons
from desktop.design_tokens import LIGHT, Colours
from desktop.library.file_words import explanation, is_copy, mark, name_of, outcome_word
from desktop.words import number
from engine.documents import FileState
from engine.events import FileReport

NAME, STATE, PAGES, CHUNKS = range(4)
ModelIndex = QModelIndex | QPersistentModelIndex


def _by_name(file: FileReport) -> tuple[str, str]:
    return name_of(file).casefold(), file.path


class FileTableModel(QAbstractTableModel):
    """Rows by path. News is staged and shown by :meth:`show_staged`, so that a fast sync does not
    repaint per file.

    Signals:
        counts_changed(): another number of files is in some state.
    """

    counts_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[FileReport] = []
        # What is shown, row by row; None is a file that is being read.
        self._states: list[FileState | None] = []
        self._counts: Counter[FileState | None] = Counter()
        self._copies = 0
        self._places: dict[str, int] = {}
        self._reading: set[str] = set()
        self._staged: dict[str, FileReport] = {}
        self._colours = LIGHT

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self._announce(range(len(self._rows)))

    def counts(self) -> Mapping[FileState | None, int]:
        """How many files are in each state; together they are all files."""
        return {state: count for state, count in self._counts.items() if count}

    def has_copies(self) -> bool:
        return self._copies > 0

    def files(self) -> tuple[FileReport, ...]:
        return tuple(self._rows)

    def file(self, row: int) -> FileReport:
        return self._rows[row]

    def state(self, row: int) -> FileState | None:
        return self._states[row]

    def row_of(self, path: str) -> int | None:
        return self._places.get(path)

    def set_files(self, files: Iterable[FileReport]) -> None:
        self.beginResetModel()
        self._rows = sorted(files, key=_by_name)
        self._states = [file.state for file in self._rows]
        self._counts = Counter(self._states)
        self._copies = sum(map(is_copy, self._rows))
        self._places = {file.path: place for place, file in enumerate(self._rows)}
        self._reading.clear()
        self._staged.clear()
        self.endResetModel()
        self.counts_changed.emit()

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
            file = self._staged[self._rows[place].path]
            self._counts[self._states[place]] -= 1
            self._copies += is_copy(file) - is_copy(self._rows[place])
            self._rows[place], self._states[place] = file, self._state_now(file)
            self._counts[self._states[place]] += 1
        self._announce(changed)
        if new:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._rows.extend(new)
            self._states.extend(self._state_now(file) for file in new)
            self._counts.update(self._states[first:])
            self._copies += sum(map(is_copy, new))
            self._places.update({file.path: first + n for n, file in enumerate(new)})
            self.endInsertRows()
        self._staged.clear()
        self.counts_changed.emit()

    def clear_reading(self) -> None:
        """Take back the rows of files that never reached a state, after a stop or a failure."""
        self.show_staged()
        unfinished = self._reading.copy()
        if unfinished:
            self.set_files([file for file in self._rows if file.path not in unfinished])

    def _state_now(self, file: FileReport) -> FileState | None:
        return None if file.path in self._reading else file.state

    def _announce(self, places: Iterable[int]) -> None:
        rows = list(places)
        if rows:
            self.dataChanged.emit(self.index(min(rows), 0), self.index(max(rows), CHUNKS))

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("File"), self.tr("State"), self.tr("Pages"), self.tr("Passages"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section >= PAGES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: ModelIndex, role: int = 0) -> Any:
        file, state = self._rows[index.row()], self._states[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == NAME:
                return name_of(file)
            if column == STATE:
                return outcome_word(file, state)
            count = file.pages if column == PAGES else file.chunks
            return number(count) if count else "–"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return explanation(file, state)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NAME:
            return explanation(file, state)
        if role == Qt.ItemDataRole.DecorationRole and column == STATE:
            name, colour = mark(state)
            return icons.icon(name, getattr(self._colours, colour))
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= PAGES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class StateFilter(QSortFilterProxyModel):
    """Shows the files of one state, or all."""

    def __init__(self, files: FileTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._wanted: frozenset[FileState | None] | None = None
        self.setSourceModel(files)

    def show_only(self, states: frozenset[FileState | None] | None) -> None:
        """``None`` shows everything; None among the states is a file that is being read."""
        if states != self._wanted:
            self._wanted = states
            # invalidateFilter() is deprecated, and what follows it came with Qt 6.10.
            self.invalidate()

    def filterAcceptsRow(self, row: int, parent: ModelIndex) -> bool:
        return self._wanted is None or self._files.state(row) in self._wanted
