"""The box a question is written in: Enter sends, Shift+Enter makes a line, an input method is left alone."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

MOST_LINES = 5


class QuestionBox(QPlainTextEdit):
    """Grows from one line to five.

    Signals:
        send_wanted(): Enter was pressed and did not belong to an input method.
        focus_changed(bool): the frame around the box shows the focus.
    """

    send_wanted = Signal()
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionBox")
        self.setAccessibleName(self.tr("Question"))
        self.setPlaceholderText(self.tr("Ask your documents…"))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._has_preedit = False
        self.textChanged.connect(self.fit_height)
        self.fit_height()

    def question(self) -> str:
        return self.toPlainText()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._has_preedit = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # Shift+Enter would put a line separator, which is not a newline, into the question.
            self.insertPlainText("\n")
            return
        # With an input method's letters pending, Enter only confirms them.
        if not self._has_preedit:
            self.send_wanted.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._has_preedit = False
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_height()

    def fit_height(self) -> None:
        # QPlainTextEdit counts its document's height in lines.
        lines = max(1, min(MOST_LINES, round(self.document().size().height())))
        chrome = 2 * int(self.document().documentMargin()) + 2 * self.frameWidth() + 2
        height = lines * self.fontMetrics().lineSpacing() + chrome
        if self.height() != height or self.maximumHeight() != height:
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(300, self.maximumHeight())
