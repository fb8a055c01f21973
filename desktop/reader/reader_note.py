"""The line above a document: what has become of its file, and what can be done about it."""

from PySide6.QtWidgets import QPushButton, QWidget

from desktop.design_tokens import SPACE_L
from desktop.note_line import NoteLine


class ReaderNote(NoteLine):
    """A note with a second button, for a file that is not the one that was indexed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("readerNote", SPACE_L, parent)
        self.again_button = QPushButton(self.tr("Read again"))
        self.again_button.setObjectName("readAgain")
        self.again_button.setToolTip(self.tr("Read the file as it is now and bring the index up to date"))
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.again_button)
        self.again_button.hide()

    def show_note(self, text: str, button: str = "", tone: str = "info", *, again: bool = False) -> None:
        super().show_note(text, button, tone)
        self.again_button.setVisible(again)
