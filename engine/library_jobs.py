"""Jobs that change what a library is: its name, its folders, which of their files are read."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from engine import shelf, team
from engine.commands import ChangeLibrary, ForgetFolder, MoveFolder
from engine.errors import CodedError, NotReadable, WrongUse
from engine.events import Event, LibrarySummary
from engine.index import folders, outcome, particulars
from engine.index.database import storage_error
from engine.index.library import Library
from engine.intake.selection import Selection, ensure_narrow
from engine.shelf import WriteLock
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def summary(workspace: Workspace, name: str) -> LibrarySummary:
    """The figures of one library; raises what keeps it from being opened."""
    library = workspace.libraries.open(name)
    selection = Selection.of(library)
    return LibrarySummary(
        library.name,
        tuple(str(folder) for folder in library.folders().values()),
        library.counts(),
        library.chunk_count(),
        library.size_bytes(),
        library.meta("model") or None,
        library.last_sync(),
        workspace.settings_of(library).profile,
        shelf.is_busy(library),
        library.is_paused,
        tuple(map(str, folders.offline(library))),
        selection.include,
        selection.exclude,
        selection.hidden,
        library.generation,
        outcome.last_error(library),
        team.server_of(library),
    )


def summaries(workspace: Workspace) -> tuple[list[LibrarySummary], list[CodedError]]:
    """The figures of all libraries that can be read, and why others cannot."""
    found, errors = [], []
    for library in workspace.libraries.chosen(()):
        try:
            found.append(summary(workspace, library.name))
        except sqlite3.DatabaseError as exc:
            errors.append(storage_error(exc, library.file))
    return found, [*errors, *workspace.libraries.damaged.values()]


def change(command: ChangeLibrary, workspace: Workspace) -> Steps:
    """Raises as :meth:`Libraries.rename`, and PatternInvalid; what comes before the failure has changed."""
    library = workspace.libraries.open(command.library)
    known = Selection.of(library)
    wanted = Selection(
        known.include if command.include is None else command.include,
        known.exclude if command.exclude is None else command.exclude,
        known.hidden if command.hidden is None else command.hidden,
    )
    wanted.keep(library)
    if command.paused is not None:
        library.set_paused(command.paused)
    if command.name is not None and command.name != library.name:
        workspace.libraries.rename(command.library, command.name)
    particulars.note(library)
    yield None


def move_folder(command: MoveFolder, workspace: Workspace) -> Steps:
    """Nothing is read for it.

    Raises:
        NotReadable: the new place is not there, or the library has no such folder.
        FolderTooBroad: the new place is a whole disk.
        WrongUse: it is another folder of the library.
    """
    library = workspace.libraries.open(command.library)
    now_at = Path(os.path.abspath(command.now_at))  # noqa: PTH100 - resolve() would follow links
    ensure_narrow(now_at)
    if not now_at.exists():
        raise NotReadable(path=str(now_at))
    with WriteLock(library):
        folder_id = _folder_id(library, command.folder)
        if now_at in library.folders().values():
            raise WrongUse(detail=str(now_at))
        folders.relocate(library, folder_id, now_at)
        particulars.note(library)
    yield None


def forget_folder(command: ForgetFolder, workspace: Workspace) -> Steps:
    """Forget a folder, file by file; raises NotReadable: the library has no such folder."""
    library = workspace.libraries.open(command.library)
    with WriteLock(library):
        folder_id = _folder_id(library, command.folder)
        for file in library.files(folder_id):
            library.remove_file(folder_id, file.path)
            yield None
        folders.drop(library, folder_id)
        yield from library.cleaning(thoroughly=True)
        library.checkpoint()
        particulars.note(library)


def _folder_id(library: Library, folder: Path) -> int:
    for folder_id, known in library.folders().items():
        if known == folder:
            return folder_id
    raise NotReadable(path=str(folder))
