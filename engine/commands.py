"""Messages to the engine thread. Frozen and plain: no Qt, NumPy, handles or callbacks.

``task_id`` is chosen by the sender; every event that belongs to the task carries it.
"""

from dataclasses import dataclass, field
from pathlib import Path

from engine.answers import Answer
from engine.document_filter import DocumentFilter
from engine.exporting import ExportFormat
from engine.history.records import Rating
from engine.intake.chunking.profiles import ProfileName
from engine.model_files.commands import ModelCommand
from engine.privacy.messages import PrivacyCommand
from engine.self_test.messages import SelfTestCommand
from engine.settings.commands import SettingCommand
from engine.wording import Language


@dataclass(frozen=True, slots=True)
class IngestFolders:
    """Index folders (or single files) into a library; ``library`` None takes the first folder's name.

    ``retry_failed`` reads every file again that could not be read; ``retry`` names documents that are read
    again whatever their state. ``profile`` is how the library is cut from now on; None: as before.
    ``below``: only what lies in these folders inside ``folders`` is looked at; none: all of it. ``deep``
    compares the bytes of files whose size and time have not changed, too. ``is_quiet``: nobody asked for it,
    so that it takes less of the processor.
    """

    task_id: int
    folders: tuple[Path, ...]
    library: str | None = None
    retry_failed: bool = False
    retry: tuple[str, ...] = ()
    profile: ProfileName | None = None
    below: tuple[Path, ...] = ()
    deep: bool = False
    is_quiet: bool = False


@dataclass(frozen=True, slots=True)
class ChangeLibrary:
    """Give a library another name, pause or resume it, choose which of its folders' files are read.

    None leaves something as it is. ``include`` and ``exclude`` are patterns as in .gitignore; ``hidden``
    takes in hidden files. What the patterns change is done by the next IngestFolders.
    """

    task_id: int
    library: str
    name: str | None = None
    paused: bool | None = None
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    hidden: bool | None = None


@dataclass(frozen=True, slots=True)
class MoveFolder:
    """A folder of a library lies somewhere else now; its documents keep what was indexed of them."""

    task_id: int
    library: str
    folder: Path
    now_at: Path


@dataclass(frozen=True, slots=True)
class ForgetFolder:
    """Take a folder out of a library with what was indexed of it; the documents are not touched."""

    task_id: int
    library: str
    folder: Path


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """Answer a question from the libraries (none named: all of them); ``use_model`` False: passages only.

    ``previous`` are the questions before it in a conversation, each as it was understood; ``chosen``
    restricts it to some documents. With a ``thread`` it belongs to that conversation, whose questions are the
    previous ones where none are given. ``replaces`` is a run that was edited, or is to be answered again: the
    new one takes its place and that of the runs after it.
    """

    task_id: int
    question: str
    libraries: tuple[str, ...] = ()
    use_model: bool = True
    previous: tuple[str, ...] = ()
    chosen: DocumentFilter = field(default_factory=DocumentFilter)
    thread: int | None = None
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class CheckDraft:
    """Check every sentence of a text against the libraries (none named: all of them), as answers are checked.

    ``chosen`` restricts it to some documents.
    """

    task_id: int
    text: str
    libraries: tuple[str, ...] = ()
    chosen: DocumentFilter = field(default_factory=DocumentFilter)


@dataclass(frozen=True, slots=True)
class ReadDraft:
    """The text of a file that is to be checked, whatever encoding it has."""

    task_id: int
    path: Path


@dataclass(frozen=True, slots=True)
class ListLibraries:
    task_id: int


@dataclass(frozen=True, slots=True)
class ListFiles:
    """All files of a library with their states."""

    task_id: int
    library: str


@dataclass(frozen=True, slots=True)
class InspectDocument:
    """Everything that is stored of one document: pages, chunks, what was left out."""

    task_id: int
    library: str
    document: str


@dataclass(frozen=True, slots=True)
class GivePassword:
    """Keep a password in memory until the program ends; encrypted files are tried with it from now on.

    Files that wait for a password are read again by the next IngestFolders.
    """

    task_id: int
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RemoveLibrary:
    task_id: int
    library: str


@dataclass(frozen=True, slots=True)
class ExportLibrary:
    """Write a library to ``file``, a pack that another machine can take in; one that is there is replaced."""

    task_id: int
    library: str
    file: Path


@dataclass(frozen=True, slots=True)
class ImportLibrary:
    """Take a pack in as a new library; ``library`` None: under its own name, with a number where it is taken.

    ``relink`` is a folder whose files belong to it now: those that the pack knows, by their content, keep
    what was indexed of them.
    """

    task_id: int
    file: Path
    library: str | None = None
    relink: Path | None = None


@dataclass(frozen=True, slots=True)
class BackUp:
    """Copy all libraries and saved runs into a new folder inside ``folder``."""

    task_id: int
    folder: Path


@dataclass(frozen=True, slots=True)
class Restore:
    """Put the libraries and runs of a backup into this home; ``folder`` is as for BackUp, or one backup."""

    task_id: int
    folder: Path


@dataclass(frozen=True, slots=True)
class LocatePassage:
    """Where a passage stands on its page: ``row`` is the chunk's row id.

    ``spans`` (``(page, start, end)``) mark something narrower than the whole chunk, a quote for example.
    """

    task_id: int
    library: str
    row: int
    spans: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadPages:
    """The stored pages of the document that the chunk ``row`` belongs to; no ``numbers``: all of them."""

    task_id: int
    library: str
    row: int
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FindInDocument:
    """Every place of ``words`` in the document that the chunk ``row`` belongs to."""

    task_id: int
    library: str
    row: int
    words: str


@dataclass(frozen=True, slots=True)
class PrepareModels:
    """Load embedder and chat model now, so that the first question does not wait for them."""

    task_id: int


@dataclass(frozen=True, slots=True)
class CheckHealth:
    """Look through a library, or through all of them and this machine."""

    task_id: int
    library: str | None = None


@dataclass(frozen=True, slots=True)
class RepairLibraries:
    """Check, put right what can be, and check again; nothing is embedded for it and nothing thrown away."""

    task_id: int
    library: str | None = None


@dataclass(frozen=True, slots=True)
class ListThreads:
    """The conversations, pinned ones first, then the latest: those that say ``search``, at most ``limit``."""

    task_id: int
    search: str = ""
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ShowThread:
    """A conversation with its answers; ``with_superseded``: also those that another one replaced."""

    task_id: int
    thread: int
    with_superseded: bool = False


@dataclass(frozen=True, slots=True)
class ChangeThread:
    """Rename or pin a conversation; None leaves something as it is, a blank title is its first question."""

    task_id: int
    thread: int
    title: str | None = None
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class DeleteThread:
    task_id: int
    thread: int


@dataclass(frozen=True, slots=True)
class DeleteRun:
    task_id: int
    run: int


@dataclass(frozen=True, slots=True)
class ClearHistory:
    """Forget all runs and conversations; nothing of them is left on disk."""

    task_id: int


@dataclass(frozen=True, slots=True)
class RateAnswer:
    """Keep what a person thinks of an answer, on this machine; None takes it back."""

    task_id: int
    run: int
    rating: Rating | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ExportAnswers:
    """Write one ``run``, a whole ``thread`` or the ``answers`` given into ``file``, with footnotes.

    ``answers`` is for those that were not kept; ``language`` is that of the words around them.
    """

    task_id: int
    file: Path
    format: ExportFormat
    run: int | None = None
    thread: int | None = None
    answers: tuple[Answer, ...] = ()
    language: Language = "zh"


@dataclass(frozen=True, slots=True)
class StopTask:
    """Stop the task with this id; it ends with TaskStopped."""

    task_id: int


Command = (
    IngestFolders
    | ChangeLibrary
    | MoveFolder
    | ForgetFolder
    | AskQuestion
    | CheckDraft
    | ReadDraft
    | ListLibraries
    | ListFiles
    | InspectDocument
    | GivePassword
    | RemoveLibrary
    | ExportLibrary
    | ImportLibrary
    | BackUp
    | Restore
    | LocatePassage
    | ReadPages
    | FindInDocument
    | PrepareModels
    | CheckHealth
    | RepairLibraries
    | ListThreads
    | ShowThread
    | ChangeThread
    | DeleteThread
    | DeleteRun
    | ClearHistory
    | RateAnswer
    | ExportAnswers
    | ModelCommand
    | SettingCommand
    | SelfTestCommand
    | PrivacyCommand
    | StopTask
)
