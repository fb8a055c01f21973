"""Messages about self-test questions, to the engine and from it; they are among
:data:`engine.commands.Command` and :data:`engine.events.Event`."""

from dataclasses import dataclass
from pathlib import Path

from engine.documents import SearchHit
from engine.self_test.records import RunReport, SelfTestQuestion


@dataclass(frozen=True, slots=True)
class ListSelfTest:
    """The self-test questions of a library and its last run."""

    task_id: int
    library: str


@dataclass(frozen=True, slots=True)
class KeepSelfTestQuestion:
    """Add a question to those of a library, or change the one with this ``id``.

    ``passage`` is the right one, ``absent``: the documents do not hold the answer. With neither, the mark
    that it has stays. A question that is there already, word for word, gets the new mark.
    """

    task_id: int
    library: str
    question: str
    passage: SearchHit | None = None
    absent: bool = False
    id: int | None = None


@dataclass(frozen=True, slots=True)
class RemoveSelfTestQuestions:
    task_id: int
    library: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FindSelfTestPassages:
    """The passages of a library that these words find, for marking; nothing is kept of it."""

    task_id: int
    library: str
    words: str


@dataclass(frozen=True, slots=True)
class AddThreadToSelfTest:
    """Add the questions of a conversation, unmarked, each to the library that its answer quotes most."""

    task_id: int
    thread: int


@dataclass(frozen=True, slots=True)
class RunSelfTest:
    """Ask every marked question of a library; ``answers``: with the chat model, else search and gate only."""

    task_id: int
    library: str
    answers: bool = False


@dataclass(frozen=True, slots=True)
class ExportSelfTest:
    """Write ``corpus.jsonl`` and ``questions.jsonl``, as ``zhiye eval`` reads them, into ``folder``."""

    task_id: int
    library: str
    folder: Path


SelfTestCommand = (
    ListSelfTest
    | KeepSelfTestQuestion
    | RemoveSelfTestQuestions
    | FindSelfTestPassages
    | AddThreadToSelfTest
    | RunSelfTest
    | ExportSelfTest
)


@dataclass(frozen=True, slots=True)
class SelfTestListed:
    """The questions as they are now, the oldest first; ``latest`` is the last run, None: there was none."""

    task_id: int
    library: str
    questions: tuple[SelfTestQuestion, ...]
    latest: RunReport | None = None


@dataclass(frozen=True, slots=True)
class SelfTestAdded:
    """So many questions of a conversation were added; those that were there already are not counted."""

    task_id: int
    added: int


@dataclass(frozen=True, slots=True)
class SelfTestExported:
    task_id: int
    folder: Path
    questions: int


SelfTestEvent = SelfTestListed | SelfTestAdded | SelfTestExported
