"""Messages of questions, drafts and kept conversations; they are among :data:`engine.events.Event`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.answers import Answer, CheckedDraft, Citation, Gate, TableRow
from engine.documents import SearchHit
from engine.history.records import ThreadSummary, Turn


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """The passages found, before the model says anything."""

    task_id: int
    hits: tuple[SearchHit, ...]
    gate: Gate | None = None


@dataclass(frozen=True, slots=True)
class PromptMade:
    """What the model is given: the prompt file's name, the messages word for word, model and seed."""

    task_id: int
    name: str
    messages: tuple[Mapping[str, str], ...]
    model: str
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """The model has read ``done`` of ``total`` prompt tokens."""

    task_id: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class AnswerText:
    """A piece of the answer as it is written; whole characters only."""

    task_id: int
    text: str


@dataclass(frozen=True, slots=True)
class SurveyRow:
    """A question about all documents has found something in one; StepProgress tells how many are read.

    The row's citation number is 1; the finished answer's table has all rows in their order, numbered.
    """

    task_id: int
    row: TableRow
    citation: Citation


@dataclass(frozen=True, slots=True)
class AnswerFinished:
    """The checked answer; it replaces what was streamed.

    ``run`` and ``thread`` say where it was kept, None: it was not. ``can_ask_again``: documents are still
    being read, so that the same question may find more later.
    """

    task_id: int
    answer: Answer
    run: int | None = None
    thread: int | None = None
    can_ask_again: bool = False


@dataclass(frozen=True, slots=True)
class DraftRead:
    """The text of a draft's file."""

    task_id: int
    text: str


@dataclass(frozen=True, slots=True)
class DraftChecked:
    """A draft with the verdicts of its sentences; StepProgress counted them on the way."""

    task_id: int
    checked: CheckedDraft


@dataclass(frozen=True, slots=True)
class RunKept:
    """A question that was stopped was kept with the text so far; TaskStopped follows."""

    task_id: int
    run: int
    thread: int


@dataclass(frozen=True, slots=True)
class ThreadsListed:
    """``total`` counts all conversations, also those that were not asked for."""

    task_id: int
    threads: tuple[ThreadSummary, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ThreadShown:
    task_id: int
    thread: ThreadSummary
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class AnswersExported:
    task_id: int
    file: Path
    answers: int
