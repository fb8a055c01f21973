"""A question of the thread, opened for another try."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ask.question_box import QuestionBox
from desktop.design_tokens import SPACE_M, SPACE_S


class QuestionEditor(QFrame):
    """Hidden until it is opened; Escape closes it and nothing is asked.

    Signals:
        sent(str): the text is to be asked.
        closed(): it was closed, whether something was asked or not.
    """

    sent = Signal(str)
    closed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("role", "editor")
        self.box = QuestionBox(f"{name}Box")
        self.send_button = QPushButton(self.tr("Ask again"))
        self.send_button.setObjectName(f"{name}Send")
        self.send_button.setProperty("kind", "primary")
        self.cancel_button = QPushButton(self.tr("Cancel"))
        self.cancel_button.setObjectName(f"{name}Cancel")
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.send_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.box)
        layout.addLayout(row)
        self.hide()
        self._connect()

    def _connect(self) -> None:
        self.box.send_wanted.connect(self._send)
        self.box.escaped.connect(self.close_editor)
        self.box.textChanged.connect(self._on_text_changed)
        self.send_button.clicked.connect(self._send)
        self.cancel_button.clicked.connect(self.close_editor)

    def open_with(self, text: str) -> None:
        self.box.setPlainText(text)
        self.box.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.box.setFocus()

    @Slot()
    def close_editor(self) -> None:
        self.hide()
        self.closed.emit()

    @Slot()
    def _send(self) -> None:
        if text := self.box.question().strip():
            self.sent.emit(text)

    @Slot()
    def _on_text_changed(self) -> None:
        self.send_button.setEnabled(bool(self.box.question().strip()))
