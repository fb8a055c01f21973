"""The model in use, in the window's footer; a click opens the models page."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget


class ModelButton(QPushButton):
    """Shortens what it says to the room it has; :meth:`text` is the whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setObjectName("modelLabel")
        self.setProperty("kind", "flat")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def text(self) -> str:
        return self._whole

    def setText(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self.setToolTip(self.tr("{model}. Open the models page").format(model=text) if text else "")
        self.setVisible(bool(text))
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wanted = self.fontMetrics().horizontalAdvance(self._whole) + 2 * self._margin()
        return QSize(wanted, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(48, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - 2 * self._margin()
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideMiddle, room)
        if shown != super().text():
            super().setText(shown)

    def _margin(self) -> int:
        """Padding and border of the style sheet, and a pixel for the fractions that a text is wide."""
        return 9
