"""The files of a knowledge base as a table model: name, state, pages, passages, when it was read."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
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
from desktop.words import moment_words, number
from engine.documents import FileState
from engine.events import FileReport

NAME, STATE, PAGES, CHUNKS, INDEXED_AT = range(5)
ModelIndex = QModelIndex | QPersistentModelIndex
_STATES = {state: place for place, state in enumerate(FileState)}


def _by_name(file: FileReport) -> tuple[str, str]:
    return name_of(file).casefold(), file.path


# Python sorts 10,000 keys in milliseconds; a proxy that asks data() for each comparison takes seconds.
_KEYS: dict[int, Callable[[FileReport], Any]] = {
    NAME: _by_name,
    STATE: lambda file: _STATES[file.state],
    PAGES: lambda file: file.pages,
    CHUNKS: lambda file: file.chunks,
    INDEXED_AT: lambda file: file.indexed_at or "",
}


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
        self._order: tuple[int, bool] = (NAME, False)

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
        self._rows = self._sorted(files)
        self._states = [file.state for file in self._rows]
        self._counts = Counter(self._states)
        self._copies = sum(map(is_copy, self._rows))
        self._places = {file.path: place for place, file in enumerate(self._rows)}
        self._reading.clear()
        self._staged.clear()
        self.endResetModel()
        self.counts_changed.emit()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column, and by name where that is alike. New files stand at the end until all are listed."""
        wanted = column, order == Qt.SortOrder.DescendingOrder
        if wanted == self._order or column not in _KEYS:
            return
        self._order = wanted
        self.beginResetModel()
        self._rows = self._sorted(self._rows)
        self._states = [self._state_now(file) for file in self._rows]
        self._places = {file.path: place for place, file in enumerate(self._rows)}
        self.endResetModel()

    def _sorted(self, files: Iterable[FileReport]) -> list[FileReport]:
        column, is_descending = self._order
        return sorted(sorted(files, key=_by_name), key=_KEYS[column], reverse=is_descending)

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
            self.dataChanged.emit(self.index(min(rows), 0), self.index(max(rows), INDEXED_AT))

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_KEYS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (
                self.tr("File"), self.tr("State"), self.tr("Pages"), self.tr("Passages"), self.tr("Read at")
            )  # fmt: skip
            return titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in (PAGES, CHUNKS):
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
            if column == INDEXED_AT:
                return moment_words(file.indexed_at)
            count = file.pages if column == PAGES else file.chunks
            return number(count) if count else "–"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return explanation(file, state)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == NAME:
            return explanation(file, state)
        if role == Qt.ItemDataRole.DecorationRole and column == STATE:
            name, colour = mark(state)
            return icons.icon(name, getattr(self._colours, colour))
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (PAGES, CHUNKS):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class FileFilter(QSortFilterProxyModel):
    """Shows the files of some states whose path holds some words, or all."""

    def __init__(self, files: FileTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._wanted: frozenset[FileState | None] | None = None
        self._words: tuple[str, ...] = ()
        self.setSourceModel(files)

    def show_only(self, states: frozenset[FileState | None] | None) -> None:
        """``None`` shows everything; None among the states is a file that is being read."""
        if states != self._wanted:
            self._wanted = states
            # invalidateFilter() is deprecated, and what follows it came with Qt 6.10.
            self.invalidate()

    def show_named(self, text: str) -> None:
        """Only files whose path has each of the words of ``text``, whatever their case."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self.invalidate()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """The files themselves are put in order; what is shown follows."""
        self._files.sort(column, order)

    def filterAcceptsRow(self, row: int, parent: ModelIndex) -> bool:
        if self._wanted is not None and self._files.state(row) not in self._wanted:
            return False
        path = self._files.file(row).path.casefold() if self._words else ""
        return all(word in path for word in self._words)
