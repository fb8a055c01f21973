"""Mains or battery, and telling whoever indexes that the machine runs on its battery."""

import time
from collections.abc import Callable, Generator, Iterator

import psutil

from engine.events import Event, OnBattery

SMALL_S = 60.0
"""What is done within this time is done on battery, too: a file that was edited is found at once."""

LOOK_S = 10.0
"""How often the battery is looked at while something goes on."""


def on_battery() -> bool:
    """Whether the machine runs on its battery now; False where there is none or nobody can tell."""
    if not hasattr(psutil, "sensors_battery"):
        return False
    try:
        battery = psutil.sensors_battery()
    except (OSError, RuntimeError, psutil.Error):
        return False
    # None: plugged in or not is not known.
    return battery is not None and battery.power_plugged is False


def telling(
    steps: Iterator[Event | None],
    task_id: int,
    is_on_battery: Callable[[], bool] = on_battery,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Event | None]:
    """The steps, with an :class:`OnBattery` now and then once they have taken longer than :data:`SMALL_S`.

    They go on: whoever sent the command decides whether it shall wait for mains power.
    """
    look_at = clock() + SMALL_S
    try:
        for event in steps:
            yield event
            if (now := clock()) >= look_at:
                look_at = now + LOOK_S
                if is_on_battery():
                    yield OnBattery(task_id)
    finally:
        if isinstance(steps, Generator):
            steps.close()
