"""Rows of the privacy page: words on the left, a figure or buttons on the right."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from desktop.plain_label import plain_label


class PrivacyRow(QFrame):
    """A title with a sentence below it; ``value`` stands at the end of the row, then the buttons."""

    def __init__(self, title: str, sentence: str, buttons: Sequence[QPushButton] = ()) -> None:
        super().__init__()
        self.setObjectName("settingRow")
        self.title_label = plain_label("settingTitle", "strong", title)
        self.sentence_label = plain_label("settingSentence", "caption", sentence)
        self.sentence_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence_label.setVisible(bool(sentence))
        self.value_label = QLabel()
        self.value_label.setObjectName("privacyValue")
        self.value_label.setTextFormat(Qt.TextFormat.PlainText)
        self.busy_bar = QProgressBar()
        self.busy_bar.setObjectName("privacyBusy")
        self.busy_bar.setAccessibleName(title)
        self.busy_bar.setTextVisible(False)
        self.busy_bar.hide()
        words = QVBoxLayout()
        words.setSpacing(SPACE_XS)
        for widget in (self.title_label, self.sentence_label, self.busy_bar):
            words.addWidget(widget)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addLayout(words, 1)
        layout.addSpacing(SPACE_S)
        layout.addWidget(self.value_label)
        for button in buttons:
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)

    def say(self, sentence: str) -> None:
        self.sentence_label.setText(sentence)
        self.sentence_label.setVisible(bool(sentence))

    def show_value(self, text: str) -> None:
        self.value_label.setText(text)

    def show_progress(self, done: int, total: int) -> None:
        """The bar at so much of ``total``; 0 of 0 while nothing is known of the end."""
        self.busy_bar.setRange(0, total)
        self.busy_bar.setValue(done)
        self.busy_bar.show()

    def end_progress(self) -> None:
        self.busy_bar.hide()
