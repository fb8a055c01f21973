"""Every test here drives real widgets on Qt's offscreen platform; a Qt warning fails the test."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication

from desktop import application, languages
from desktop.design_tokens import LIGHT, palette_of
from desktop.engine_bridge import EngineBridge
from desktop.opening import Application
from desktop.window import MainWindow
from desktop.window_controller import WindowController
from engine.answer_events import AnswerFinished
from engine.answers import Answer
from engine.commands import AskQuestion, ListFiles, ListLibraries
from engine.events import FilesListed, LibrariesListed
from tests.desktop import sample_content
from tests.desktop.scripted_engine import ScriptedEngine

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.gui)
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            # The offscreen platform says so for every window with a least size, for one that comes
            # forward and for menus.
            item.add_marker(
                pytest.mark.qt_log_ignore("propagateSizeHints", r"support (raise\(\)|grabbing the keyboard)")
            )


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return application.make_application("zh")


@pytest.fixture(autouse=True)
def plain_start(qapp: QApplication) -> Iterator[None]:
    """Chinese and light, whatever the test before did."""
    languages.install("zh")
    qapp.setPalette(palette_of(LIGHT))
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def make_engine() -> "EngineSlot":
    return EngineSlot()


class EngineSlot:
    """A factory that keeps the engine it made."""

    def __init__(self) -> None:
        self.scripts: dict = {}
        self.engine: ScriptedEngine | None = None

    def __call__(self, on_event) -> ScriptedEngine:
        self.engine = ScriptedEngine(on_event, self.scripts)
        return self.engine


@pytest.fixture(scope="session")
def qapp_cls() -> type[Application]:
    """pytest-qt makes the program's own application."""
    return Application


@pytest.fixture
def bridge(qapp, make_engine) -> Iterator[EngineBridge]:
    made = EngineBridge(make_engine)
    yield made
    made.close(1)


@dataclass
class Opened:
    """A window on the (offscreen) screen with its controllers and its scripted engine."""

    window: MainWindow
    controller: WindowController
    engine: ScriptedEngine
    bridge: EngineBridge

    def child(self, kind: type, name: str):
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def ask(self, question: str, *events) -> int:
        """Ask as a person does; with events the engine says these and ends the task. Returns its id."""
        composer = self.window.ask_panel.composer
        composer.question_box.setPlainText(question)
        composer.ask_button.click()
        task = self.engine.last(AskQuestion).task_id
        if events:
            self.answer(*events)
        return task

    def answer(self, *events) -> None:
        """End the latest question with these events, which may be answers."""
        task = self.engine.last(AskQuestion).task_id
        told = [AnswerFinished(task, each) if isinstance(each, Answer) else each for each in events]
        self.engine.done(task, *(replace(each, task_id=task) for each in told))
        process_events_until(lambda: not self.controller.ask.is_busy())

    @property
    def turns(self):
        return self.window.ask_panel.turns


def process_events_until(holds) -> None:
    deadline = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < deadline
        QCoreApplication.processEvents()


@pytest.fixture
def shape(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "shape.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def empty(qtbot, make_engine, shape) -> Iterator[Opened]:
    """A window without any knowledge base."""
    yield from _open(qtbot, make_engine, shape)


@pytest.fixture
def opened(qtbot, make_engine, shape) -> Iterator[Opened]:
    """A window with one knowledge base of ten files."""
    make_engine.scripts = {
        ListLibraries: lambda c: [LibrariesListed(c.task_id, (sample_content.library(),))],
        ListFiles: lambda c: [FilesListed(c.task_id, c.library, sample_content.files())],
    }
    yield from _open(qtbot, make_engine, shape)


def _open(qtbot, make_engine: EngineSlot, shape: QSettings) -> Iterator[Opened]:
    window, controller = application.open_window(make_engine, shape=shape)
    assert make_engine.engine is not None
    qtbot.waitUntil(lambda: window.model_button.text().startswith("对话模型"))
    yield Opened(window, controller, make_engine.engine, controller._bridge)
    window.close()
    controller.close()
    window.deleteLater()
