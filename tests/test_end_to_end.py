"""The main job with nothing faked: samples, parsing process, bge, the 0.5B model, and the marked page."""

import itertools
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.answer_events import AnswerFinished, AnswerText, SourcesFound
from engine.answers import Answer
from engine.commands import AskQuestion, IngestFolders, LocatePassage
from engine.config import Settings
from engine.events import Event, IngestFinished, Notice, PassageLocated, TaskDone, TaskFailed, TaskStopped
from engine.paths import home
from engine.thread import EngineThread
from tests.conftest import ROOT, SMALL_CHAT_MODEL

SAMPLES = ROOT / "resources" / "samples"
PATIENCE_S = 240.0

pytestmark = [pytest.mark.embedder, pytest.mark.chat_model, pytest.mark.timeout(600)]


class Session:
    """An engine thread and everything it said; one command after the other."""

    def __init__(self, model: str) -> None:
        self._said = threading.Condition()
        self._events: list[Event] = []
        self._ids = itertools.count(1)
        self.engine = EngineThread(home(), Settings(model=model), self._keep)
        self.engine.start()

    def _keep(self, event: Event) -> None:
        with self._said:
            self._events.append(event)
            self._said.notify_all()

    def do(self, command: type, *arguments: Any) -> list[Event]:
        """Send a command and wait for its end, which must be a good one."""
        task = next(self._ids)
        self.engine.send(command(task, *arguments))

        def mine() -> list[Event]:
            return [event for event in self._events if event.task_id == task]

        def is_over() -> bool:
            return any(isinstance(event, (TaskDone, TaskFailed, TaskStopped)) for event in mine())

        with self._said:
            assert self._said.wait_for(is_over, PATIENCE_S), "no end within the time allowed"
            assert mine()[-1] == TaskDone(task)
            return mine()

    def ask(self, question: str) -> tuple[Answer, list[Event]]:
        events = self.do(AskQuestion, question)
        # The small model cannot check before it answers, and the program says so once.
        assert {event.code for event in events if isinstance(event, Notice)} <= {"reading_off"}
        (finished,) = [event for event in events if isinstance(event, AnswerFinished)]
        return finished.answer, events


@pytest.fixture
def session(small_chat_model: str) -> Iterator[Session]:
    opened = Session(small_chat_model)
    yield opened
    assert opened.engine.stop(30)


def question(qid: str) -> dict[str, Any]:
    lines = (SAMPLES.parent / "sample_questions.jsonl").read_text(encoding="utf-8").splitlines()
    found: dict[str, Any] = next(item for item in map(json.loads, lines) if item["qid"] == qid)
    return found


def text_under(path: Path, number: int, rects: tuple[tuple[float, float, float, float], ...]) -> str:
    import pymupdf

    with pymupdf.open(path) as document:
        page = document[number - 1]
        return "".join("".join(page.get_textbox(pymupdf.Rect(rect)) for rect in rects).split())


def test_from_a_folder_to_the_marked_passage_and_a_refusal(session: Session) -> None:
    (ingested,) = [e for e in session.do(IngestFolders, (SAMPLES,), "示例") if isinstance(e, IngestFinished)]
    documents = {file.path: file.state.value for file in ingested.files}
    assert len(documents) >= 10
    assert set(documents.values()) == {"indexed"}
    assert ingested.chunks == ingested.embedded + ingested.reused > 0

    wanted = question("q02")
    answer, events = session.ask(wanted["question"])
    kinds = [type(event) for event in events]
    assert kinds.index(SourcesFound) < kinds.index(AnswerText) < kinds.index(AnswerFinished)
    assert not answer.refused
    assert answer.model == SMALL_CHAT_MODEL
    assert wanted["answers"][0] in answer.text
    citation = next(c for c in answer.citations if wanted["answers"][0] in c.quote)
    assert (citation.document, citation.page) == (wanted["document"], wanted["page"])

    spans = tuple((span.page, span.start, span.end) for span in citation.spans)
    events = session.do(LocatePassage, citation.library, citation.row, spans)
    (located,) = [event for event in events if isinstance(event, PassageLocated)]
    assert located.path == SAMPLES / wanted["document"]
    assert not located.changed
    page = located.pages[0]
    assert page.number == wanted["page"]
    assert page.rects and page.size is not None
    for x0, y0, x1, y1 in page.rects:
        assert 0 <= x0 < x1 <= page.size[0]
        assert 0 <= y0 < y1 <= page.size[1]
    assert wanted["answers"][0] in text_under(located.path, page.number, page.rects)

    absent = question("q03")
    answer, _ = session.ask(absent["question"])
    assert answer.refused
    assert answer.citations == ()
    assert answer.nearest
