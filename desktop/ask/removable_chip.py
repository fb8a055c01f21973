"""A condition as a chip that a click, Delete or Backspace takes away."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop import icons

_WIDEST = 300


class RemovableChip(QToolButton):
    """Long values are shortened in the middle; the tooltip and screen readers have them whole.

    Signals:
        removed(object): what the chip stands for.
    """

    removed = Signal(object)

    def __init__(self, value: object, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterChip")
        self.setProperty("kind", "removable")
        self._value = value
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, _WIDEST)
        self.setText(shown.replace("&", "&&"))
        self.setToolTip(self.tr("Remove filter “{filter}”").format(filter=text))
        self.setAccessibleName(self.toolTip())
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        # The icon stands behind the text, where people look for a cross.
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setIconSize(QSize(12, 12))
        self.clicked.connect(self._on_clicked)
        icons.dress(self, "close", "muted")

    @Slot()
    def _on_clicked(self) -> None:
        self.removed.emit(self._value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.removed.emit(self._value)
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            icons.dress(self, "close", "muted")
