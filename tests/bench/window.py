"""From process start to the shown window, and memory before any model is loaded."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from tests.bench.measuring import Row, memory_of


def run() -> Iterator[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    times = sorted(_start() for _ in range(5))
    yield Row(
        "start to visible window",
        f"{1000 * times[len(times) // 2]:.0f} ms",
        f"{times[0]:.2f}–{times[-1]:.2f} s, five warm starts",
    )
    with tempfile.TemporaryDirectory() as home:
        os.environ["ZHIYE_HOME"] = home
        code = "import tests.bench.window_probe as probe; probe.show()"
        yield Row("memory with the window shown, no model loaded", f"{memory_of(code) >> 20} MiB")
    yield Row("memory of the engine imported", f"{memory_of('import engine.thread') >> 20} MiB")


def _start() -> float:
    with tempfile.TemporaryDirectory() as home:
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "import tests.bench.window_probe as probe; probe.show()"],
            check=True, env={**os.environ, "ZHIYE_HOME": home}, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return time.perf_counter() - started
