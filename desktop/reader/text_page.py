"""The text of a document with the cited passage marked, for everything that is not shown as a PDF."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop.design_tokens import TITLE, current_colours
from desktop.reader.positions import Positions, shown_text
from desktop.table_lines import TableLines, is_mostly_table


@dataclass(frozen=True, slots=True)
class TextPart:
    """A page's text and the spans marked in it; ``heading`` stands above it when there are several."""

    text: str
    spans: Sequence[tuple[int, int]] = ()
    heading: str = ""


class TextPage(QPlainTextEdit):
    """Read only; never interprets what it shows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textPage")
        self.setAccessibleName(self.tr("Text of the document"))
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.document().setDocumentMargin(20)
        self._tables = TableLines(self.document())
        self._ranges: list[tuple[int, int]] = []

    def show_parts(self, parts: Sequence[TextPart]) -> None:
        font = self.document().defaultFont()
        font.setPointSizeF(self.font().pointSizeF() * TITLE)
        self.document().setDefaultFont(font)
        pieces: list[str] = []
        ranges: list[tuple[int, int]] = []
        for part in parts:
            lead = ("\n\n" if pieces else "") + (f"{part.heading}\n\n" if part.heading else "")
            base = sum(_units(piece) for piece in pieces) + _units(lead)
            places = Positions(part.text)
            ranges += [(base + places.shown(start), base + places.shown(end)) for start, end in part.spans]
            pieces += [lead, shown_text(part.text)]
        self._ranges = ranges
        text = "".join(pieces)
        has_columns, mode = is_mostly_table(text), QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.NoWrap if has_columns else mode.WidgetWidth)
        self._tables.measure(text)
        self.setPlainText(text)
        self._mark()
        self._go_to_mark()
        # Lines wrap when the panel gets its size.
        QTimer.singleShot(0, self._go_to_mark)

    def marked_texts(self) -> list[str]:
        """What is marked now, for people who read with a screen reader and for tests."""
        return [selection.cursor.selectedText() for selection in self.extraSelections()]

    def _mark(self) -> None:
        colours = current_colours()
        style = QTextCharFormat()
        style.setBackground(QColor(colours.mark))
        style.setForeground(QColor(colours.text))
        selections = []
        for start, end in self._ranges:
            cursor = QTextCursor(self.document())
            cursor.setPosition(min(start, self._last()))
            cursor.setPosition(min(end, self._last()), QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format = style
            selections.append(selection)
        self.setExtraSelections(selections)

    def _last(self) -> int:
        return self.document().characterCount() - 1

    @Slot()
    def _go_to_mark(self) -> None:
        start = min((start for start, _ in self._ranges), default=0)
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(start, self._last()))
        self.setTextCursor(cursor)
        # A third down, so that what comes before the passage can be read too.
        line = self.cursorRect().top()
        step = max(1, self.fontMetrics().lineSpacing())
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (line - self.viewport().height() // 3) // step)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tables.rehighlight()
            self._mark()


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
