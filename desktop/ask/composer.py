"""The card at the bottom: question box, which knowledge bases are asked, Ask and Stop."""

from PySide6.QtCore import QEvent, QSize, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.question_box import QuestionBox
from desktop.ask.scope_button import ScopeButton
from desktop.design_tokens import SPACE_M, SPACE_S
from desktop.plain_label import plain_label


class Composer(QFrame):
    """Lays out; the ask controller wires and decides."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._build()
        self.question_box.focus_changed.connect(self._on_focus_changed)

    def _build(self) -> None:
        self.question_box = QuestionBox()
        self.hint_label = plain_label("questionHint", "bad")
        self.hint_label.hide()
        self.scope_button = ScopeButton()
        self.ask_button = QPushButton(self.tr("Ask"))
        self.ask_button.setObjectName("askButton")
        self.ask_button.setProperty("kind", "primary")
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setObjectName("stopAnswer")
        self.stop_button.setAccessibleName(self.tr("Stop the answer"))
        for button in (self.ask_button, self.stop_button):
            button.setIconSize(QSize(16, 16))
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.scope_button)
        row.addStretch(1)
        row.addWidget(self.stop_button)
        row.addWidget(self.ask_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.question_box)
        layout.addWidget(self.hint_label)
        layout.addLayout(row)
        self.show_busy(False)
        self._dress()

    def _dress(self) -> None:
        icons.dress(self.ask_button, "send", "on_accent")
        icons.dress(self.stop_button, "stop", "bad")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_busy(self, is_busy: bool) -> None:
        self.stop_button.setVisible(is_busy)
        self.stop_button.setEnabled(True)
        self.ask_button.setVisible(not is_busy)

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)
        self.hint_label.setVisible(bool(text))

    @Slot(bool)
    def _on_focus_changed(self, has_focus: bool) -> None:
        self.setProperty("active", has_focus)
        self.style().unpolish(self)
        self.style().polish(self)
