"""What is shown instead of an answer when the documents do not hold one."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.ask.evidence_list import EvidenceList
from desktop.ask.why_not import WhyNotSection
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.plain_label import plain_label
from engine.answers import Gate, WhyNot
from engine.documents import SearchHit


class RefusalCard(QWidget):
    """A calm card with the sentence and the reason, why nothing was found, and the nearest passages.

    Signals:
        hit_opened(object): a SearchHit that somebody wants to read.
        file_wanted(str): a document that could not be read, whose row is wanted.
    """

    hit_opened = Signal(object)
    file_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refusal")
        self._build()
        self.nearest_list.hit_opened.connect(self.hit_opened)
        self.why_not.hit_opened.connect(self.hit_opened)
        self.why_not.file_wanted.connect(self.file_wanted)

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
        self.why_not = WhyNotSection()
        self.nearest_label = plain_label("nearestHeading", "overline", self.tr("Nearest passages"))
        self.nearest_list = EvidenceList("nearestList", self.tr("Nearest passages"))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_S)
        for part in (card, self.why_not, self.nearest_label, self.nearest_list):
            self._layout.addWidget(part)

    def take_actions(self, actions: QWidget) -> None:
        """What can be done with the turn stands under the card, as it does under an answer."""
        self._layout.insertWidget(1, actions)

    def show_refusal(self, sentence: str, reason: str, nearest: Sequence[SearchHit]) -> None:
        self.sentence_label.setText(sentence)
        self.reason_label.setText(reason)
        self.nearest_list.set_hits(nearest)
        self.nearest_label.setVisible(bool(nearest))
        self.nearest_list.setVisible(bool(nearest))
        self.why_not.hide()

    def show_why(self, why: WhyNot, gate: Gate | None) -> None:
        self.why_not.show_why(why, gate)
        self.why_not.show()
