"""What makes a window worth keeping open: start, event loop, large tables and PDFs, memory.

No chat model is needed: a double streams an answer of 4,000 tokens faster than any model writes here.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench import gap, reader, window
from tests.bench.heartbeat import p99_and_longest
from tests.bench.measuring import Row

_LIMITS = {
    "start to visible window": "1,500 ms",
    "memory with the window shown, no model loaded": "250 MiB",
}


def run() -> Iterator[Row]:
    yield Row("cold start to visible window", f"{1000 * window.cold_start():.0f} ms", "at most 1,500 ms")
    for row in window.run():
        limit = _LIMITS.get(row.name)
        told = [part for part in (row.against, f"at most {limit}" if limit else "") if part]
        yield Row(row.name, row.value, "; ".join(told))
    for row in gap.run(asks=False):
        yield Row(row.name, row.value, "p99 at most 50 ms")
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [sys.executable, "-m", "tests.bench.gui_probe", folder],
            env={"QT_QPA_PLATFORM": "offscreen", **os.environ},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    found = json.loads(result.stdout.splitlines()[-1])
    for phase, gaps in found["gaps"].items():
        yield Row(f"event loop held up while {phase}", p99_and_longest(gaps), "p99 at most 50 ms")
    for what, (taken_ms, busy_ms) in found["ms"].items():
        yield Row(what, f"{taken_ms:.0f} ms", f"{busy_ms:.0f} ms of processor time; at most 300 ms")
    yield from reader.run()
