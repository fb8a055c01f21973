"""The quiet buttons under an answer or a table, and the word that one says when it has done its work."""

from PySide6.QtCore import QObject, QSize, QTimer, Slot
from PySide6.QtWidgets import QPushButton

_TOLD_MS = 1600


def quiet_button(name: str, text: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setProperty("kind", "quiet")
    button.setIconSize(QSize(14, 14))
    return button


class Acknowledgement(QObject):
    """Lets one button at a time say something else for a moment; it does not shrink meanwhile."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._told: tuple[QPushButton, str] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TOLD_MS)
        self._timer.timeout.connect(self._take_back)

    def tell(self, button: QPushButton, text: str) -> None:
        self._take_back()
        self._told = button, button.text()
        button.setMinimumWidth(button.width())
        button.setText(text)
        self._timer.start()

    @Slot()
    def _take_back(self) -> None:
        if self._told is not None:
            button, text = self._told
            button.setText(text)
            button.setMinimumWidth(0)
            self._told = None
