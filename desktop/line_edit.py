"""A line to write in that leaves an input method's Enter to the input method."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class LineEdit(QLineEdit):
    """``returnPressed`` and ``editingFinished`` wait while letters are being composed.

    QLineEdit sends both while pinyin is pending, so that Enter, which takes the letters as they are, would
    search for half a word. Escape, too, belongs to the input method then.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._has_preedit = False

    @property
    def is_composing(self) -> bool:
        """Whether letters of an input method are pending."""
        return self._has_preedit

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._has_preedit = bool(event.preeditString())
        super().inputMethodEvent(event)

    def event(self, event: QEvent) -> bool:
        is_shortcut = event.type() == QEvent.Type.ShortcutOverride
        if is_shortcut and self._is_the_methods_own(event):
            event.accept()  # a window that Escape closes stays open
            return True
        return super().event(event)

    def _is_the_methods_own(self, event: QEvent) -> bool:
        is_key = isinstance(event, QKeyEvent) and event.key() in (*_ENTER, Qt.Key.Key_Escape)
        return is_key and self._has_preedit

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_the_methods_own(event):
            event.accept()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._has_preedit = False
        super().focusOutEvent(event)
