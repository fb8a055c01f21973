"""A question with a pencil beside it, which opens it for another try."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.question_editor import QuestionEditor
from desktop.design_tokens import SPACE_S


class EditableQuestion(QWidget):
    """Shows ``label``, or the editor in its place once the pencil, of ``icon_size`` px, was pressed.

    Signals:
        edited(str): the question as somebody changed it, to be asked.
    """

    edited = Signal(str)

    def __init__(
        self, name: str, label: QLabel, tip: str, icon_size: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._question = ""
        self.label = label
        self.edit_button = QToolButton()
        self.edit_button.setObjectName(f"edit{name.capitalize()}")
        self.edit_button.setProperty("kind", "flat")
        self.edit_button.setIconSize(QSize(icon_size, icon_size))
        self.edit_button.setToolTip(tip)
        self.edit_button.setAccessibleName(tip)
        self.editor = QuestionEditor(f"{name}Editor")
        self._line = QWidget()
        row = QHBoxLayout(self._line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.label, 1)
        row.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._line)
        layout.addWidget(self.editor)
        self._connect()
        self._dress()

    def _connect(self) -> None:
        self.edit_button.clicked.connect(self._on_edit)
        self.editor.closed.connect(self._line.show)
        self.editor.sent.connect(self._on_sent)

    def _dress(self) -> None:
        icons.dress(self.edit_button, "edit", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_question(self, question: str, shown: str) -> None:
        """``shown`` stands there; ``question`` is what the pencil opens."""
        self._question = question
        self.label.setText(shown)

    @Slot()
    def _on_edit(self) -> None:
        self._line.hide()
        self.editor.open_with(self._question)

    @Slot(str)
    def _on_sent(self, text: str) -> None:
        self.editor.close_editor()
        self.edited.emit(text)
