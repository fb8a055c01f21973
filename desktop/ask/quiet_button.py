"""The quiet buttons under an answer or a table, and the word that one says when it has done its work."""

from PySide6.QtCore import QObject, QSize, QTimer, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton

from desktop import icons

_TOLD_MS = 1600


def quiet_button(name: str, text: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setProperty("kind", "quiet")
    button.setIconSize(QSize(14, 14))
    return button


class Acknowledgement(QObject):
    """Lets one button at a time say something else for a moment; it does not shrink meanwhile.

    A button that is only an icon shows a tick instead, so that its row keeps its shape.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._told: tuple[QPushButton, str, QIcon] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TOLD_MS)
        self._timer.timeout.connect(self._take_back)

    def tell(self, button: QPushButton, text: str) -> None:
        self._take_back()
        self._told = button, button.text(), button.icon()
        button.setMinimumWidth(button.width())
        button.setAccessibleDescription(text)
        if button.text():
            button.setText(text)
        else:
            icons.dress(button, "state-good", "good")
        self._timer.start()

    def end(self) -> None:
        """Before the button's own words change."""
        self._timer.stop()
        self._take_back()

    @Slot()
    def _take_back(self) -> None:
        if self._told is not None:
            button, text, icon = self._told
            button.setText(text)
            button.setIcon(icon)
            button.setAccessibleDescription("")
            button.setMinimumWidth(0)
            self._told = None
