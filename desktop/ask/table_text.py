"""Rows of findings set as a table: cells wrap, each row carries its chip and what its check says."""

from collections.abc import Sequence

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QWidget

from desktop.ask import table_copy
from desktop.ask.cited_text import CitedText
from desktop.ask.text_styles import AnswerStyles
from desktop.design_tokens import BODY, CAPTION, SPACE_S, current_colours
from engine.answers import TableRow, Total

_MOST_ADDENDS = 12
_PERCENT = {2: (45, 55), 3: (30, 28, 42)}
_Unit = QTextLength.Type.PercentageLength


class TableText(CitedText):
    """Rows can be added one by one; totals stand in rows of their own at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._columns: tuple[str, ...] = ()
        self._rows: list[TableRow] = []
        self._totals: Sequence[Total] = ()
        self._table: QTextTable | None = None
        super().__init__("answerTableText", parent)
        self.setAccessibleName(self.tr("Table of what was found"))

    def show_table(
        self, columns: Sequence[str], rows: Sequence[TableRow], totals: Sequence[Total] = ()
    ) -> None:
        """It replaces what is shown."""
        self._columns, self._rows, self._totals = tuple(columns), list(rows), totals
        self.restyle()

    def append_rows(self, rows: Sequence[TableRow]) -> None:
        """Rows of a table that is still being made, whose columns are known."""
        self._rows += rows
        if self._table is not None:
            cursor = QTextCursor(self.document())
            # Set in one go: the document is laid out anew after every change outside of such a block.
            cursor.beginEditBlock()
            self._insert_rows(self._table, rows, self.styles())
            cursor.endEditBlock()

    def restyle(self) -> None:
        self.clear()
        self._table = None
        if not self._columns:
            return
        styles = self.styles()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._table = cursor.insertTable(1, len(self._columns), _format(len(self._columns)))
        for column, head in enumerate(self._columns):
            self._write(self._table, 0, column, head, _head(styles))
        self._insert_rows(self._table, self._rows, styles)
        for total in self._totals:
            self._insert_total(self._table, total, styles)
        cursor.endEditBlock()

    def _insert_rows(self, table: QTextTable, rows: Sequence[TableRow], styles: AnswerStyles) -> None:
        if not rows:
            return
        first = table.rows()
        table.appendRows(len(rows))
        for number, row in enumerate(rows, first):
            for column, cell in enumerate(row.cells[: len(self._columns)]):
                cursor = self._write(table, number, column, cell, _body(styles))
                if column == 1:
                    for cited in row.citations:
                        self.insert_chip(cursor, cited, styles)
                    if row.verdict != "supported":
                        # On a line of its own its words are not torn apart in a narrow column.
                        cursor.insertText("\u2028", _body(styles))
                    self.insert_badge(cursor, row.verdict, self._why(row), styles)

    def _insert_total(self, table: QTextTable, total: Total, styles: AnswerStyles) -> None:
        number = table.rows()
        table.appendRows(1)
        self._write(table, number, 0, table_copy.total_head(), _head(styles))
        strong = _body(styles)
        strong.setFontWeight(QFont.Weight.DemiBold)
        cursor = self._write(table, number, 1, f"{total.value} {total.unit}", strong)
        if len(self._columns) > 2:
            text = self.tr("sum of %n rows", "", len(total.addends))
            cursor = self._write(table, number, 2, text, _head(styles))
        if len(total.addends) <= _MOST_ADDENDS:
            for cited in total.addends:
                self.insert_chip(cursor, cited, styles)

    def _why(self, row: TableRow) -> str:
        if row.verdict == "partly":
            return self.tr("The passage holds only a part of this row.")
        return self.tr("The passage does not hold this row; it is counted nowhere.")

    def _write(
        self, table: QTextTable, row: int, column: int, text: str, style: QTextCharFormat
    ) -> QTextCursor:
        cursor = table.cellAt(row, column).firstCursorPosition()
        cursor.insertText(" ".join(text.split()), style)
        return cursor


def _format(columns: int) -> QTextTableFormat:
    colours = current_colours()
    style = QTextTableFormat()
    style.setWidth(QTextLength(_Unit, 100))
    shares = _PERCENT.get(columns, (100 // columns,) * columns)
    style.setColumnWidthConstraints([QTextLength(_Unit, share) for share in shares])
    style.setHeaderRowCount(1)
    style.setCellPadding(SPACE_S - 2)
    style.setCellSpacing(0)
    style.setBorder(1)
    style.setBorderCollapse(True)
    style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    style.setBorderBrush(QBrush(QColor(colours.border)))
    return style


def _body(styles: AnswerStyles) -> QTextCharFormat:
    style = styles.body()
    style.setFontPointSize(styles.size * BODY)
    return style


def _head(styles: AnswerStyles) -> QTextCharFormat:
    style = styles.body()
    style.setFontPointSize(styles.size * CAPTION)
    style.setForeground(QColor(current_colours().muted))
    style.setFontWeight(QFont.Weight.DemiBold)
    return style
