"""The parent's side of a parsing process: what happens in the child can end the child only."""

import contextlib
import logging
import multiprocessing
import signal
import time
from collections.abc import Generator
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self

import psutil

from engine import seal
from engine.cancel import CancelToken
from engine.config import Settings
from engine.documents import FileState, Reason
from engine.intake import scratch, worker
from engine.intake.messages import ReadDone, ReadMessage, ReadRequest

log = logging.getLogger(__name__)

_WAIT_S = 0.05
_END_S = 2.0
_WATCH_S = 0.2
_START_ALLOWANCE_S = 60.0
"""Added to the first silence of a new child: it has yet to start and to import the libraries."""

# spawn, also where fork is possible: a forked child would inherit threads' locks and native state.
_SPAWN = multiprocessing.get_context("spawn")

Messages = Generator[ReadMessage | None, None, None]


class ParsingProcess:
    """Reads files in a child process, started when first needed and again after it died.

    Used by one thread, one request after the other. ``reader`` is the module whose ``answer`` runs in the
    child.
    """

    def __init__(self, settings: Settings, reader: str = "engine.intake.reading") -> None:
        self._settings = settings
        self._reader = reader
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._scratch: scratch.Scratch | None = None
        self._is_fresh = False
        self._is_paused = False
        self._watched = 0.0
        self._ended_for: Reason | None = None
        self.is_busy = False

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
        """Start the child now, so that its imports overlap with other work.

        Raises:
            OSError: there is no place for its temporary files, or the system has no process left.
        """
        if self._process is not None and self._process.is_alive():
            return
        self._discard()
        self._scratch = scratch.make()
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=worker.serve,
            args=(theirs, self._settings, self._reader, self._scratch),
            name="zhiye-parsing",
            daemon=True,
        )
        process.start()
        self._process = process
        # Only the child may hold its end: otherwise its death would not close the pipe.
        theirs.close()
        self._connection = ours
        self._is_fresh = True

    def answer(self, request: ReadRequest, token: CancelToken) -> Messages:
        """:meth:`send`, then :meth:`receive`."""
        self.send(request)
        return self.receive(request, token)

    def send(self, request: ReadRequest) -> None:
        """Let the child begin; what it says waits in the pipe, and the child with it once that is full."""
        assert not self.is_busy, "one request at a time"
        self.start()
        assert self._connection is not None
        try:
            self._connection.send(request)
        except OSError:
            # It died between two files: that is not this file's fault.
            self._discard()
            self.start()
            self._connection.send(request)
        self.is_busy = True

    def receive(self, request: ReadRequest, token: CancelToken) -> Messages:
        """The messages that answer ``request``, which was sent; None at least every 50 ms while none comes.

        Ends with exactly one :class:`ReadDone`. A child that is silent for ``file_timeout_s``, or needs more
        than ``file_memory_mb``, is killed (over_budget); one that dies leaves the file set_aside. When the
        caller stops early or ``token`` is cancelled, the child is killed too: it may be deep in a library.

        Raises:
            Cancelled: the token was cancelled.
        """
        finished = False
        try:
            connection = self._connection
            assert connection is not None
            allowance = _START_ALLOWANCE_S if self._is_fresh else 0.0
            # Only what was waited for here counts: a child that was paused, or not listened to, is not slow.
            silence = 0.0
            while silence <= self._settings.file_timeout_s + allowance:
                token.check()
                self.watch()
                begun = time.monotonic()
                if connection.poll(_WAIT_S):
                    message: ReadMessage | seal.Attempt = connection.recv()
                    if isinstance(message, seal.Attempt):
                        seal.remember(message)
                        continue
                    self._is_fresh = False
                    silence = allowance = 0.0
                    finished = isinstance(message, ReadDone)
                    self.is_busy = not finished
                    yield message
                    if finished:
                        return
                else:
                    silence += time.monotonic() - begun
                    yield None
            self._discard()
            seconds = round(self._settings.file_timeout_s)
            yield ReadDone(FileState.OVER_BUDGET, Reason("too_slow", {"seconds": seconds}))
        except (EOFError, OSError):
            yield self._death(request)
        finally:
            if not finished:
                self._discard()

    def watch(self) -> None:
        """Kill the child when it needs more memory than it may have; :meth:`receive` then says so."""
        now = time.monotonic()
        if self.pid is None or now - self._watched < _WATCH_S:
            return
        self._watched = now
        limit = self._settings.file_memory_mb
        with contextlib.suppress(psutil.Error):
            if psutil.Process(self.pid).memory_info().rss > limit << 20:
                self._ended_for = Reason("out_of_memory", {"limit_mb": limit})
                assert self._process is not None
                self._process.kill()

    def spent_s(self) -> float:
        """Processor seconds that the child has spent, and what it started and has ended; 0 without one."""
        if self.pid is None:
            return 0.0
        with contextlib.suppress(psutil.Error):
            return sum(psutil.Process(self.pid).cpu_times()[:4])
        return 0.0

    def pause(self) -> None:
        """Stop the child where it is: something more urgent needs the processor."""
        if self.pid is not None and not self._is_paused:
            with contextlib.suppress(psutil.Error):
                psutil.Process(self.pid).suspend()
                self._is_paused = True

    def resume(self) -> None:
        """Let a paused child go on."""
        if self.pid is not None and self._is_paused:
            with contextlib.suppress(psutil.Error):
                psutil.Process(self.pid).resume()
        self._is_paused = False

    def close(self) -> None:
        """End the child: one in the middle of a file is killed, an idle one may finish by itself."""
        self.resume()
        if self._process is not None and self._connection is not None and not self.is_busy:
            with contextlib.suppress(OSError):
                self._connection.send(None)
            self._process.join(_END_S)
        self._discard()

    def _death(self, request: ReadRequest) -> ReadDone:
        code: int | None = None
        if self._process is not None:
            self._process.join(_END_S)
            code = self._process.exitcode
        ended_for = self._ended_for
        self._discard()
        if ended_for is not None:
            return ReadDone(FileState.OVER_BUDGET, ended_for)
        name = str(code)
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                name = signal.Signals(-code).name
        log.warning("the parsing process died (%s) while reading a %s file", name, request.path.suffix)
        return ReadDone(FileState.SET_ASIDE, Reason("loader_crashed", {"signal": name}))

    def _discard(self) -> None:
        self.is_busy = self._is_paused = False
        self._ended_for = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        process, self._process = self._process, None
        if process is not None:
            if process.is_alive():
                # First what it started itself: a converter would go on without it.
                with contextlib.suppress(psutil.Error):
                    for child in psutil.Process(process.pid).children(recursive=True):
                        child.kill()
                process.kill()
            process.join()
            process.close()
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = None
