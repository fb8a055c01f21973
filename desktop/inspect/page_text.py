"""The text of a page with its chunks, what was left out, and the chosen chunk marked."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from desktop.design_tokens import current_colours
from desktop.inspect.layers import PageLayers, within
from desktop.inspect.words import chunk_hint
from desktop.reader.positions import Positions, shown_text
from desktop.table_lines import TableLines, is_mostly_table
from desktop.words import dropped_word
from engine.documents import Chunk


class PageText(QPlainTextEdit):
    """Shows one part of a page; never interprets what it shows.

    Signals:
        chunk_clicked(object): place in the list of the chunk whose text was clicked, an int.
    """

    chunk_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspectText")
        self.setAccessibleName(self.tr("Text of the page"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.document().setDocumentMargin(16)
        self._tables = TableLines(self.document())
        self._chunks: Sequence[Chunk] = ()
        self._layers: PageLayers | None = None
        self._part = (0, 0)
        self._positions = Positions("")
        self._chosen: int | None = None

    def show_part(self, layers: PageLayers, part: tuple[int, int], chunks: Sequence[Chunk]) -> None:
        """``part`` of the page's text; ``chunks`` are those of the whole document."""
        text = layers.page.text[part[0] : part[1]]
        self._chunks, self._layers, self._part = chunks, layers, part
        self._positions = Positions(text)
        shown = shown_text(text)
        self._tables.measure(shown)
        has_columns, mode = is_mostly_table(shown), QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.NoWrap if has_columns else mode.WidgetWidth)
        self.setPlainText(shown)
        self._paint()

    def show_nothing(self, text: str = "") -> None:
        self._chunks, self._layers, self._part = (), None, (0, 0)
        self._positions = Positions("")
        self._tables.measure("")
        self.setPlainText(text)
        self.setExtraSelections([])

    def mark_chunk(self, chunk: int | None, *, is_sought: bool = True) -> None:
        """Mark a chunk's text, as far as it is in this part; ``is_sought`` brings it into view."""
        self._chosen = chunk
        self._paint()
        spans = self._spans_of(chunk)
        if spans and is_sought:
            start, end, _ = spans[0]
            # To its end first, so that as much of it as fits is seen.
            for offset in (end, start):
                cursor = QTextCursor(self.document())
                cursor.setPosition(self._positions.shown(offset))
                self.setTextCursor(cursor)
                self.ensureCursorVisible()

    def marked_texts(self) -> list[str]:
        """The marked text, for tests."""
        text = "" if self._layers is None else self._layers.page.text[self._part[0] : self._part[1]]
        return [text[start:end] for start, end, _ in self._spans_of(self._chosen)]

    def hint_at(self, offset: int) -> str:
        """What there is to say about the character at ``offset`` of the page."""
        if self._layers is None:
            return ""
        dropped = self._layers.dropped_at(offset)
        if dropped is not None:
            return self.tr("Left out of the passages: {why}").format(why=dropped_word(dropped.why))
        found = self._layers.chunks_at(offset)
        if not found:
            return self.tr("In no passage")
        return "\n".join(chunk_hint(self._chunks[place]) for place in found)

    def _spans_of(self, chunk: int | None) -> list[tuple[int, int, int]]:
        if self._layers is None or chunk is None:
            return []
        spans = [(span.start, span.end) for span in self._layers.chunks if span.chunk == chunk]
        return list(within(spans, self._part))

    def _paint(self) -> None:
        if self._layers is None:
            return
        colours, layers = current_colours(), self._layers
        selections = []
        for start, end, place in within([(span.start, span.end) for span in layers.chunks], self._part):
            is_even = layers.chunks[place].chunk % 2 == 0
            selections.append(
                self._selection(start, end, colours.chunk_even if is_even else colours.chunk_odd)
            )
        for start, end, _ in within([(d.span.start, d.span.end) for d in layers.dropped], self._part):
            selections.append(self._selection(start, end, colours.surface, colours.muted))
            self._strike(start, end)
        for start, end, _ in self._spans_of(self._chosen):
            selections.append(self._selection(start, end, colours.mark, colours.text))
        self.setExtraSelections(selections)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._positions.shown(start))
        cursor.setPosition(self._positions.shown(end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _strike(self, start: int, end: int) -> None:
        # An extra selection only colours; a line through letters is part of their font.
        style = QTextCharFormat()
        style.setFontStrikeOut(True)
        self._cursor(start, end).mergeCharFormat(style)

    def _selection(
        self, start: int, end: int, background: str, text: str | None = None
    ) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(start, end)
        style = QTextCharFormat()
        style.setBackground(QColor(background))
        if text is not None:
            style.setForeground(QColor(text))
        selection.format = style
        return selection

    def _offset_at(self, place: QPoint) -> int:
        cursor = self.cursorForPosition(place)
        if self.cursorRect(cursor).left() > place.x():
            # The nearest gap lies right of the character under the pointer.
            cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter)
        return self._part[0] + self._positions.offset(cursor.position())

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.hint_at(self._offset_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_click = event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection()
        if is_click and self._layers is not None:
            for chunk in self._layers.chunks_at(self._offset_at(event.position().toPoint()))[:1]:
                self.chunk_clicked.emit(chunk)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tables.rehighlight()
            self._paint()
