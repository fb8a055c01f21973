"""The parent's side of the parsing process: what happens in the child can end the child only."""

import contextlib
import logging
import multiprocessing
import signal
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self

from engine.cancel import CancelToken
from engine.config import Settings
from engine.documents import FileState, Reason
from engine.intake import worker
from engine.intake.messages import ReadDone, ReadMessage, ReadRequest

log = logging.getLogger(__name__)

_WAIT_S = 0.05
_END_S = 2.0
_START_ALLOWANCE_S = 60.0
"""Added to the first silence of a new child: it has yet to start and to import the libraries."""

# spawn, also where fork is possible: a forked child would inherit threads' locks and native state.
_SPAWN = multiprocessing.get_context("spawn")


class ParsingProcess:
    """Reads files in a child process, started when first needed and again after it died.

    Used by one thread. ``reader`` is the module whose ``answer`` runs in the child.
    """

    def __init__(self, settings: Settings, reader: str = "engine.intake.reading") -> None:
        self._settings = settings
        self._reader = reader
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._is_fresh = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The child's process id while there is a child."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the child now, so that its imports overlap with other work."""
        if self._process is not None and self._process.is_alive():
            return
        self._discard()
        ours, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=worker.serve,
            args=(theirs, self._settings, self._reader),
            name="zhiye-parsing",
            daemon=True,
        )
        self._process.start()
        # Only the child may hold its end: otherwise its death would not close the pipe.
        theirs.close()
        self._connection = ours
        self._is_fresh = True

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        """The messages that answer ``request``; None at least every 50 ms while there is none.

        Ends with exactly one :class:`ReadDone`. A child that is silent for ``file_timeout_s`` is
        killed (over_budget); one that dies leaves the file set_aside. When the caller stops early or
        ``token`` is cancelled, the child is killed too: it may be deep inside a library.

        Raises:
            Cancelled: the token was cancelled.
        """
        finished = False
        try:
            self.start()
            connection = self._connection
            assert connection is not None
            silence = self._settings.file_timeout_s + (_START_ALLOWANCE_S if self._is_fresh else 0)
            try:
                connection.send(request)
                deadline = time.monotonic() + silence
                while True:
                    token.check()
                    if connection.poll(_WAIT_S):
                        message: ReadMessage = connection.recv()
                        self._is_fresh = False
                        deadline = time.monotonic() + self._settings.file_timeout_s
                        finished = isinstance(message, ReadDone)
                        yield message
                        if finished:
                            return
                    elif time.monotonic() > deadline:
                        break
                    else:
                        yield None
            except (EOFError, BrokenPipeError, ConnectionResetError):
                reason = self._death()
                log.warning("the parsing process died while reading a %s file", request.path.suffix)
                yield ReadDone(FileState.SET_ASIDE, reason)
                return
            self._discard()
            seconds = self._settings.file_timeout_s
            yield ReadDone(FileState.OVER_BUDGET, Reason("too_slow", {"seconds": round(seconds)}))
        finally:
            if not finished:
                self._discard()

    def close(self) -> None:
        """End the child: let it finish by itself for a moment, then kill it."""
        if self._process is not None and self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.send(None)
            self._process.join(_END_S)
        self._discard()

    def _death(self) -> Reason:
        code: int | None = None
        if self._process is not None:
            self._process.join(_END_S)
            code = self._process.exitcode
        name = str(code)
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                name = signal.Signals(-code).name
        self._discard()
        return Reason("loader_crashed", {"signal": name})

    def _discard(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        process, self._process = self._process, None
        if process is not None:
            if process.is_alive():
                process.kill()
            process.join()
            process.close()
