"""The engine goes through its work: the samples are indexed, one is asked about, its page is opened."""

import queue
from typing import TypeVar

import resources
from engine import config, paths
from engine.answer_events import AnswerFinished
from engine.commands import AskQuestion, Command, IngestFolders, LocatePassage, PrepareModels
from engine.events import Event, IngestFinished, ModelsReady, PassageLocated, TaskDone, TaskFailed
from engine.offline_proof.rehearsal import ProofStopped, Step
from engine.thread import EngineThread

LIBRARY = "样例"
QUESTION = "HT-300系列激光测距仪的防护等级是多少？"
PATIENCE_S = 900.0

_Event = TypeVar("_Event")


def rehearse(step: Step) -> None:
    """Start, index, ask, open; raises ProofStopped where one of them fails."""
    heard: queue.SimpleQueue[Event] = queue.SimpleQueue()
    engine = EngineThread(paths.home(), config.load(None), heard.put)
    engine.start()

    def do(command: Command, result: type[_Event]) -> _Event:
        engine.send(command)
        return _wait(heard, command.task_id, result)

    try:
        ready = do(PrepareModels(1), ModelsReady)
        step("proof_started", ready.chat_model or "")
        indexed = do(IngestFolders(2, (resources.path("samples"),), LIBRARY), IngestFinished)
        step("proof_indexed", str(len(indexed.files)))
        answer = do(AskQuestion(3, QUESTION, (LIBRARY,)), AnswerFinished).answer
        step("proof_asked", answer.model or "")
        row = (answer.citations or answer.hits)[0].row
        located = do(LocatePassage(4, LIBRARY, row), PassageLocated)
        step("proof_opened", f"{located.document}, {located.pages[0].number}")
    finally:
        engine.stop()


def _wait(heard: "queue.SimpleQueue[Event]", task: int, result: type[_Event]) -> _Event:
    """What a task had to say, once it has ended."""
    found: _Event | None = None
    while True:
        event = heard.get(timeout=PATIENCE_S)
        if event.task_id != task:
            continue
        if isinstance(event, result):
            found = event
        if isinstance(event, TaskFailed):
            raise ProofStopped(event.code)
        if isinstance(event, TaskDone):
            if found is None:
                raise ProofStopped(result.__name__)
            return found
