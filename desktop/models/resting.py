"""Lets the chat model give its memory back when nobody has asked for long; the engine knows how long."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.engine_bridge import EngineBridge
from engine.events import Event
from engine.model_files.commands import RestChatModel
from engine.model_files.events import ModelRested

LOOK_MS = 60_000


class ChatModelRest(QObject):
    """Asks the engine once a minute, from :meth:`begin` on.

    Signals:
        rested(str): the id of the model that gave its memory back.
    """

    rested = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.timer = QTimer(self)
        self.timer.setInterval(LOOK_MS)
        self.timer.timeout.connect(self.look)

    def begin(self) -> None:
        """A model is loaded, or may be."""
        self.timer.start()

    @Slot()
    def look(self) -> None:
        self._bridge.send(RestChatModel(self._bridge.new_task()), self._on_event)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ModelRested):
            self.timer.stop()
            self.rested.emit(event.model)
