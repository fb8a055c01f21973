"""为什么没找到: the figures behind a refusal in plain words, folded away until somebody asks."""

from PySide6.QtCore import QEvent, QSize, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.passage_button import PassageButton
from desktop.ask.unread_files import UnreadFiles
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from desktop.plain_label import plain_label
from desktop.words import number, percent
from engine.answers import Gate, WhyNot
from engine.documents import SearchHit

_MOST_TERMS = 12


class WhyNotSection(QWidget):
    """A heading that opens and closes what is below it.

    Signals:
        hit_opened(object): the SearchHit of one of the nearest passages.
        file_wanted(str): a document that could not be read, whose row is wanted.
    """

    hit_opened = Signal(object)
    file_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whyNot")
        self._build()

    def _build(self) -> None:
        self.heading = QPushButton(self.tr("Why was nothing found?"))
        self.heading.setObjectName("whyNotHeading")
        self.heading.setProperty("kind", "fold")
        self.heading.setCheckable(True)
        self.heading.setIconSize(QSize(16, 16))
        self.heading.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.heading.toggled.connect(self._on_toggled)
        self.body = QFrame()
        self.body.setObjectName("whyNotBody")
        self.gate_label = plain_label("whyGate", "plain")
        self.terms_label = plain_label("whyTerms", "plain")
        self.words_label, self.words_button = self._passage("whyWords")
        self.meaning_label, self.meaning_button = self._passage("whyMeaning")
        self.unread = UnreadFiles()
        self.unread.file_wanted.connect(self.file_wanted)
        inside = QVBoxLayout(self.body)
        inside.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        inside.setSpacing(SPACE_S)
        inside.addWidget(self.gate_label)
        inside.addWidget(self.terms_label)
        for label, button in (
            (self.words_label, self.words_button),
            (self.meaning_label, self.meaning_button),
        ):
            inside.addWidget(label)
            inside.addWidget(button)
        inside.addWidget(self.unread)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.heading)
        layout.addWidget(self.body)
        self._on_toggled(False)

    def _passage(self, name: str) -> tuple[QLabel, PassageButton]:
        label = plain_label(f"{name}Label", "plain")
        button = PassageButton(name)
        button.hit_opened.connect(self.hit_opened)
        return label, button

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def _dress(self) -> None:
        is_open = self.heading.isChecked()
        icons.dress(self.heading, "chevron-down" if is_open else "chevron-right", "muted")
        state = self.tr("shown") if is_open else self.tr("folded away")
        self.heading.setAccessibleDescription(state)

    @Slot(bool)
    def _on_toggled(self, is_open: bool) -> None:
        self.body.setVisible(is_open)
        self._dress()

    def show_why(self, why: WhyNot, gate: Gate | None) -> None:
        self.gate_label.setText(self._gate_words(gate))
        self.gate_label.setVisible(bool(self.gate_label.text()))
        # What the gate missed stands in the card already.
        told = gate.missing_terms if gate is not None else ()
        terms = [term for term in why.missing_terms if term not in told][:_MOST_TERMS]
        text = self.tr("No passage has these words of the question: {terms}")
        self.terms_label.setText(text.format(terms=self.tr(", ").join(terms)))
        self.terms_label.setVisible(bool(terms))
        score = number(why.lexical.lexical or 0.0, 1) if why.lexical else ""
        words = self.tr("Most words in common (word score {score}):").format(score=score)
        self._show_passage(self.words_label, self.words_button, why.lexical, words)
        score = number(why.dense.dense or 0.0, 2) if why.dense else ""
        words = self.tr("Nearest in meaning (similarity {score} of 1):").format(score=score)
        self._show_passage(self.meaning_label, self.meaning_button, why.dense, words)
        self.unread.show_files(why.unreadable)

    def _gate_words(self, gate: Gate | None) -> str:
        if gate is None:
            return ""
        share, least = gate.probability, gate.threshold
        if gate.read_in_vain:
            share, least = gate.reading, gate.reading_threshold
        if share is None or least is None:
            return ""
        if gate.read_in_vain:
            text = self.tr(
                "After reading, the model's certainty that the passages hold an answer: {share}. An answer "
                "is given from {least} on."
            )
        elif share < least:
            text = self.tr(
                "How surely the passages hold an answer: {share}. An answer is given from {least} on."
            )
        else:
            text = self.tr(
                "How surely the passages hold an answer: {share}, enough to try ({least}), but no sentence "
                "could be supported."
            )
        return text.format(share=percent(share), least=percent(least))

    def _show_passage(self, label: QLabel, button: PassageButton, hit: SearchHit | None, text: str) -> None:
        label.setText(text)
        label.setVisible(hit is not None)
        button.show_hit(hit)
