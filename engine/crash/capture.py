"""Hooks that keep what nothing else has caught: exceptions in any thread, and faults of native code."""

import faulthandler
import logging
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TextIO

from engine.crash import positions
from engine.crash.reports import NATIVE, CrashFolder

_log = logging.getLogger(__name__)

_Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


class CrashCapture:
    """A context; the hooks before are called as well, and come back at the end.

    An exception that Qt brings out of a slot does not end the program, and is kept as such; one that leaves
    the context does.
    """

    def __init__(self, folder: CrashFolder) -> None:
        self._folder = folder
        self._dump: TextIO | None = None
        self._was_enabled = False
        self._before: _Hook = sys.excepthook
        self._thread_before = threading.excepthook

    def __enter__(self) -> None:
        """Take in what the last run left, and keep from now on what happens in this one."""
        self._folder.take_in_native()
        self._was_enabled = faulthandler.is_enabled()
        with suppress(OSError):
            self._folder.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._dump = (self._folder.folder / NATIVE).open("w", encoding="utf-8")
            faulthandler.enable(file=self._dump, all_threads=True)
        self._before, self._thread_before = sys.excepthook, threading.excepthook
        sys.excepthook, threading.excepthook = self._on_exception, self._on_thread_exception

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self._keep(error, fatal=True)
        sys.excepthook, threading.excepthook = self._before, self._thread_before
        if self._dump is not None:
            faulthandler.disable()
            if self._was_enabled and sys.__stderr__ is not None:
                faulthandler.enable(file=sys.__stderr__)
            self._dump.close()
            self._dump = None
            with suppress(OSError):
                (self._folder.folder / NATIVE).unlink(missing_ok=True)

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._keep(error.with_traceback(trace), fatal=False)
        self._before(kind, error, trace)

    def _on_thread_exception(self, told: threading.ExceptHookArgs) -> None:
        if told.exc_value is not None:
            self._keep(told.exc_value, fatal=False)
        self._thread_before(told)

    def _keep(self, error: BaseException, *, fatal: bool) -> None:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            return
        lines = positions.of_exception(error)
        self._folder.write(lines, fatal=fatal)
        _log.error("not caught by anything: %s", lines[0])
