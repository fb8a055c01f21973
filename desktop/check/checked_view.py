"""The sentences of a checked draft; a click on one opens its source."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from desktop.ask.answer_view import AnswerView
from desktop.ask.text_styles import SOURCE


class CheckedView(AnswerView):
    """An answer's view whose sentences can be clicked like their [n]; the keyboard goes from [n] to [n]."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checkedSentences")
        self.setAccessibleName(self.tr("Checked sentences"))

    def source_at(self, place: QPointF) -> int | None:
        """The number of the first citation of the sentence that is shown there."""
        layout = self.document().documentLayout()
        position = layout.hitTest(place, Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return None
        cursor = QTextCursor(self.document())
        # The format of a cursor is that of the character before it.
        cursor.setPosition(min(position + 1, self.document().characterCount() - 1))
        number = cursor.charFormat().property(SOURCE)
        return int(number) if number else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons() and self.source_at(event.position()) is not None:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_click = event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection()
        number = self.source_at(event.position()) if is_click else None
        if number is not None:
            self.citation_clicked.emit(number)
