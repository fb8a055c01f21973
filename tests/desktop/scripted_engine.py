"""An engine that plays a script: the window's double of the engine thread."""

from collections.abc import Callable, Iterable, Iterator

from engine.commands import Command, ListLibraries, PrepareModels, StopTask
from engine.events import Event, LibrariesListed, ModelsReady, TaskDone, TaskStarted, TaskStopped

Script = Callable[[Command], Iterable[Event]]


class ScriptedEngine:
    """Records what it is sent and answers at once with what ``scripts`` say for the command's type.

    A command without a script is left open: the test ends its task with :meth:`emit` or :meth:`done`.
    """

    def __init__(self, on_event: Callable[[Event], None], scripts: dict[type, Script] | None = None) -> None:
        self._on_event = on_event
        self.scripts: dict[type, Script] = {
            ListLibraries: lambda command: [LibrariesListed(command.task_id, ())],
            PrepareModels: lambda command: [
                ModelsReady(command.task_id, "bge-small-zh-v1.5", "qwen2.5-1.5b")
            ],
            **(scripts or {}),
        }
        self.sent: list[Command] = []
        self.is_started = False
        self.stops = 0
        self.stop_result = True

    def start(self) -> None:
        self.is_started = True

    def send(self, command: Command) -> None:
        self.sent.append(command)
        if isinstance(command, StopTask):
            last_words = self.scripts.get(StopTask, lambda _: ())(command)
            self.emit(*last_words, TaskStopped(command.task_id))
            return
        script = self.scripts.get(type(command))
        if script is not None:
            self.emit(TaskStarted(command.task_id), *script(command), TaskDone(command.task_id))

    def stop(self, timeout: float) -> bool:
        self.stops += 1
        return self.stop_result

    def emit(self, *events: Event) -> None:
        for event in events:
            self._on_event(event)

    def done(self, task_id: int, *events: Event) -> None:
        """Send the last news of a task and end it."""
        self.emit(*events, TaskDone(task_id))

    def commands(self, kind: type) -> list[Command]:
        return [command for command in self.sent if isinstance(command, kind)]

    def last(self, kind: type) -> Command:
        return self.commands(kind)[-1]

    def __iter__(self) -> Iterator[Command]:
        return iter(self.sent)
