"""The one door between the window and the engine thread: commands out, one queued signal in.

The signal carries plain objects: Qt would cut numbers above 2**31 and empty dictionaries whose keys
are not strings if they were sent as Qt types.
"""

import itertools
import logging
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from engine.answer_events import AnswerText
from engine.commands import Command, StopTask
from engine.errors import CodedError
from engine.events import Event, TaskDone, TaskFailed, TaskStopped

JOIN_MS = 50
"""Answer text is handed on at most once in this time."""

EventHandler = Callable[[Event], None]
_log = logging.getLogger(__name__)


class Engine(Protocol):
    """The engine thread as the window sees it."""

    def start(self) -> None: ...

    def send(self, command: Command) -> None: ...

    def stop(self, timeout: float) -> bool:
        """Cancel every task and join; False when the thread is still alive after ``timeout`` seconds."""
        ...


EngineFactory = Callable[[Callable[[Event], None]], Engine]


class EngineBridge(QObject):
    """Sends commands and gives each event to the handler that came with its task's command.

    A task is forgotten with its last event, or by :meth:`drop`; what arrives for it later is not
    delivered. :class:`AnswerText` is joined per :data:`JOIN_MS`.

    Signals:
        _arrived(object): from the engine thread, queued; nobody else connects to it.
    """

    _arrived = Signal(object)

    def __init__(self, make_engine: EngineFactory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._handlers: dict[int, EventHandler] = {}
        self._pieces: dict[int, list[str]] = {}
        self._ids = itertools.count(1)
        self._is_closed = False
        self._join_timer = QTimer(self)
        self._join_timer.setSingleShot(True)
        self._join_timer.setInterval(JOIN_MS)
        self._join_timer.timeout.connect(self._hand_on_text)
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self._engine = make_engine(self._arrived.emit)

    def start(self) -> None:
        self._engine.start()

    def new_task(self) -> int:
        return next(self._ids)

    def send(self, command: Command, handler: EventHandler) -> int:
        """Send a command; ``handler`` gets every event of its task, here in the GUI thread."""
        task_id = command.task_id
        if self._is_closed:
            return task_id
        self._handlers[task_id] = handler
        try:
            self._engine.send(command)
        except CodedError as error:
            self._arrived.emit(TaskFailed(task_id, error.code, error.params, error.retryable))
        return task_id

    def stop_task(self, task_id: int) -> None:
        """Ask for a stop; the handler still gets the events up to TaskStopped."""
        if task_id in self._handlers and not self._is_closed:
            try:
                self._engine.send(StopTask(task_id))
            except CodedError:
                _log.warning("the engine took no stop: it has ended")

    def drop(self, task_id: int) -> None:
        """Stop a task whose news nobody wants any more."""
        self.stop_task(task_id)
        self._handlers.pop(task_id, None)
        self._pieces.pop(task_id, None)

    def is_running(self, task_id: int) -> bool:
        return task_id in self._handlers

    def close(self, timeout: float) -> bool:
        """End the engine; from here on no event is delivered. False when it did not end in time."""
        self._is_closed = True
        self._join_timer.stop()
        self._handlers.clear()
        self._pieces.clear()
        return self._engine.stop(timeout)

    @Slot(object)
    def _on_arrived(self, event: Event) -> None:
        if self._is_closed or event.task_id not in self._handlers:
            return
        if isinstance(event, AnswerText):
            self._pieces.setdefault(event.task_id, []).append(event.text)
            if not self._join_timer.isActive():
                self._join_timer.start()
            return
        self._hand_on_text_of(event.task_id)
        self._deliver(event)

    @Slot()
    def _hand_on_text(self) -> None:
        for task_id in list(self._pieces):
            self._hand_on_text_of(task_id)

    def _hand_on_text_of(self, task_id: int) -> None:
        if pieces := self._pieces.pop(task_id, None):
            self._deliver(AnswerText(task_id, "".join(pieces)))

    def _deliver(self, event: Event) -> None:
        if isinstance(event, (TaskDone, TaskStopped, TaskFailed)):
            handler = self._handlers.pop(event.task_id, None)
        else:
            handler = self._handlers.get(event.task_id)
        if handler is not None:
            handler(event)
