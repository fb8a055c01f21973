"""How long the window's event loop is held up while the real engine loads, indexes and answers."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.heartbeat import Heartbeat, p99_and_longest
from tests.bench.measuring import Row


def run(*, asks: bool = True) -> Iterator[Row]:
    """Without ``asks`` no chat model is loaded."""
    with tempfile.TemporaryDirectory() as home:
        models = {} if asks else {"ZHIYE_MODELS": str(Path(home, "no models"))}
        result = subprocess.run(
            [sys.executable, "-m", "tests.bench.gap", home, *(["ask"] if asks else [])],
            env={"QT_QPA_PLATFORM": "offscreen", **os.environ, **models},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    for phase, gaps in json.loads(result.stdout.splitlines()[-1]).items():
        yield Row(f"event loop held up while {phase}", p99_and_longest(gaps))


def measure(home: Path, *, asks: bool) -> dict[str, list[float]]:
    """Milliseconds beyond the timer's own interval, by phase."""
    from engine import native, seal

    seal.install()
    native.preload()

    import resources
    from desktop import application
    from engine.config import Settings
    from engine.paths import Home
    from engine.thread import EngineThread

    qt = application.make_application("zh")
    heart = Heartbeat()
    made = Home(home).create()
    window, controller = application.open_window(lambda event: EngineThread(made, Settings(), event))
    qt.processEvents()  # the first frame belongs to the start, which has a row of its own
    phases: dict[str, list[float]] = {}
    phases["models load"] = heart.during(
        lambda: not (text := window.model_button.text()) or text.endswith("…")
    )
    controller.library.index((resources.path("samples"),), "示例")
    phases["indexing"] = heart.during(controller.library.is_busy)
    if asks:
        window.ask_panel.composer.question_box.setPlainText("连续出差超过多少天，还要分管副总经理批准？")
        window.ask_panel.composer.ask_button.click()
        phases["answering"] = heart.during(controller.ask.is_busy)
    window.close()
    controller.close()
    window.deleteLater()
    qt.processEvents()
    return phases


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), asks="ask" in sys.argv[2:])))
