"""How a question was understood: said in full, and the documents that it chose by its own words."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.ask.editable_question import EditableQuestion
from desktop.design_tokens import SPACE_S, SPACE_XS
from desktop.elided_label import ElidedLabel
from desktop.flow_layout import FlowLayout
from desktop.plain_label import plain_label


class Understanding(QWidget):
    """Two lines under the question, each hidden until there is something to say.

    Signals:
        edited(str): the question in full as somebody changed it, to be asked as it is.
        everywhere_wanted(): the same question is wanted of all documents.
    """

    edited = Signal(str)
    everywhere_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("understanding")
        self._build()
        self.hide()

    def _build(self) -> None:
        tip = self.tr("Change how the question was understood and ask it")
        label = plain_label("rewritten", "understood")
        self.rewritten = EditableQuestion("rewritten", label, tip, icon_size=14)
        self.rewritten.edited.connect(self.edited)
        self.filter_label = ElidedLabel()
        self.filter_label.setObjectName("answerFilter")
        self.filter_label.setProperty("tone", "scope")
        # An elided label asks for no room of its own; in a row of chips this one does.
        self.filter_label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.filter_label.setContentsMargins(SPACE_S, 2, SPACE_S, 2)
        self.everywhere_button = QPushButton(self.tr("Search everywhere instead"))
        self.everywhere_button.setObjectName("searchEverywhere")
        self.everywhere_button.setProperty("kind", "flat")
        self.everywhere_button.clicked.connect(self.everywhere_wanted)
        self._filter_line = QWidget()
        flow = FlowLayout(SPACE_S, self._filter_line)
        flow.addWidget(self.filter_label)
        flow.addWidget(self.everywhere_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        for part in (self.rewritten, self._filter_line):
            part.hide()
            layout.addWidget(part)

    def show_rewritten(self, question: str) -> None:
        self.rewritten.show_question(question, self.tr("Understood as: {question}").format(question=question))
        self.rewritten.show()
        self.show()

    def show_filter(self, words: str, *, was_understood: bool) -> None:
        """The documents that were asked; only what was read out of the question can be taken back here."""
        text = self.tr("Only: {filter}")
        if was_understood:
            text = self.tr("From your question: {filter}")
        self.filter_label.setText(text.format(filter=words))
        self.everywhere_button.setVisible(was_understood)
        self._filter_line.show()
        self.show()
