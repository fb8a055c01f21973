"""Markdown, web pages, Word, slides, books and mail: the stored text with its headings and tables."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QTimer, QUrl, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from desktop.design_tokens import TITLE
from desktop.reader.rich_text import RichText
from desktop.reader.text_marks import TextMarks
from desktop.reader.text_part import Occurrence, TextPart


class RichPage(QTextBrowser):
    """Read only; loads nothing, follows no link, knows no markup: there is no file behind it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("richPage")
        self.setAccessibleName(self.tr("Text of the document"))
        self.setOpenLinks(False)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.document().setDocumentMargin(20)
        self._parts: Sequence[TextPart] = ()
        self._text = RichText(self.document(), self.font())
        self._marks = TextMarks(self, self._text.place)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing: neither from the network nor from this machine."""
        return None

    def show_parts(self, parts: Sequence[TextPart]) -> None:
        self._parts = parts
        self._write()
        self._go_to_mark()
        # Lines wrap when the panel gets its size.
        QTimer.singleShot(0, self._go_to_mark)

    def _write(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * TITLE)
        self._text.set_font(font)
        self._text.write(self._parts)
        self._marks.set_parts(self._parts)

    def marked_texts(self) -> list[str]:
        return self._marks.sentence_texts

    def show_found(self, found: Sequence[Occurrence], now: int | None) -> None:
        self._marks.set_found(found, now)
        if now is not None:
            self.go_to(*found[now][:2])

    def go_to(self, part: int, offset: int) -> None:
        self._scroll_to(self._text.place(part, offset))

    @Slot()
    def _go_to_mark(self) -> None:
        self._scroll_to(self._marks.first or 0)

    def _scroll_to(self, position: int) -> None:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        # A third down, so that what comes before the passage can be read too.
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().top() - self.viewport().height() // 3)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._parts:
            place = self.verticalScrollBar().value()
            self._write()
            self.verticalScrollBar().setValue(place)
