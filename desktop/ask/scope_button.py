"""Which knowledge bases are asked: all, one, or several that are ticked in a menu."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

_WIDEST_NAME = 260


class ScopeButton(QToolButton):
    """Nothing ticked is all of them; the choice lasts until the program ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scopeButton")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._scope_menu = _TickMenu(self)
        self._all_action = self._scope_menu.addAction(self.tr("All knowledge bases"))
        self._all_action.setCheckable(True)
        self._all_action.triggered.connect(self._on_all_chosen)
        self._scope_menu.addSeparator()
        self._actions: list[QAction] = []
        self.setMenu(self._scope_menu)
        self.set_libraries(())

    def set_libraries(self, names: Sequence[str]) -> None:
        """These can be asked; what was ticked stays so as far as it is still there."""
        chosen = self.scope()
        for action in self._actions:
            self._scope_menu.removeAction(action)
            action.deleteLater()
        self._actions = [self._action(name, is_chosen=name in chosen) for name in names]
        self._scope_menu.addActions(self._actions)
        self.setVisible(bool(names))
        self._show_choice()

    def _action(self, name: str, *, is_chosen: bool) -> QAction:
        # A single & would underline the letter after it.
        action = QAction(name.replace("&", "&&"), self._scope_menu)
        action.setData(name)
        action.setCheckable(True)
        action.setChecked(is_chosen)
        action.triggered.connect(self._show_choice)
        return action

    def scope(self) -> tuple[str, ...]:
        """The names that are ticked; none: all are asked."""
        return tuple(action.data() for action in self._actions if action.isChecked())

    @Slot()
    def _on_all_chosen(self) -> None:
        for action in self._actions:
            action.setChecked(False)
        self._show_choice()

    @Slot()
    def _show_choice(self) -> None:
        scope = self.scope()
        self._all_action.setChecked(not scope)
        if not scope:
            text = self.tr("All knowledge bases")
        elif len(scope) == 1:
            metrics = self.fontMetrics()
            text = metrics.elidedText(scope[0], Qt.TextElideMode.ElideMiddle, _WIDEST_NAME).replace("&", "&&")
        else:
            text = self.tr("%n knowledge bases chosen", "", len(scope))
        self.setText(text)
        what = self.tr("Which knowledge bases to ask")
        self.setAccessibleName(f"{what}: {text}")
        self.setToolTip("\n".join([what, *scope]))


class _TickMenu(QMenu):
    """Stays open while several entries are ticked with the mouse or the space bar."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable():
            action.trigger()
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
            return
        super().keyPressEvent(event)
