"""Many events in a row become one call."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

_log = logging.getLogger(__name__)

MOST_EVENTS = 500
"""With more events of one folder in a burst, the operating system may have dropped some unsaid (inotify
keeps 16,384, Windows 64 KB, and watchdog tells of neither): the whole folder is named instead."""

OnChange = Callable[[str, frozenset[Path]], None]


@dataclass(slots=True)
class _Burst:
    """What was heard of one library since the last call; times are of the monotonic clock."""

    first: float
    last: float
    events: Counter[Path] = field(default_factory=Counter)
    changed: dict[Path, set[Path]] = field(default_factory=dict)

    def directories(self) -> frozenset[Path]:
        return frozenset(
            directory
            for folder, changed in self.changed.items()
            for directory in ({folder} if self.events[folder] > MOST_EVENTS else changed)
        )


class Bursts:
    """Calls ``on_change(library, directories)`` from a thread of its own.

    That is when a library has been quiet for ``quiet_s``, but at most ``longest_s`` after its first event.
    """

    def __init__(self, on_change: OnChange, quiet_s: float, longest_s: float) -> None:
        self._on_change, self._quiet_s, self._longest_s = on_change, quiet_s, longest_s
        self._bursts: dict[str, _Burst] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="zhiye-bursts", daemon=True)
        self._thread.start()

    def add(self, library: str, folder: Path, directories: Iterable[Path]) -> None:
        """One event in ``folder`` of ``library``, from any thread."""
        with self._changed:
            now = time.monotonic()
            burst = self._bursts.get(library)
            if burst is None:
                burst = self._bursts[library] = _Burst(now, now)
                self._changed.notify()
            burst.last = now
            burst.events[folder] += 1
            burst.changed.setdefault(folder, set()).update(directories)

    def close(self, timeout: float) -> None:
        """No call begins after this; what was still under way is dropped."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join(timeout)

    def _run(self) -> None:
        while (due := self._next()) is not None:
            library, burst = due
            try:
                self._on_change(library, burst.directories())
            except Exception:  # the next change must still be told
                _log.exception("a change could not be handed on")

    def _next(self) -> tuple[str, _Burst] | None:
        """Wait for a burst to end; None to end the thread."""
        with self._changed:
            while not self._is_closed:
                ends = {name: self._end(burst) for name, burst in self._bursts.items()}
                library = min(ends, key=lambda name: ends[name], default=None)
                if library is None:
                    self._changed.wait()
                elif (rest := ends[library] - time.monotonic()) > 0:
                    self._changed.wait(rest)
                else:
                    return library, self._bursts.pop(library)
            return None

    def _end(self, burst: _Burst) -> float:
        return min(burst.last + self._quiet_s, burst.first + self._longest_s)
