"""Rows of sheets as they are stored, in the form that a table view asks for."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from desktop.design_tokens import current_colours
from desktop.reader.text_part import Occurrence, TextPart
from desktop.table_lines import SEPARATOR

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class GridRow:
    """Cells with the offset of each in the text of its part; ``number`` is that in the sheet, if known."""

    part: int
    number: int | None
    cells: Sequence[str]
    starts: Sequence[int]


@dataclass(slots=True)
class Sheet:
    """``cited``, ``passage`` and ``found`` are cells (row, column)."""

    name: str
    rows: list[GridRow] = field(default_factory=list)
    cited: set[tuple[int, int]] = field(default_factory=set)
    passage: set[tuple[int, int]] = field(default_factory=set)
    found: set[tuple[int, int]] = field(default_factory=set)
    found_now: tuple[int, int] | None = None
    _starts: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)

    def add(self, rows: Sequence[GridRow]) -> None:
        """Append rows of one part."""
        for row in rows:
            offsets, numbers = self._starts.setdefault(row.part, ([], []))
            offsets.append(row.starts[0])
            numbers.append(len(self.rows))
            self.rows.append(row)

    @property
    def columns(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)

    @property
    def first_mark(self) -> tuple[int, int] | None:
        """Where the last run of marked rows begins: a passage has the header of its rows in front."""
        marked = self.cited or self.passage
        rows = {row for row, _ in marked}
        row = max(rows, default=None)
        while row is not None and row - 1 in rows:
            row -= 1
        return min((cell for cell in marked if cell[0] == row), default=None)

    def text(self, row: int, column: int) -> str:
        cells = self.rows[row].cells
        return cells[column] if column < len(cells) else ""

    def cited_texts(self) -> list[str]:
        return [self.text(*cell) for cell in sorted(self.cited)]

    def cells(self, part: int, start: int, end: int) -> set[tuple[int, int]]:
        """The cells that hold something of ``[start, end)`` of a part's text."""
        offsets, numbers = self._starts.get(part, ([], []))
        first = max(0, bisect_right(offsets, start) - 1)
        return {
            (row, column)
            for row in numbers[first : bisect_left(offsets, end)]
            for column, (at, cell) in enumerate(zip(self.rows[row].starts, self.rows[row].cells, strict=True))
            if at < end and start < at + len(cell)
        }

    def place(self, part: int, offset: int) -> tuple[int, int] | None:
        """The cell at an offset; None where it is in another sheet."""
        offsets, numbers = self._starts.get(part, ([], []))
        if not offsets:
            return None
        row = numbers[max(0, bisect_right(offsets, offset) - 1)]
        return row, max(0, bisect_right(self.rows[row].starts, offset) - 1)

    def set_found(self, found: Sequence[Occurrence], now: Occurrence | None) -> None:
        self.found = {cell for each in found if (cell := self.place(*each[:2])) is not None}
        self.found_now = None if now is None else self.place(*now[:2])


def sheets_of(parts: Sequence[TextPart]) -> list[Sheet]:
    """The parts by the sheet that they are of, in order, their marks as cells."""
    sheets: dict[str, Sheet] = {}
    for number, part in enumerate(parts):
        name = str((part.location or {}).get("sheet") or "")
        sheet = sheets.setdefault(name, Sheet(name))
        sheet.add(_rows(number, part))
        for span in part.spans:
            sheet.cited |= sheet.cells(number, *span)
        for span in part.passage:
            sheet.passage |= sheet.cells(number, *span)
    return list(sheets.values())


def _rows(number: int, part: TextPart) -> list[GridRow]:
    lines = part.text.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    first, last = (part.location or {}).get("rows") or (0, -1)
    # Empty rows of a sheet are not stored: numbers are told only where none is missing.
    is_whole = last - first + 1 == len(lines)
    rows, at = [], 0
    for place, line in enumerate(lines):
        cells = line.split(SEPARATOR)
        starts, start = [], at
        for cell in cells:
            starts.append(start)
            start += len(cell) + len(SEPARATOR)
        rows.append(GridRow(number, first + place if is_whole else None, cells, starts))
        at += len(line) + 1
    return rows


class GridModel(QAbstractTableModel):
    """One sheet, read only."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = Sheet("")
        self._columns = 0

    def set_sheet(self, sheet: Sheet) -> None:
        self.beginResetModel()
        self.sheet = sheet
        self._columns = sheet.columns
        self.endResetModel()

    def repaint_marks(self) -> None:
        if self.sheet.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.sheet.rows) - 1, self._columns - 1))

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.sheet.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._columns

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = (index.row(), index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.sheet.text(*cell)
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._background(cell)
        if role == Qt.ItemDataRole.ForegroundRole:
            colours = current_colours()
            return QColor(colours.on_accent if cell == self.sheet.found_now else colours.text)
        if role == Qt.ItemDataRole.FontRole and self.sheet.passage and cell in self.sheet.cited:
            # Told apart by more than the colour.
            font = QFont()
            font.setUnderline(True)
            return font
        return None

    def _background(self, cell: tuple[int, int]) -> QColor | None:
        colours, sheet = current_colours(), self.sheet
        if cell == sheet.found_now:
            return QColor(colours.accent)
        for cells, colour in (
            (sheet.found, colours.found),
            (sheet.cited, colours.mark),
            (sheet.passage, colours.mark_soft),
        ):
            if cell in cells:
                return QColor(colour)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return column_letters(section)
        number = self.sheet.rows[section].number
        return "" if number is None else str(number)


def column_letters(column: int) -> str:
    """A, B … Z, AA, as spreadsheets name their columns; ``column`` counts from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
