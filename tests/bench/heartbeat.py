"""A timer of the window that tells how late it came: the time in which nothing could be clicked or typed."""

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QTimer

INTERVAL_MS = 5


class Heartbeat(QObject):
    """``gaps`` are milliseconds beyond the timer's own interval."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._beat)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append(max(0.0, 1000 * (now - self._last) - INTERVAL_MS))
        self._last = now

    def during(self, is_busy: Callable[[], bool], limit_s: float = 300) -> list[float]:
        """Let the window live while ``is_busy``; how late the timer came each time."""
        self.gaps = []
        self._last = time.perf_counter()
        deadline = self._last + limit_s
        self._timer.start()
        while is_busy() and time.perf_counter() < deadline:
            QCoreApplication.processEvents()
            time.sleep(0.001)
        self._timer.stop()
        return self.gaps


def p99_and_longest(gaps: list[float]) -> str:
    ordered = sorted(gaps)
    return f"p99 {ordered[int(0.99 * (len(ordered) - 1))]:.0f} ms, longest {ordered[-1]:.0f} ms"
