"""What is shown instead of an answer when the documents do not hold one."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.ask.evidence_list import EvidenceList
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.plain_label import plain_label
from engine.documents import SearchHit


class RefusalCard(QWidget):
    """A calm card with the sentence and the reason, and the nearest passages below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refusal")
        self._build()

    def _build(self) -> None:
        card = QFrame()
        card.setObjectName("refusalCard")
        self.title_label = plain_label("refusalTitle", "title", self.tr("No evidence found"))
        self.sentence_label = plain_label("refusalSentence", "plain")
        self.reason_label = plain_label("refusalReason", "caption")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        inside.setSpacing(SPACE_S)
        inside.addWidget(self.title_label)
        inside.addWidget(self.sentence_label)
        inside.addWidget(self.reason_label)
        self.nearest_label = plain_label("nearestHeading", "overline", self.tr("Nearest passages"))
        self.nearest_list = EvidenceList("nearestList", self.tr("Nearest passages"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(card)
        layout.addSpacing(SPACE_S)
        layout.addWidget(self.nearest_label)
        layout.addWidget(self.nearest_list)

    def show_refusal(self, sentence: str, reason: str, nearest: Sequence[SearchHit]) -> None:
        self.sentence_label.setText(sentence)
        self.reason_label.setText(reason)
        self.nearest_list.set_hits(nearest)
        self.nearest_label.setVisible(bool(nearest))
        self.nearest_list.setVisible(bool(nearest))
