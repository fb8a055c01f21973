"""Asks for a password and hands it to the engine."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from desktop.engine_bridge import EngineBridge
from desktop.passwords.dialog import PasswordDialog
from engine.commands import GivePassword
from engine.events import Event, TaskDone, TaskFailed


class PasswordController(QObject):
    """One dialog at a time. No password is kept here, logged, or put into a title.

    Signals:
        given(): the engine has the password now.
        problem_found(str, object): code and params of something to tell.
    """

    given = Signal()
    problem_found = Signal(str, object)

    def __init__(self, bridge: EngineBridge, owner: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._dialog: PasswordDialog | None = None

    def ask(self, about: str) -> None:
        """Open the dialog, or bring it forward; ``about`` says what the password is for."""
        if self._dialog is None:
            self._dialog = PasswordDialog(about, self._owner.window())
            self._dialog.finished.connect(self._on_finished)
            self._dialog.open()
        self._dialog.raise_()
        self._dialog.activateWindow()

    @property
    def dialog(self) -> PasswordDialog | None:
        return self._dialog

    @Slot(int)
    def _on_finished(self, result: int) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None and result == QDialog.DialogCode.Accepted:
            command = GivePassword(self._bridge.new_task(), dialog.take_password())
            self._bridge.send(command, self._on_event)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TaskFailed):
            self.problem_found.emit(event.code, event.params)
        elif isinstance(event, TaskDone):
            self.given.emit()
