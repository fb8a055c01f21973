"""Stored text set as headings, paragraphs, lists and tables. Nothing in it is ever taken for markup."""

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTableFormat,
)

from desktop.design_tokens import HEADING, SPACE_L, SPACE_S, SPACE_XS, TITLE, current_colours
from desktop.reader.positions import shown_text
from desktop.reader.text_part import TextPart
from desktop.table_lines import SEPARATOR

_LEVELS = (HEADING * 1.15, HEADING, TITLE * 1.08, TITLE)
_INDENT_EM = 1.0
_MOST_ROWS = 400
"""A longer table is set as lines: Qt's layout of tables takes longer with each row."""


class RichText:
    """Writes parts into ``document`` and knows afterwards where each offset of each of them lies."""

    def __init__(self, document: QTextDocument, base: QFont) -> None:
        self._document = document
        self._font = base
        self._starts: list[list[int]] = []
        self._texts: list[list[tuple[str, int]]] = []

    def set_font(self, base: QFont) -> None:
        self._font = base

    def write(self, parts: Sequence[TextPart]) -> None:
        self._starts, self._texts = [], []
        self._document.clear()
        self._document.setDefaultFont(self._font)
        self._cursor = QTextCursor(self._document)
        self._cursor.beginEditBlock()
        self._is_first = True
        for part in parts:
            self._starts.append([])
            self._texts.append([])
            if part.heading:
                self._begin_block(self._block(SPACE_L, SPACE_S), self._char(TITLE, muted=True))
                self._cursor.insertText(shown_text(part.heading))
            self._write_part(part)
        self._cursor.endEditBlock()

    def place(self, part: int, offset: int) -> int:
        """The position in the document of an offset of a part's text."""
        starts = self._starts[part]
        if not starts:
            return 0
        number = max(0, bisect_right(starts, offset) - 1)
        text, position = self._texts[part][number]
        return position + _units(text[: offset - starts[number]])

    def _write_part(self, part: TextPart) -> None:
        levels = {heading.offset: heading.level for heading in part.headings}
        lines = _lines(part.text)
        at = 0
        while at < len(lines):
            rows = _table_rows(lines, at)
            if 1 < len(rows) <= _MOST_ROWS:
                self._write_table(rows)
            else:
                rows = rows or lines[at : at + 1]
                for offset, text in rows:
                    if text.strip():
                        self._write_line(offset, text, levels.get(offset))
            at += len(rows)

    def _write_line(self, offset: int, text: str, level: int | None) -> None:
        if level is not None:
            size = _LEVELS[min(level, len(_LEVELS)) - 1]
            self._begin_block(self._block(SPACE_L, SPACE_S), self._char(size, bold=True))
        else:
            block = self._block(0, SPACE_S)
            indent = len(text) - len(text.lstrip(" \t"))
            block.setLeftMargin(indent * self._font.pointSizeF() * _INDENT_EM)
            self._begin_block(block, self._char(1.0))
        self._insert(offset, text)

    def _write_table(self, rows: Sequence[tuple[int, str]]) -> None:
        cells = [_cells(*row) for row in rows]
        colours = current_colours()
        style = QTextTableFormat()
        style.setBorderCollapse(True)
        style.setBorder(1)
        style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        style.setBorderBrush(QColor(colours.border))
        style.setCellPadding(SPACE_XS + 2)
        style.setTopMargin(SPACE_XS)
        style.setBottomMargin(SPACE_L)
        style.setHeaderRowCount(1)
        style.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        table = self._cursor.insertTable(len(rows), max(map(len, cells)), style)
        for number, row in enumerate(cells):
            for column, (offset, text) in enumerate(row):
                cell = table.cellAt(number, column)
                if number == 0:
                    shade = cell.format()
                    shade.setBackground(QColor(colours.raised))
                    cell.setFormat(shade)
                self._cursor = cell.firstCursorPosition()
                self._cursor.setBlockFormat(self._block(0, 0))
                self._cursor.setCharFormat(self._char(1 / TITLE, bold=number == 0))
                self._insert(offset, text)
        self._cursor = QTextCursor(self._document)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        # The block below a table is there already.
        self._is_first = True

    def _begin_block(self, block: QTextBlockFormat, char: QTextCharFormat) -> None:
        if self._is_first:
            self._cursor.setBlockFormat(block)
            self._cursor.setBlockCharFormat(char)
        else:
            self._cursor.insertBlock(block, char)
        self._cursor.setCharFormat(char)
        self._is_first = False

    def _insert(self, offset: int, text: str) -> None:
        self._starts[-1].append(offset)
        self._texts[-1].append((text, self._cursor.position()))
        self._cursor.insertText(shown_text(text))

    def _block(self, above: float, below: float) -> QTextBlockFormat:
        block = QTextBlockFormat()
        block.setTopMargin(above)
        block.setBottomMargin(below)
        block.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        return block

    def _char(self, size: float, *, bold: bool = False, muted: bool = False) -> QTextCharFormat:
        colours = current_colours()
        char = QTextCharFormat()
        char.setFontPointSize(self._font.pointSizeF() * size)
        char.setFontWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        char.setForeground(QColor(colours.muted if muted else colours.text))
        return char


def _lines(text: str) -> list[tuple[int, str]]:
    """Offset and text of each line, without its end."""
    found, at = [], 0
    for line in text.splitlines(keepends=True):
        found.append((at, line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")))
        at += len(line)
    return found


def _table_rows(lines: Sequence[tuple[int, str]], start: int) -> Sequence[tuple[int, str]]:
    """The lines of the table that begins with the line ``start``, if one does."""
    end = start
    while end < len(lines) and SEPARATOR in lines[end][1]:
        end += 1
    return lines[start:end]


def _cells(offset: int, line: str) -> list[tuple[int, str]]:
    found = []
    for cell in line.split(SEPARATOR):
        found.append((offset, cell))
        offset += len(cell) + len(SEPARATOR)
    return found


def _units(text: str) -> int:
    return len(shown_text(text).encode("utf-16-le", "surrogatepass")) // 2
