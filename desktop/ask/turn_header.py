"""The question over its answer, with a pencil to change it and ask again, and how it was understood."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ask.editable_question import EditableQuestion
from desktop.ask.understanding import Understanding
from desktop.design_tokens import SPACE_XS
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
        shown = question if len(question) <= _LONGEST_HEADING else question[:_LONGEST_HEADING] + "…"
        label = plain_label("turnQuestion", "heading")
        self.question = EditableQuestion(
            "question", label, self.tr("Change this question and ask again"), icon_size=16
        )
        self.question.show_question(question, shown)
        self.question.edited.connect(self.edited)
        self.understanding = Understanding()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.question)
        layout.addWidget(self.understanding)
