"""What a person wants a knowledge base to be, and the commands that make it so."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from engine.commands import ChangeLibrary, ForgetFolder, MoveFolder
from engine.intake.chunking.profiles import ProfileName
from engine.standing import LibrarySummary

Change = ChangeLibrary | MoveFolder | ForgetFolder


@dataclass(frozen=True, slots=True)
class FolderWish:
    """``known`` is the folder's path so far (None: it is new), ``wanted`` where it is to be (None: gone)."""

    known: Path | None
    wanted: Path | None

    @property
    def is_change(self) -> bool:
        return self.known != self.wanted


@dataclass(frozen=True, slots=True)
class Wanted:
    """Everything that the dialog holds; ``include`` and ``exclude`` as in :class:`ChangeLibrary`."""

    name: str
    paused: bool
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    hidden: bool
    profile: ProfileName
    folders: tuple[FolderWish, ...]

    def folders_here(self) -> list[Path]:
        """Its folders on this machine: a pack that was taken in may have others."""
        wanted = [folder.wanted for folder in self.folders if folder.wanted is not None]
        return [path for path in wanted if path.is_absolute()]


def changes(known: LibrarySummary, wanted: Wanted, new_task: Callable[[], int]) -> list[Change]:
    """What has to be sent, in this order: what may be refused comes before what is deleted."""
    sent: list[Change] = []
    settings = ChangeLibrary(
        new_task(),
        known.name,
        None if wanted.name == known.name else wanted.name,
        None if wanted.paused == known.paused else wanted.paused,
        None if wanted.include == known.include else wanted.include,
        None if wanted.exclude == known.exclude else wanted.exclude,
        None if wanted.hidden == known.hidden else wanted.hidden,
    )
    if settings != ChangeLibrary(settings.task_id, known.name):
        sent.append(settings)
    for folder in wanted.folders:
        if folder.known is not None and folder.wanted is not None and folder.is_change:
            sent.append(MoveFolder(new_task(), wanted.name, folder.known, folder.wanted))
    for folder in wanted.folders:
        if folder.known is not None and folder.wanted is None:
            sent.append(ForgetFolder(new_task(), wanted.name, folder.known))
    return sent


def needs_sync(known: LibrarySummary, wanted: Wanted) -> bool:
    """Whether other files are to be read, or read otherwise."""
    is_same = (wanted.include, wanted.exclude, wanted.hidden, wanted.profile) == (
        known.include, known.exclude, known.hidden, known.profile,
    )  # fmt: skip
    return not is_same or any(folder.is_change for folder in wanted.folders)


def after(known: LibrarySummary, change: Change) -> LibrarySummary:
    """The knowledge base when one of the :func:`changes` is done; its folders are the dialog's to keep."""
    if not isinstance(change, ChangeLibrary):
        return known
    names = ("name", "paused", "include", "exclude", "hidden")
    given = {name: getattr(change, name) for name in names}
    return replace(known, **{name: value for name, value in given.items() if value is not None})
