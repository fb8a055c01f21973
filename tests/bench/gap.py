"""How long the window's event loop is held up while the real engine loads, indexes and answers."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.measuring import Row


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home:
        result = subprocess.run(
            [sys.executable, "-m", "tests.bench.gap", home],
            env={"QT_QPA_PLATFORM": "offscreen", **os.environ},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    for phase, gaps in json.loads(result.stdout.splitlines()[-1]).items():
        ordered = sorted(gaps)
        p99 = ordered[int(0.99 * (len(ordered) - 1))]
        yield Row(f"event loop held up while {phase}", f"p99 {p99:.0f} ms, longest {ordered[-1]:.0f} ms")


def measure(home: Path) -> dict[str, list[float]]:
    """Milliseconds beyond the timer's own interval, by phase."""
    from engine import native, seal

    seal.install()
    native.preload()
    import time

    from PySide6.QtCore import QCoreApplication, QTimer

    import resources
    from desktop import application
    from engine.config import Settings
    from engine.paths import Home
    from engine.thread import EngineThread

    qt = application.make_application("zh")
    interval = 5
    gaps: list[float] = []
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append(max(0.0, 1000 * (now - last) - interval))
        last = now

    timer = QTimer()
    timer.setInterval(interval)
    timer.timeout.connect(beat)
    made = Home(home).create()
    window, controller = application.open_window(lambda event: EngineThread(made, Settings(), event))
    qt.processEvents()  # the first frame belongs to the start, which has a row of its own
    phases: dict[str, list[float]] = {}

    def watch(phase: str, busy: "object") -> None:
        nonlocal last
        gaps.clear()
        last = time.perf_counter()
        timer.start()
        deadline = last + 300
        while busy() and time.perf_counter() < deadline:  # type: ignore[operator]
            QCoreApplication.processEvents()
            time.sleep(0.001)
        timer.stop()
        phases[phase] = list(gaps)

    watch("models load", lambda: not (text := window.model_label.text()) or text.endswith("…"))
    controller.library.index((resources.path("samples"),), "示例")
    watch("indexing", controller.library.is_busy)
    window.ask_panel.composer.question_box.setPlainText("连续出差超过多少天，还要分管副总经理批准？")
    window.ask_panel.composer.ask_button.click()
    watch("answering", controller.ask.is_busy)
    window.close()
    controller.close()
    window.deleteLater()
    qt.processEvents()
    return phases


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
