"""One question with everything that came of it: status, answer or refusal, evidence."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.ask.answer_actions import AnswerActions
from desktop.ask.answer_layout import Piece
from desktop.ask.answer_table import AnswerTableView
from desktop.ask.answer_view import AnswerView
from desktop.ask.evidence_list import EvidenceList
from desktop.ask.refusal_card import RefusalCard
from desktop.ask.turn_header import TurnHeader
from desktop.ask.version_note import VersionNotes
from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.plain_label import plain_label
from desktop.problems.actions import ActionButton
from engine.answers import Answer, Citation
from engine.documents import SearchHit


class TurnView(QFrame):
    """Lays out one turn; what is shown when is decided by its presenter.

    Signals:
        citation_clicked(object, object): this turn's id and the citation's number.
        hit_opened(object): a SearchHit of the evidence or of the nearest passages, or a version's Citation.
    """

    citation_clicked = Signal(object, object)
    hit_opened = Signal(object)

    def __init__(self, turn_id: int, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("turn")
        self.turn_id = turn_id
        self._build(question)
        self._connect()

    def _build(self, question: str) -> None:
        self.header = TurnHeader(question)
        self.status_label = plain_label("turnStatus", "caption")
        self.note_label = plain_label("turnNote", "note")
        self.note_label.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        self.answer_view = AnswerView()
        self.answer_table = AnswerTableView()
        self.version_notes = VersionNotes()
        self.answer_actions = AnswerActions()
        self.refusal_card = RefusalCard()
        self.failure = _Failure()
        self.evidence_label = plain_label("evidenceHeading", "overline")
        self.evidence_list = EvidenceList("evidenceList", self.tr("Evidence"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.header)
        layout.addWidget(self.status_label)
        layout.addSpacing(SPACE_XS)
        for widget in (
            self.note_label,
            self.answer_view,
            self.answer_table,
            self.version_notes,
            self.answer_actions,
            self.refusal_card,
            self.failure,
        ):
            widget.hide()
            layout.addWidget(widget)
        layout.addSpacing(SPACE_S)
        for part in (self.evidence_label, self.evidence_list):
            part.hide()
            layout.addWidget(part)

    def _connect(self) -> None:
        self.answer_view.citation_clicked.connect(self._on_citation_clicked)
        self.answer_table.citation_clicked.connect(self._on_citation_clicked)
        self.version_notes.source_opened.connect(self.hit_opened)
        self.evidence_list.hit_opened.connect(self.hit_opened)
        self.refusal_card.hit_opened.connect(self.hit_opened)

    @Slot(object)
    def _on_citation_clicked(self, number: object) -> None:
        self.citation_clicked.emit(self.turn_id, number)

    def show_status(self, text: str) -> None:
        self.status_label.setText(text)
        self.status_label.setVisible(bool(text))

    def add_note(self, text: str) -> None:
        """Something to know about this answer, below what was noted before."""
        notes = [note for note in self.note_label.text().split("\n") if note]
        if text not in notes:
            self.note_label.setText("\n".join([*notes, text]))
        self.note_label.show()

    def has_note(self) -> bool:
        return bool(self.note_label.text())

    def show_hits(self, hits: Sequence[SearchHit]) -> None:
        text = self.tr("Evidence · %n passages", "", len(hits))
        self.evidence_label.setText(text if hits else self.tr("No passages found"))
        self.evidence_label.show()
        self.evidence_list.set_hits(hits)
        self.evidence_list.setVisible(bool(hits))

    def append_text(self, text: str) -> None:
        self.answer_view.show()
        self.answer_view.append_text(text)

    def show_answer(self, pieces: list[Piece], citations: Mapping[int, Citation]) -> None:
        self.answer_view.setVisible(bool(pieces))
        self.answer_view.show_pieces(pieces, citations)
        self.answer_actions.setVisible(bool(pieces))

    def show_table(self, answer: Answer, citations: Mapping[int, Citation]) -> None:
        """A table says what the answer's text repeats; it has its own ways to be copied."""
        assert answer.table is not None, "there is no table to show"
        self.answer_view.hide()
        self.answer_table.show_table(answer.table, citations, stopped=answer.stopped)
        self.answer_actions.show_only_again()

    def show_refusal(self, sentence: str, reason: str, nearest: Sequence[SearchHit]) -> None:
        """A refusal stands where the answer would; its nearest passages take the evidence's place."""
        self.answer_view.hide()
        self.answer_actions.hide()
        self.refusal_card.take_actions(self.answer_actions)
        self.refusal_card.show_refusal(sentence, reason, nearest)
        self.refusal_card.show()
        if nearest:
            self.evidence_label.hide()
            self.evidence_list.hide()

    def show_failure(self, title: str, advice: str) -> None:
        self.failure.title_label.setText(title)
        self.failure.advice_label.setText(advice)
        self.failure.advice_label.setVisible(bool(advice))
        self.failure.show()


class _Failure(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("turnFailure")
        self.title_label = plain_label("failureTitle", "title")
        self.advice_label = plain_label("failureAdvice", "plain")
        self.action_button = ActionButton("failureAction")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.addWidget(self.title_label)
        layout.addWidget(self.advice_label)
        layout.addWidget(self.action_button, 0, Qt.AlignmentFlag.AlignLeft)
