"""Messages from the engine. Frozen and plain; each carries the id of the task it belongs to.

Those of questions, drafts and conversations are in :mod:`engine.answer_events`, those of model files in
:mod:`engine.model_files.events`, those of settings in :mod:`engine.settings.events`.
Every task ends with exactly one of :class:`TaskDone`, :class:`TaskStopped` or :class:`TaskFailed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.answer_events import (
    AnswerFinished,
    AnswersExported,
    AnswerText,
    DraftChecked,
    DraftRead,
    PromptMade,
    PromptProgress,
    RunKept,
    SourcesFound,
    SurveyRow,
    ThreadShown,
    ThreadsListed,
)
from engine.documents import Chunk, Dropped, FileState, Page, Reason
from engine.model_files.events import ModelEvent
from engine.privacy.messages import PrivacyEvent
from engine.self_test.messages import SelfTestEvent
from engine.settings.events import SettingEvent
from engine.standing import Finding, LibraryHealth, LibrarySummary


@dataclass(frozen=True, slots=True)
class TaskStarted:
    task_id: int


@dataclass(frozen=True, slots=True)
class TaskDone:
    task_id: int


@dataclass(frozen=True, slots=True)
class TaskStopped:
    task_id: int


@dataclass(frozen=True, slots=True)
class TaskFailed:
    """``code`` and ``params`` of the typed error (words in ``resources/messages``)."""

    task_id: int
    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    retryable: bool = False


@dataclass(frozen=True, slots=True)
class ScanFinished:
    """``total`` files will be looked at for ``library``."""

    task_id: int
    library: str
    total: int


@dataclass(frozen=True, slots=True)
class FileStarted:
    task_id: int
    path: str


@dataclass(frozen=True, slots=True)
class FileProgress:
    """Within one file: pages read so far, chunks embedded so far of those known so far."""

    task_id: int
    path: str
    pages: int
    chunks_done: int
    chunks: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file as it stands: relative path with ``/``, state, why, and what was read.

    ``recognisable`` are pages whose text OCR may still find. ``indexed_at`` is when it was last read or
    found to be as it was, ISO 8601 in UTC; None where that is not told.
    """

    path: str
    state: FileState
    reason: Reason | None = None
    pages: int = 0
    chunks: int = 0
    missing_pages: tuple[int, ...] = ()
    from_ocr: tuple[int, ...] = ()
    encoding: str | None = None
    recognisable: tuple[int, ...] = ()
    indexed_at: str | None = None


@dataclass(frozen=True, slots=True)
class FileFinished:
    """``done`` of ``total`` files have reached their state."""

    task_id: int
    file: FileReport
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IngestFinished:
    """The figures of ``zhiye ingest``: counts by state, chunks in the library, vectors made or reused."""

    task_id: int
    library: str
    files: tuple[FileReport, ...]
    counts: Mapping[str, int]
    chunks: int
    embedded: int
    reused: int
    removed: int
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LibrariesListed:
    task_id: int
    libraries: tuple[LibrarySummary, ...]


@dataclass(frozen=True, slots=True)
class FilesListed:
    task_id: int
    library: str
    files: tuple[FileReport, ...]


@dataclass(frozen=True, slots=True)
class DocumentInspected:
    """One document as it is stored: its pages, its chunks in order, and what was left out of them."""

    task_id: int
    library: str
    report: FileReport
    title: str
    path: Path | None
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...]
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True)
class OcrProgress:
    """OCR has read ``done`` of the ``total`` pages that are pictures, in all files; ``path`` is in work."""

    task_id: int
    path: str
    done: int
    total: int


TEAM_STORE_ON = "team_store_on"
"""Code of the notice that comes with every answer and every sync of a library that is shared on a server."""


@dataclass(frozen=True, slots=True)
class OnBattery:
    """The machine runs on its battery, the settings say that long indexing waits then, and this is long.

    It goes on unless it is stopped; said again every few seconds.
    """

    task_id: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something people should know although the work goes on (code and params as in errors)."""

    task_id: int
    code: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with something to mark.

    ``rects`` are (x0, y0, x1, y1) in points of the page as displayed, origin top left; empty for text
    formats, where ``spans`` of ``text`` are marked instead. ``confidence`` (0 to 1) is that of OCR, None for
    a page that has text of its own. ``passage_spans`` and ``passage_rects`` are those of the whole passage
    around them, where only a part of it was asked for; a page may hold nothing else.
    """

    number: int
    label: str | None
    text: str
    spans: tuple[tuple[int, int], ...]
    size: tuple[float, float] | None = None
    rects: tuple[tuple[float, float, float, float], ...] = ()
    confidence: float | None = None
    passage_spans: tuple[tuple[int, int], ...] = ()
    passage_rects: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class PassageLocated:
    """Everything the reader needs: file, kind, and the marked pages in order (the first that has ``spans`` is
    shown).

    ``changed`` says that the file on disk is gone or is not the one that was indexed. ``passwords`` may open
    it. ``from_ocr`` are the numbers of all pages of the document that OCR has read.
    """

    task_id: int
    library: str
    document: str
    path: Path | None
    kind: str
    title: str
    pages: tuple[MarkedPage, ...]
    changed: bool = False
    passwords: tuple[str, ...] = field(default=(), repr=False)
    from_ocr: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PagesRead:
    """Stored pages in order, with the headings that stand on them; ``row`` is that of the command."""

    task_id: int
    row: int
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place of words that were looked for: ``[start, end)`` on page ``page`` (from 1), ``rects`` as in
    :class:`MarkedPage`."""

    page: int
    start: int
    end: int
    rects: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentSearched:
    """All places in order; ``is_cut`` says that there are more of them."""

    task_id: int
    occurrences: tuple[Occurrence, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class StepProgress:
    """``done`` of ``total`` parts of a long task; ``code`` has the words for it."""

    task_id: int
    code: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class LibraryExported:
    """``size`` is that of the pack, in bytes."""

    task_id: int
    library: str
    file: Path
    size: int
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class LibraryImported:
    """``library`` is the name that it has here.

    ``relinked`` documents were found in the folder that was given (None: none was), ``embedded`` passages
    needed a vector because of what else lies there.
    """

    task_id: int
    library: str
    documents: int
    chunks: int
    relinked: int | None
    embedded: int


@dataclass(frozen=True, slots=True)
class BackedUp:
    """``folder`` is the new backup, ``left_out`` are the ids of libraries too damaged to be copied."""

    task_id: int
    folder: Path
    libraries: tuple[str, ...]
    size: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restored:
    """``folder`` is the backup that was taken, ``runs`` counts those that were not here, ``kept_aside`` holds
    the damaged libraries that were replaced."""

    task_id: int
    folder: Path
    libraries: tuple[str, ...]
    runs: int
    kept_aside: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class ModelsReady:
    """What can be used now; None where a model is missing (its error came as a Notice)."""

    task_id: int
    embedder: str | None
    chat_model: str | None


@dataclass(frozen=True, slots=True)
class HealthChecked:
    """What was found, the libraries first, and how each library stands."""

    task_id: int
    findings: tuple[Finding, ...]
    libraries: tuple[LibraryHealth, ...]


Event = (
    TaskStarted
    | TaskDone
    | TaskStopped
    | TaskFailed
    | ScanFinished
    | FileStarted
    | FileProgress
    | FileFinished
    | IngestFinished
    | LibrariesListed
    | FilesListed
    | DocumentInspected
    | OcrProgress
    | OnBattery
    | Notice
    | SourcesFound
    | PromptMade
    | PromptProgress
    | AnswerText
    | SurveyRow
    | AnswerFinished
    | DraftRead
    | DraftChecked
    | RunKept
    | ThreadsListed
    | ThreadShown
    | AnswersExported
    | PassageLocated
    | PagesRead
    | DocumentSearched
    | StepProgress
    | LibraryExported
    | LibraryImported
    | BackedUp
    | Restored
    | ModelsReady
    | ModelEvent
    | SettingEvent
    | HealthChecked
    | SelfTestEvent
    | PrivacyEvent
)
