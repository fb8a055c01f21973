"""One calm line with a button: something waits for a person, and nothing stops because of it."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop.design_tokens import SPACE_M, SPACE_S
from desktop.plain_label import plain_label


class NoteLine(QFrame):
    """``tone`` (quiet, info or warn) picks the style; the button goes when it has no text."""

    def __init__(self, name: str, margin: int = SPACE_M, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("role", "note")
        self.label = plain_label(f"{name}Text", "plain")
        self.button = QPushButton()
        self.button.setObjectName(f"{name}Button")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(margin, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.button)
        self.hide()

    def show_note(self, text: str, button: str = "", tone: str = "info") -> None:
        """No text hides the line."""
        self.label.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            # A style sheet looks at properties only when it is asked to.
            for widget in (self, self.label, self.button):
                widget.style().unpolish(widget)
                widget.style().polish(widget)
        self.setVisible(bool(text))
