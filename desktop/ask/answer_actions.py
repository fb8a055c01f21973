"""Under an answer: copy it in two ways, have it written again."""

from PySide6.QtCore import QEvent, QSize, QTimer, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_XS
from desktop.flow_layout import FlowLayout

_TOLD_MS = 1600


class AnswerActions(QWidget):
    """Lays out; a copy button says for a moment that it has copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answerActions")
        self.copy_button = self._button("copyMarked", self.tr("Copy with markers"))
        self.copy_plain_button = self._button("copyPlain", self.tr("Copy without markers"))
        self.again_button = self._button("askAgain", self.tr("Ask again"))
        flow = FlowLayout(SPACE_XS, self)
        for button in (self.copy_button, self.copy_plain_button, self.again_button):
            flow.addWidget(button)
        self._told: tuple[QPushButton, str] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TOLD_MS)
        self._timer.timeout.connect(self._take_back)
        self._dress()

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setProperty("kind", "quiet")
        button.setIconSize(QSize(14, 14))
        return button

    def _dress(self) -> None:
        icons.dress(self.copy_button, "copy", "muted")
        icons.dress(self.copy_plain_button, "copy", "muted")
        icons.dress(self.again_button, "retry", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_passages_only(self, is_passages_only: bool) -> None:
        """What asking again means: the model was not asked, or it is asked once more."""
        self.again_button.setText(self.tr("Ask the model") if is_passages_only else self.tr("Ask again"))

    def show_only_again(self) -> None:
        """There is nothing to copy, but asking once more may find something."""
        self.copy_button.hide()
        self.copy_plain_button.hide()
        self.show()

    def show_copied(self, button: QPushButton) -> None:
        self._take_back()
        self._told = button, button.text()
        button.setMinimumWidth(button.width())
        button.setText(self.tr("Copied"))
        self._timer.start()

    @Slot()
    def _take_back(self) -> None:
        if self._told is not None:
            button, text = self._told
            button.setText(text)
            button.setMinimumWidth(0)
            self._told = None
