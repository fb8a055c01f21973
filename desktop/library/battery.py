"""What waits for mains power, until it is back or somebody says to go on without it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.library.wishes import WaitingWishes
from engine.ingest import power

LOOK_MS = 15_000


class BatteryWait(QObject):
    """Looks at the battery while something waits for it, or goes on in spite of it.

    Signals:
        ended(): the machine has mains power again.
    """

    ended = Signal()

    def __init__(
        self, is_on_battery: Callable[[], bool] = power.on_battery, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.is_on_battery = is_on_battery
        self.wishes = WaitingWishes()
        self.is_ignored = False
        """Somebody said to go on; that holds until the machine is plugged in."""
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def watch(self) -> None:
        """Something waits now."""
        self._timer.start()

    def ignore(self) -> None:
        """Nothing waits any more, however long the battery is in use."""
        self.is_ignored = True
        self._timer.start()

    @Slot()
    def look(self) -> None:
        if self.is_on_battery():
            return
        self._timer.stop()
        self.is_ignored = False
        self.ended.emit()
