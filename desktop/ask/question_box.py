"""The box a question is written in: Enter sends, Shift+Enter makes a line, an input method is left alone."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from desktop.ask.question_history import QuestionHistory

MOST_LINES = 5
_ARROWS = {Qt.Key.Key_Up: QTextCursor.MoveOperation.Up, Qt.Key.Key_Down: QTextCursor.MoveOperation.Down}


class QuestionBox(QPlainTextEdit):
    """Grows from one line to five. Arrows on the first and the last line walk through ``history``.

    Signals:
        send_wanted(): Enter was pressed and did not belong to an input method.
        passages_wanted(): the same with Ctrl held down.
        escaped(): Escape was pressed and did not belong to an input method.
        focus_changed(bool): the frame around the box shows the focus.
    """

    send_wanted = Signal()
    passages_wanted = Signal()
    escaped = Signal()
    focus_changed = Signal(bool)

    def __init__(self, name: str = "questionBox", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("role", "question")
        self.setAccessibleName(self.tr("Question"))
        self.setPlaceholderText(self.tr("Ask your documents…"))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.history = QuestionHistory()
        self._has_preedit = False
        self._is_walking = False
        self.textChanged.connect(self.fit_height)
        self.textChanged.connect(self._on_text_changed)
        self.fit_height()

    def question(self) -> str:
        return self.toPlainText()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._has_preedit = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_enter(event.modifiers())
        elif key == Qt.Key.Key_Escape and not self._has_preedit:
            self.escaped.emit()
        elif not self._walks(Qt.Key(key), event.modifiers()):
            super().keyPressEvent(event)

    def _on_enter(self, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            # Shift+Enter would put a line separator, which is not a newline, into the question.
            self.insertPlainText("\n")
        # With an input method's letters pending, Enter only confirms them.
        elif not self._has_preedit:
            is_find = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
            (self.passages_wanted if is_find else self.send_wanted).emit()

    def _walks(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Show an earlier or later question where the arrow cannot move the cursor; whether one was shown."""
        is_plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key not in _ARROWS or self._has_preedit or not is_plain:
            return False
        if QTextCursor(self.textCursor()).movePosition(_ARROWS[key]):
            return False
        found = self.history.earlier(self.question()) if key == Qt.Key.Key_Up else self.history.later()
        if found is None:
            return False
        self._is_walking = True
        self.setPlainText(found)
        self._is_walking = False
        self.moveCursor(QTextCursor.MoveOperation.End)
        return True

    @Slot()
    def _on_text_changed(self) -> None:
        if not self._is_walking:
            self.history.leave()

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

    @Slot()
    def fit_height(self) -> None:
        # QPlainTextEdit counts its document's height in lines.
        lines = max(1, min(MOST_LINES, round(self.document().size().height())))
        chrome = 2 * int(self.document().documentMargin()) + 2 * self.frameWidth() + 2
        height = lines * self.fontMetrics().lineSpacing() + chrome
        if self.height() != height or self.maximumHeight() != height:
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(300, self.maximumHeight())
