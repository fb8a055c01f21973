"""Several parsing processes: while one file is embedded, the next ones are read."""

from types import TracebackType
from typing import Self

from engine import native
from engine.cancel import CancelToken
from engine.config import Settings
from engine.intake.messages import ReadRequest
from engine.intake.parsing import Messages, ParsingProcess


def default_size(cores: int) -> int:
    """Processes for a machine: one up to three cores, then half of them, four at most."""
    return max(1, min(4, cores // 2))


class ParsingPool:
    """Answers as many requests at once as it has processes, which start when they are first needed."""

    def __init__(self, settings: Settings, reader: str = "engine.intake.reading") -> None:
        self.at_once = settings.readers or default_size(native.thread_count())
        self._processes = [ParsingProcess(settings, reader) for _ in range(self.at_once)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, request: ReadRequest, token: CancelToken) -> Messages:
        """As :meth:`ParsingProcess.answer`; the request is on its way when this returns.

        At most ``at_once`` answers may be open.
        """
        process = next(process for process in self._processes if not process.is_busy)
        process.send(request)
        return self._receive(process, request, token)

    def _receive(self, process: ParsingProcess, request: ReadRequest, token: CancelToken) -> Messages:
        messages = process.receive(request, token)
        try:
            for message in messages:
                self.watch()
                yield message
        finally:
            messages.close()

    def watch(self) -> None:
        """Look after those that read ahead, too: nobody is listening to them yet."""
        for process in self._processes:
            process.watch()

    def spent_s(self) -> float:
        """Processor seconds of the processes that are alive."""
        return sum(process.spent_s() for process in self._processes)

    def pause(self) -> None:
        """Stop all processes where they are."""
        for process in self._processes:
            process.pause()

    def resume(self) -> None:
        for process in self._processes:
            process.resume()

    def close(self) -> None:
        for process in self._processes:
            process.close()
