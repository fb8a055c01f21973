"""The line in which words of the open document are looked for."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from desktop import icons
from desktop.design_tokens import ICON, SPACE_L, SPACE_S, SPACE_XS
from desktop.reader.tool import flat_tool


class FindBar(QFrame):
    """Enter goes on, Shift+Enter goes back.

    Signals:
        closed(): the line is hidden again.
        step_wanted(object): go to the next (1) or the previous (-1) place.
    """

    closed = Signal()
    step_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.edit = QLineEdit()
        self.edit.setObjectName("findWords")
        self.edit.setAccessibleName(self.tr("Words to find in the document"))
        self.edit.setPlaceholderText(self.tr("Find in document"))
        self.edit.setClearButtonEnabled(True)
        self.count_label = QLabel()
        self.count_label.setObjectName("findCount")
        self.count_label.setProperty("tone", "caption")
        self.previous_button = flat_tool("findPrevious", self.tr("Previous match (Shift+Enter)"))
        self.next_button = flat_tool("findNext", self.tr("Next match (Enter)"))
        self.close_button = flat_tool("findClose", self.tr("Close (Esc)"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_XS, SPACE_L, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.count_label)
        for button in (self.previous_button, self.next_button, self.close_button):
            layout.addWidget(button)
        self._dress()
        self.edit.installEventFilter(self)
        self.previous_button.clicked.connect(self._on_previous)
        self.next_button.clicked.connect(self._on_next)
        self.close_button.clicked.connect(self.close_bar)
        self.show_count(None, 0)
        self.hide()

    def _dress(self) -> None:
        for button, name in (
            (self.previous_button, "previous"),
            (self.next_button, "next"),
            (self.close_button, "close"),
        ):
            button.setIconSize(QSize(ICON, ICON))
            icons.dress(button, name)

    def open_bar(self) -> None:
        self.show()
        self.edit.setFocus()
        self.edit.selectAll()

    def close_bar(self) -> None:
        self.hide()
        self.closed.emit()

    def show_count(self, now: int | None, count: int, *, is_cut: bool = False) -> None:
        """``now`` is the number (from 0) of the place that is shown; None while nothing was looked for."""
        if now is not None:
            self.count_label.setText(f"{now + 1} / {count}{'+' if is_cut else ''}")
        else:
            self.count_label.setText(self.tr("Not found") if self.edit.text().strip() else "")
        self.previous_button.setEnabled(count > 1)
        self.next_button.setEnabled(count > 1)

    def show_waiting(self) -> None:
        self.count_label.setText("…")

    def _on_previous(self) -> None:
        self.step_wanted.emit(-1)

    def _on_next(self) -> None:
        self.step_wanted.emit(1)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.step_wanted.emit(-1 if back else 1)
        return is_enter

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "close_button"):
            self._dress()
