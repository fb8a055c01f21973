"""The question over its answer, with a pencil to change it and ask again, and how it was understood."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.question_editor import QuestionEditor
from desktop.ask.understanding import Understanding
from desktop.design_tokens import SPACE_S, SPACE_XS
from desktop.plain_label import plain_label

_LONGEST_HEADING = 400


class TurnHeader(QWidget):
    """Lays out the head of a turn.

    Signals:
        edited(str): the question as somebody changed it, to be asked where this one was.
    """

    edited = Signal(str)

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("turnHeader")
        self._question = question
        self._build()
        self._connect()

    def _build(self) -> None:
        question = self._question
        shown = question if len(question) <= _LONGEST_HEADING else question[:_LONGEST_HEADING] + "…"
        self.question_label = plain_label("turnQuestion", "heading", shown)
        self.edit_button = QToolButton()
        self.edit_button.setObjectName("editQuestion")
        self.edit_button.setProperty("kind", "flat")
        self.edit_button.setIconSize(QSize(16, 16))
        self.edit_button.setToolTip(self.tr("Change this question and ask again"))
        self.edit_button.setAccessibleName(self.edit_button.toolTip())
        self.editor = QuestionEditor("questionEditor")
        self.understanding = Understanding()
        self._heading = QWidget()
        row = QHBoxLayout(self._heading)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.question_label, 1)
        row.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        for part in (self._heading, self.editor, self.understanding):
            layout.addWidget(part)
        self._dress()

    def _connect(self) -> None:
        self.edit_button.clicked.connect(self._on_edit)
        self.editor.closed.connect(self._heading.show)
        self.editor.sent.connect(self._on_sent)

    def _dress(self) -> None:
        icons.dress(self.edit_button, "edit", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    @Slot()
    def _on_edit(self) -> None:
        self._heading.hide()
        self.editor.open_with(self._question)

    @Slot(str)
    def _on_sent(self, text: str) -> None:
        self.editor.close_editor()
        self.edited.emit(text)
