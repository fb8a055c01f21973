"""How fast indexing goes and how long the rest of it takes, from what it says on the way."""

import time
from collections import deque
from collections.abc import Callable

from engine.events import Event, FileFinished, FileProgress, OcrProgress, ScanFinished

WINDOW_S = 30.0
"""What is slow or fast now counts, not what was an hour ago."""
_LEAST_S = 4.0
_LEAST_FILES = 2.0


class Pace:
    """Of one task at a time. ``clock`` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Another task begins: nothing is known of its speed."""
        self._in_hand: dict[str, int] = {}
        self._chunks = 0
        self._begin_part(0)

    def _begin_part(self, total: int) -> None:
        """Files first, then the pages that OCR reads: each has a speed of its own."""
        self._total, self._done, self._part = total, 0.0, 0.0
        self._reads_pictures = False
        self._points: deque[tuple[float, int, float]] = deque([(self._clock(), self._chunks, 0.0)])

    def take(self, event: Event) -> None:
        if isinstance(event, ScanFinished):
            self._begin_part(event.total)
        elif isinstance(event, FileProgress):
            self._chunks += max(0, event.chunks_done - self._in_hand.get(event.path, 0))
            self._in_hand[event.path] = event.chunks_done
            self._part = event.chunks_done / event.chunks if event.chunks else 0.0
        elif isinstance(event, FileFinished):
            self._in_hand.pop(event.file.path, None)
            self._done, self._total, self._part = float(event.done), event.total, 0.0
        elif isinstance(event, OcrProgress):
            if not self._reads_pictures:
                self._begin_part(event.total)
                self._reads_pictures = True
            self._done, self._total = float(event.done), event.total
        else:
            return
        self._points.append((self._clock(), self._chunks, self._done + self._part))

    def _since(self) -> tuple[float, int, float]:
        """Seconds, passages and files (or pages) between the start of the window and now."""
        now = self._clock()
        while len(self._points) > 2 and self._points[1][0] <= now - WINDOW_S:
            self._points.popleft()
        begun, chunks, done = self._points[0]
        return now - begun, self._chunks - chunks, self._done + self._part - done

    def chunks_per_s(self) -> float | None:
        """Passages embedded a second; None while that cannot be told, and while OCR reads."""
        seconds, chunks, _ = self._since()
        if self._reads_pictures or seconds < _LEAST_S or not chunks:
            return None
        return chunks / seconds

    def left_s(self) -> float | None:
        """Seconds until everything is done, if it goes on like this; None while that cannot be told."""
        seconds, _, done = self._since()
        left = self._total - self._done - self._part
        if seconds < _LEAST_S or done < _LEAST_FILES or left <= 0:
            return None
        return left * seconds / done
