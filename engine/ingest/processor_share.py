"""Indexing that takes no more of the processor than it may.

What the steps and the parsing processes spend is measured. Where that is more than the share of the time
that has passed, everything rests until it is not. Between two rests a question gets its turn.
"""

import time
from collections.abc import Callable, Generator, Iterator
from typing import Protocol

from engine import native
from engine.config import Settings
from engine.events import Event

UNASKED = 0.5
"""Part of the set share that a sync may take which nobody asked for: somebody works at this machine."""

LONGEST_REST_S = 0.02
"""A question that comes during a rest waits no longer than this."""


class Readers(Protocol):
    """The parsing processes of a job."""

    def spent_s(self) -> float:
        """Processor seconds that they have spent so far."""
        ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...


def cores_for(settings: Settings, *, is_quiet: bool) -> float | None:
    """How many cores' time indexing may take; None: all of it. ``is_quiet``: nobody asked for it."""
    share = settings.indexing_share / 100 * (UNASKED if is_quiet else 1.0)
    return None if share >= 1.0 else share * native.core_count()


def within(
    steps: Iterator[Event | None],
    cores: float | None,
    readers: Readers,
    *,
    clock: Callable[[], float] = time.monotonic,
    processor_clock: Callable[[], float] = time.process_time,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Event | None]:
    """The steps, with rests between them so that they take the time of ``cores`` cores on average.

    Other work between two steps does not count. Nothing is saved up: a step that waited for a disk earns no
    later rush.
    """
    if cores is None:
        yield from steps
        return
    debt = 0.0  # core seconds that were taken too early
    try:
        while True:
            begun, spent = clock(), processor_clock() + readers.spent_s()
            event = next(steps, _END)
            # A parsing process that has ended takes its figure with it.
            taken = max(0.0, processor_clock() + readers.spent_s() - spent)
            debt = max(0.0, debt + taken - cores * (clock() - begun))
            if isinstance(event, _End):
                return
            yield event
            while debt > 0:
                # Each time: a question that was answered meanwhile has let them go on.
                readers.pause()
                rest_s = min(debt / cores, LONGEST_REST_S)
                sleep(rest_s)
                debt -= cores * rest_s
                if debt > 0:
                    yield None
            readers.resume()
    finally:
        readers.resume()
        if isinstance(steps, Generator):
            steps.close()


class _End:
    """What stands behind the last step."""


_END = _End()
