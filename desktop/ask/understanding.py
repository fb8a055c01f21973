"""How a question was understood: said in full, and the documents that it chose by its own words."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.question_editor import QuestionEditor
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
        self._in_full = ""
        self._build()
        self._connect()
        self.hide()

    def _build(self) -> None:
        self.rewritten_label = plain_label("rewritten", "understood")
        self.edit_button = QToolButton()
        self.edit_button.setObjectName("editRewritten")
        self.edit_button.setProperty("kind", "flat")
        self.edit_button.setIconSize(QSize(14, 14))
        self.edit_button.setToolTip(self.tr("Change how the question was understood and ask it"))
        self.edit_button.setAccessibleName(self.edit_button.toolTip())
        self.editor = QuestionEditor("rewrittenEditor")
        self._rewritten_line = QWidget()
        row = QHBoxLayout(self._rewritten_line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.rewritten_label, 1)
        row.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignTop)
        self.filter_label = ElidedLabel()
        self.filter_label.setObjectName("answerFilter")
        self.filter_label.setProperty("tone", "scope")
        # An elided label asks for no room of its own; in a row of chips this one does.
        self.filter_label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.filter_label.setContentsMargins(SPACE_S, 2, SPACE_S, 2)
        self.everywhere_button = QPushButton(self.tr("Search everywhere instead"))
        self.everywhere_button.setObjectName("searchEverywhere")
        self.everywhere_button.setProperty("kind", "flat")
        self._filter_line = QWidget()
        flow = FlowLayout(SPACE_S, self._filter_line)
        flow.addWidget(self.filter_label)
        flow.addWidget(self.everywhere_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        for part in (self._rewritten_line, self.editor, self._filter_line):
            part.hide()
            layout.addWidget(part)
        self._dress()

    def _connect(self) -> None:
        self.edit_button.clicked.connect(self._on_edit)
        self.editor.closed.connect(self._on_closed)
        self.editor.sent.connect(self._on_sent)
        self.everywhere_button.clicked.connect(self.everywhere_wanted)

    def _dress(self) -> None:
        icons.dress(self.edit_button, "edit", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_rewritten(self, question: str) -> None:
        self._in_full = question
        self.rewritten_label.setText(self.tr("Understood as: {question}").format(question=question))
        self._rewritten_line.show()
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

    @Slot()
    def _on_edit(self) -> None:
        self._rewritten_line.hide()
        self.editor.open_with(self._in_full)

    @Slot()
    def _on_closed(self) -> None:
        self._rewritten_line.show()

    @Slot(str)
    def _on_sent(self, text: str) -> None:
        self.editor.close_editor()
        self.edited.emit(text)
