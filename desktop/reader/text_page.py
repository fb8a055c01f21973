"""Plain text with the cited passage marked: text files, and the stored text of a PDF."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop.design_tokens import TITLE
from desktop.reader.positions import Positions, shown_text
from desktop.reader.text_marks import TextMarks
from desktop.reader.text_part import Occurrence, TextPart
from desktop.table_lines import TableLines, is_mostly_table


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
        self._places: list[tuple[int, Positions]] = []
        self._marks = TextMarks(self, self._place)

    def show_parts(self, parts: Sequence[TextPart]) -> None:
        font = self.document().defaultFont()
        font.setPointSizeF(self.font().pointSizeF() * TITLE)
        self.document().setDefaultFont(font)
        pieces: list[str] = []
        self._places = []
        base = 0
        for part in parts:
            lead = ("\n\n" if pieces else "") + (f"{part.heading}\n\n" if part.heading else "")
            positions = Positions(part.text)
            self._places.append((base + _units(lead), positions))
            base += _units(lead) + positions.length
            pieces += [lead, shown_text(part.text)]
        text = "".join(pieces)
        has_columns, mode = is_mostly_table(text), QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.NoWrap if has_columns else mode.WidgetWidth)
        self._tables.measure(text)
        self.setPlainText(text)
        self._marks.set_parts(parts)
        self._go_to_mark()
        # Lines wrap when the panel gets its size.
        QTimer.singleShot(0, self._go_to_mark)

    def _place(self, part: int, offset: int) -> int:
        base, positions = self._places[part]
        return base + positions.shown(offset)

    def marked_texts(self) -> list[str]:
        """What is marked as cited now, for people who read with a screen reader and for tests."""
        return self._marks.sentence_texts

    def show_found(self, found: Sequence[Occurrence], now: int | None) -> None:
        self._marks.set_found(found, now)
        if now is not None:
            self.go_to(*found[now][:2])

    def go_to(self, part: int, offset: int) -> None:
        self._scroll_to(self._place(part, offset))

    @Slot()
    def _go_to_mark(self) -> None:
        self._scroll_to(self._marks.first or 0)

    def _scroll_to(self, position: int) -> None:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.document().characterCount() - 1))
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
            self._marks.paint()


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
