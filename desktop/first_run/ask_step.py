"""The third step: a question. Those for the sample library ask themselves on a click."""

import json
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

import resources
from desktop import languages
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from engine.wording import Language

_SHOWN: dict[Language, tuple[str, ...]] = {"zh": ("q04", "q09", "q11"), "en": ("q19", "q20", "q21")}
"""Of the questions that come with the sample library: facts of three different documents."""


def sample_questions() -> tuple[str, ...]:
    """Three questions that the sample library answers, in the window's language."""
    lines = resources.read_text("sample_questions.jsonl").splitlines()
    questions = {entry["qid"]: str(entry["question"]) for entry in map(json.loads, filter(None, lines))}
    return tuple(questions[qid] for qid in _SHOWN[languages.current()])


class AskStep(QWidget):
    """Signals:
    question_chosen(str): it is to be asked: an example that was clicked, or what was typed.
    """

    question_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("askStep")
        self.title_label = plain_label("askStepTitle", "display", self.tr("Ask a question"))
        self.lead_label = plain_label("askStepLead", "lead")
        for label in (self.title_label, self.lead_label):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._examples = QVBoxLayout()
        self._examples.setSpacing(SPACE_M)
        self.question_edit = LineEdit("firstQuestion")
        self.question_edit.setPlaceholderText(self.tr("Your question…"))
        self.question_edit.setAccessibleName(self.tr("Your question"))
        self.question_edit.returnPressed.connect(self._on_return)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.title_label)
        layout.addWidget(self.lead_label)
        layout.addSpacing(SPACE_L)
        layout.addWidget(self.question_edit)
        layout.addSpacing(SPACE_S)
        layout.addLayout(self._examples)
        self.setFocusProxy(self.question_edit)
        self.show_examples(())

    def question(self) -> str:
        """What was typed; empty where nothing was."""
        return self.question_edit.text().strip()

    @Slot()
    def _on_return(self) -> None:
        if self.question():
            self.question_chosen.emit(self.question())

    def show_examples(self, questions: Sequence[str]) -> None:
        """No questions: the documents are a person's own, and only they know what to ask."""
        if questions:
            self.lead_label.setText(self.tr("Type one, or click one of these for the sample library."))
        else:
            self.lead_label.setText(
                self.tr(
                    "Ask as you would ask a colleague who has read it all: “How many days before a trip must "
                    "it be approved?”"
                )
            )
        if [button.text() for button in self.examples()] == list(questions):
            return
        for button in self.examples():
            self._examples.removeWidget(button)
            button.hide()
            button.deleteLater()
        for number, question in enumerate(questions, 1):
            button = QPushButton(question)
            button.setObjectName(f"example{number}")
            button.setProperty("kind", "passage")
            button.setProperty("extent", "large")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, text=question: self.question_chosen.emit(text))
            self._examples.addWidget(button)

    def examples(self) -> list[QPushButton]:
        items = (self._examples.itemAt(place) for place in range(self._examples.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, QPushButton)]
