"""Checks and repairs for the health window; one window at a time."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.health.window import HealthWindow
from engine.commands import CheckHealth, Command, RepairLibraries
from engine.events import Event, HealthChecked, TaskFailed, TaskStopped


class HealthController(QObject):
    """Opens the window beside ``owner`` with a fresh check.

    Signals:
        repaired(): a repair has ended; knowledge bases may be others than before.
    """

    repaired = Signal()

    def __init__(self, bridge: EngineBridge, owner: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._check_task: int | None = None
        self.window: HealthWindow | None = None

    @Slot()
    def open(self) -> None:
        """Show the window, or bring it forward as it is."""
        if self.window is None:
            self.window = HealthWindow(self._owner)
            self.window.check_button.clicked.connect(self.check)
            self.window.repair_button.clicked.connect(self.repair)
            self.window.destroyed.connect(self._on_closed)
            self.check()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    @Slot()
    def check(self) -> None:
        self._send(CheckHealth(self._bridge.new_task()), self.tr("Checking…"))

    @Slot()
    def repair(self) -> None:
        self._send(RepairLibraries(self._bridge.new_task()), self.tr("Putting right what can be…"))

    def _send(self, command: Command, words: str) -> None:
        if self.window is None:
            return
        self.window.show_busy(words)
        if isinstance(command, RepairLibraries):
            self._bridge.send(command, self._on_repair_event)
        else:
            self._check_task = self._bridge.send(command, self._on_event)

    def _on_repair_event(self, event: Event) -> None:
        self._on_event(event)
        if isinstance(event, (HealthChecked, TaskFailed)):
            self.repaired.emit()

    def _on_event(self, event: Event) -> None:
        if self.window is None:
            return
        if isinstance(event, HealthChecked):
            self.window.show_report(event)
        elif isinstance(event, TaskFailed):
            words = error_text.describe(event.code, event.params)
            self.window.show_failure([words.title, words.advice])
        elif isinstance(event, TaskStopped):
            self.window.show_failure([self.tr("Stopped.")])

    @Slot()
    def _on_closed(self) -> None:
        """A check nobody waits for ends; a repair goes on to its end."""
        self.window = None
        if self._check_task is not None:
            self._bridge.drop(self._check_task)
