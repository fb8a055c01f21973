"""The real window with an engine that plays: it streams an answer and lists 10,000 files."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop import application
from desktop.library.file_model import PAGES
from engine.answer_events import AnswerFinished, AnswerText, SourcesFound
from engine.commands import AskQuestion, ListFiles, ListLibraries
from engine.documents import FileState
from engine.events import FileReport, FilesListed, LibrariesListed
from tests.bench.heartbeat import Heartbeat
from tests.desktop import sample_content
from tests.desktop.scripted_engine import ScriptedEngine

TOKENS, A_SECOND = 4_000, 500
FILES = 10_000


def many_files() -> tuple[FileReport, ...]:
    states = list(FileState)
    return tuple(
        FileReport(
            f"部门{n % 40:02d}/项目 {n % 700}/制度与记录 {n:05d}.pdf", states[n % len(states)],
            pages=n % 90, chunks=n % 400, indexed_at="2025-06-30T08:00:00+00:00",
        )
        for n in range(FILES)
    )  # fmt: skip


def measure(folder: Path) -> dict[str, dict[str, object]]:
    """``gaps`` by phase in milliseconds; ``ms``: those of single things, on the wall and of processor."""
    qt = application.make_application("zh")
    assert isinstance(qt, QApplication)
    engine: list[ScriptedEngine] = []

    def make(on_event: Callable[[object], None]) -> ScriptedEngine:
        files = many_files()
        scripts = {
            ListLibraries: lambda c: [LibrariesListed(c.task_id, (sample_content.library(),))],
            ListFiles: lambda c: [FilesListed(c.task_id, c.library, files)],
        }
        engine.append(ScriptedEngine(on_event, scripts))
        return engine[0]

    shape = QSettings(str(folder / "shape.ini"), QSettings.Format.IniFormat)
    window, controller = application.open_window(make, shape=shape)
    heart, table = Heartbeat(), window.library_panel.table
    heart.during(lambda: table.files.rowCount() < FILES, limit_s=10)
    taken_ms: dict[str, tuple[float, float]] = {}

    def timed(what: str, work: Callable[[], object]) -> None:
        begun, busy = time.perf_counter(), time.process_time()
        work()
        qt.processEvents()
        window.grab()
        taken_ms[what] = (
            1000 * (time.perf_counter() - begun), 1000 * (time.process_time() - busy)
        )  # fmt: skip

    table.files.set_files(())
    qt.processEvents()
    timed("10,000 files shown in the table", lambda: table.files.set_files(many_files()))
    timed("10,000 files filtered by a word", lambda: table.show_named("项目 69"))
    table.show_named("")
    order = Qt.SortOrder.DescendingOrder
    timed("10,000 files sorted by pages", lambda: table.sortByColumn(PAGES, order))
    timed("10,000 files selected", table.selectAll)
    table.clearSelection()
    gaps = {
        "10,000 files are scrolled": heart.during(Scrolling(table.verticalScrollBar(), 400)),
        "an answer of 4,000 tokens is written": heart.during(Streaming(engine[0], window)),
    }
    window.close()
    controller.close()
    window.deleteLater()
    qt.processEvents()
    return {"gaps": dict(gaps), "ms": dict(taken_ms)}


class Scrolling:
    """Turns the bar from top to bottom in steps; called for whether it still does."""

    def __init__(self, bar: object, steps: int) -> None:
        self._bar, self._steps, self._done = bar, steps, 0

    def __call__(self) -> bool:
        self._done += 1
        bar = self._bar
        bar.setValue(bar.maximum() * self._done // self._steps)  # type: ignore[attr-defined]
        return self._done < self._steps


class Streaming:
    """Asks a question and plays its answer; called for whether it still does."""

    def __init__(self, engine: ScriptedEngine, window: object) -> None:
        composer = window.ask_panel.composer  # type: ignore[attr-defined]
        composer.question_box.setPlainText("年假有多少天？")
        composer.ask_button.click()
        self._engine, self._left = engine, TOKENS
        self._task = engine.last(AskQuestion).task_id
        engine.emit(SourcesFound(self._task, sample_content.five_hits()))
        self._timer = QTimer()
        self._timer.timeout.connect(self._write)
        self._timer.start(10)

    def _write(self) -> None:
        for _ in range(A_SECOND // 100):
            self._engine.emit(AnswerText(self._task, "年休假"))
            self._left -= 1
        if self._left <= 0:
            self._timer.stop()
            self._engine.done(self._task, AnswerFinished(self._task, sample_content.answer()))

    def __call__(self) -> bool:
        return self._timer.isActive()


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
