"""The chosen chunk as it is searched: its prefix, the overlap with the chunk before, its text."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop.design_tokens import current_colours
from desktop.reader.positions import Positions, shown_text
from engine.documents import Chunk


class ChunkView(QPlainTextEdit):
    """Read only. What only repeats is muted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspectChunk")
        self.setAccessibleName(self.tr("Text of the chosen passage"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setPlaceholderText(self.tr("Choose a passage to see the text that is searched."))
        self.document().setDocumentMargin(12)
        self._muted = (0, 0)

    def show_chunk(self, chunk: Chunk | None) -> None:
        if chunk is None:
            self._muted = (0, 0)
            self.clear()
        else:
            prefix = f"{chunk.prefix.strip()}\n\n" if chunk.prefix.strip() else ""
            text = prefix + chunk.text
            muted = len(prefix) + chunk.overlap
            self._muted = (0, Positions(text).shown(muted))
            self.setPlainText(shown_text(text))
        self._paint()

    def _paint(self) -> None:
        start, end = self._muted
        if start == end:
            self.setExtraSelections([])
            return
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        style = QTextCharFormat()
        style.setForeground(QColor(current_colours().muted))
        selection.format = style
        self.setExtraSelections([selection])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()
