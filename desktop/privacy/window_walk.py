"""The window goes through its work without anybody before it: open, index, ask, show the page, close."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QSettings

import resources
from desktop import application
from engine import config, paths
from engine.answer_events import AnswerFinished
from engine.events import Event, IngestFinished, PassageLocated, TaskFailed
from engine.offline_proof.engine_walk import LIBRARY, PATIENCE_S, QUESTION
from engine.offline_proof.rehearsal import ProofStopped, Step
from engine.thread import EngineThread

_PAINTING_S = 1.5
"""For QtPdf, which draws pages in a thread of its own and says nothing of its end to others."""

_Event = TypeVar("_Event")


def rehearse(step: Step) -> None:
    """Raises ProofStopped where a step fails."""
    heard: list[Event] = []

    def make_engine(on_event: Callable[[Event], None]) -> EngineThread:
        def hear(event: Event) -> None:
            heard.append(event)
            on_event(event)

        return EngineThread(paths.home(), config.load(None), hear)

    qt_application = application.make_application("zh")
    shape = QSettings(str(Path(paths.home().root.parent, "shape.ini")), QSettings.Format.IniFormat)
    window, controller = application.open_window(make_engine, shape=shape)
    step("proof_window_opened", "")
    try:
        controller.library.index((resources.path("samples"),), LIBRARY)
        indexed = _wait(heard, IngestFinished)
        step("proof_indexed", str(len(indexed.files)))
        _settle(lambda: not controller.library.is_busy())
        window.ask_panel.composer.question_box.setPlainText(QUESTION)
        controller.ask.find()
        answer = _wait(heard, AnswerFinished).answer
        step("proof_passages_shown", str(len(answer.hits)))
        controller.reader.open_source(answer.hits[0])
        located = _wait(heard, PassageLocated)
        _pause(_PAINTING_S)
        window.grab()
        step("proof_opened", f"{located.document}, {located.pages[0].number}")
    finally:
        window.close()
        controller.close()
        window.deleteLater()
        qt_application.processEvents()
    step("proof_window_closed", "")


def _wait(heard: list[Event], kind: type[_Event]) -> _Event:
    """The first event of a kind; raises ProofStopped when a task has failed before it came."""
    found: list[_Event] = []

    def has_come() -> bool:
        events = list(heard)
        found.extend(event for event in events if isinstance(event, kind))
        if not found and (failed := next((e for e in events if isinstance(e, TaskFailed)), None)):
            raise ProofStopped(failed.code)
        return bool(found)

    _settle(has_come)
    return found[0]


def _settle(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            raise ProofStopped("too slow")
        _pause(0.02)


def _pause(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.01)
