"""The jobs that list libraries and their files, and change what a library is: its name, folders, choices."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine import summaries
from engine.commands import (
    ChangeLibrary,
    ForgetFolder,
    ListFiles,
    ListLibraries,
    MoveFolder,
    RemoveLibrary,
)
from engine.errors import NotReadable, WrongUse
from engine.events import Event, FilesListed, LibrariesListed, Notice
from engine.index import folders, particulars
from engine.index.database import is_read_only
from engine.index.library import Library
from engine.intake.selection import Selection, ensure_narrow
from engine.shelf import WriteLock
from engine.workspace import Workspace

Steps = Iterator[Event | None]


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
        library.save_store()
        particulars.note(library)


def _folder_id(library: Library, folder: Path) -> int:
    for folder_id, known in library.folders().items():
        if known == folder:
            return folder_id
    raise NotReadable(path=str(folder))


def list_all(command: ListLibraries, workspace: Workspace) -> Steps:
    """Those that cannot be read are told of, and do not keep the others from being listed."""
    found, errors = summaries.of_all(workspace)
    for error in errors:
        yield Notice(command.task_id, error.code, error.params)
    for library in workspace.libraries.chosen(()):
        if is_read_only(library.db):
            yield Notice(command.task_id, "library_read_only", {"path": library.file})
    yield LibrariesListed(command.task_id, tuple(found))


def list_files(command: ListFiles, workspace: Workspace) -> Steps:
    files = workspace.libraries.open(command.library).files()
    reports = (replace(file.report, indexed_at=file.compared_at) for file in files)
    yield FilesListed(command.task_id, command.library, tuple(reports))


def remove(command: RemoveLibrary, workspace: Workspace) -> Steps:
    workspace.remove_library(command.library)
    yield from list_all(ListLibraries(command.task_id), workspace)
