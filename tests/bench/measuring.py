"""Timing two things in turn, so that a ratio holds when the machine's speed drifts."""

import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Row:
    """One line of the table: what, the figure with its unit, and what it is compared with."""

    name: str
    value: str
    against: str = ""


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def alternating(
    ours: Callable[[], object], bare: Callable[[], object], rounds: int = 5
) -> tuple[list[float], list[float]]:
    """Seconds of both, one round after the other, after a warm-up of each."""
    ours()
    bare()
    pairs = [(seconds(ours), seconds(bare)) for _ in range(rounds)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def ratio(ours: list[float], bare: list[float]) -> str:
    """Median of the pairs' ratios with the spread."""
    ratios = sorted(a / b for a, b in zip(ours, bare, strict=True))
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


def median_ms(values: list[float]) -> str:
    return f"{1000 * statistics.median(values):.0f} ms"


def memory_of(code: str) -> int:
    """Resident bytes (own and shared) of a fresh interpreter after it ran ``code``."""
    script = f"{code}\nimport psutil; print(psutil.Process().memory_info().rss)"
    output = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout
    return int(output.split()[-1])


def machine() -> str:
    """The machine in one line."""
    name = ""
    try:
        with pathlib.Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            name = next(
                (line.partition(":")[2].strip() for line in file if line.startswith("model name")), ""
            )
    except OSError:
        pass
    memory = psutil.virtual_memory().total >> 30
    python = sys.version.split()[0]
    return f"{name or 'unknown'}, {psutil.cpu_count()} logical cores, {memory} GiB, Python {python}"
