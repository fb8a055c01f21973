"""From process start to the shown window, and memory before any model is loaded."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.measuring import Row, memory_of


def run() -> Iterator[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    starts = sorted(_start() for _ in range(5))
    times = [seconds for seconds, _ in starts]
    busy = min(busy for _, busy in starts)
    yield Row(
        "start to visible window",
        f"{1000 * times[len(times) // 2]:.0f} ms",
        f"{times[0]:.2f}–{times[-1]:.2f} s, five warm starts; {busy:.2f} s of processor time",
    )
    with tempfile.TemporaryDirectory() as home:
        os.environ["ZHIYE_HOME"] = home
        code = "import tests.bench.window_probe as probe; probe.show()"
        yield Row("memory with the window shown, no model loaded", f"{memory_of(code) >> 20} MiB")
    yield Row("memory of the engine imported", f"{memory_of('import engine.thread') >> 20} MiB")


def cold_start() -> float:
    """Seconds, after the files that a start reads have been taken out of the system's cache.

    Pages that another program has mapped stay, so that the figure is a little better than after a reboot.
    """
    with tempfile.TemporaryDirectory() as home:
        code = "import tests.bench.window_probe as probe; probe.show(); probe.print_files()"
        told = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8",
            env={"QT_QPA_PLATFORM": "offscreen", **os.environ, "ZHIYE_HOME": home},
        )  # fmt: skip
    if hasattr(os, "posix_fadvise"):
        for name in told.stdout.splitlines():
            with contextlib.suppress(OSError), Path(name).open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return _start()[0]


def _start() -> tuple[float, float]:
    """Seconds until the program that showed its window has ended, and seconds of processor time."""
    with tempfile.TemporaryDirectory() as home:
        before, started = os.times(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "import tests.bench.window_probe as probe; probe.show()"],
            check=True, stdout=subprocess.DEVNULL,
            env={"QT_QPA_PLATFORM": "offscreen", **os.environ, "ZHIYE_HOME": home},
        )  # fmt: skip
        taken, after = time.perf_counter() - started, os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return taken, spent
