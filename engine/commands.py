"""Messages to the engine thread. Frozen and plain: no Qt, NumPy, handles or callbacks.

``task_id`` is chosen by the sender; every event that belongs to the task carries it.
"""

from dataclasses import dataclass, field
from pathlib import Path

from engine.intake.chunking.profiles import ProfileName


@dataclass(frozen=True, slots=True)
class IngestFolders:
    """Index folders (or single files) into a library; ``library`` None takes the first folder's name.

    ``retry_failed`` reads every file again that could not be read; ``retry`` names documents that are read
    again whatever their state. ``profile`` is how the library is cut from now on; None: as before.
    """

    task_id: int
    folders: tuple[Path, ...]
    library: str | None = None
    retry_failed: bool = False
    retry: tuple[str, ...] = ()
    profile: ProfileName | None = None


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """Answer a question from the libraries (none named: all of them); ``use_model`` False: passages only."""

    task_id: int
    question: str
    libraries: tuple[str, ...] = ()
    use_model: bool = True


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
class LocatePassage:
    """Where a passage stands on its page: ``row`` is the chunk's row id.

    ``spans`` (``(page, start, end)``) mark something narrower than the whole chunk, a quote for example.
    """

    task_id: int
    library: str
    row: int
    spans: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PrepareModels:
    """Load embedder and chat model now, so that the first question does not wait for them."""

    task_id: int


@dataclass(frozen=True, slots=True)
class StopTask:
    """Stop the task with this id; it ends with TaskStopped."""

    task_id: int


Command = (
    IngestFolders
    | AskQuestion
    | ListLibraries
    | ListFiles
    | InspectDocument
    | GivePassword
    | RemoveLibrary
    | LocatePassage
    | PrepareModels
    | StopTask
)
