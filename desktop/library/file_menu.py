"""What can be done with the selected files."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from engine.documents import FileState


class FileMenu(QMenu):
    """One menu for the right mouse button, the menu key and the ⋯ button; its keys work in ``owner``."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.setObjectName("fileMenu")
        self.inspect_action = self._action("inspectFile", self.tr("Inspect"))
        self.retry_action = self._action("readAgain", self.tr("Read again"), Qt.Key.Key_F5)
        self.password_action = self._action("enterPassword", self.tr("Enter password…"))
        self.exclude_action = self._action("leaveOut", self.tr("Leave out of the knowledge base"))
        self.include_action = self._action("takeIn", self.tr("Take in again"))
        self.addSeparator()
        self.folder_action = self._action("openFolder", self.tr("Open containing folder"))
        self.copy_action = self._action(
            "copyPath", self.tr("Copy path"), QKeySequence(QKeySequence.StandardKey.Copy)
        )
        owner.addActions([self.retry_action, self.copy_action])

    def _action(self, name: str, text: str, key: QKeySequence | Qt.Key | None = None) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        if key is not None:
            action.setShortcut(key)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action

    def prepare(self, states: Sequence[FileState | None], is_busy: bool, can_take_in: bool = False) -> None:
        """``states`` of the selected files, None for one that is being read.

        ``can_take_in``: all of them were left out one by one.
        """
        is_one, is_read = len(states) == 1, None not in states
        self.inspect_action.setEnabled(is_one and is_read)
        self.retry_action.setEnabled(bool(states) and is_read and not is_busy)
        self.password_action.setVisible(FileState.NEEDS_PASSWORD in states)
        self.exclude_action.setVisible(FileState.EXCLUDED not in states)
        self.exclude_action.setEnabled(bool(states) and is_read and not is_busy)
        self.include_action.setVisible(can_take_in)
        self.include_action.setEnabled(not is_busy)
        self.folder_action.setEnabled(is_one)
        self.copy_action.setEnabled(bool(states))
