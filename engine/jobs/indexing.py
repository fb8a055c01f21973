"""The job that brings a library up to date with its folders."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engine import pipeline
from engine.cancel import CancelToken
from engine.commands import IngestFolders
from engine.errors import WrongUse
from engine.events import Event, Notice
from engine.index import mending, outcome
from engine.index.folders import offline
from engine.index.library import Library
from engine.ingest import power, processor_share
from engine.intake.changes import Again
from engine.intake.scope import Scope
from engine.intake.selection import Selection, ensure_narrow
from engine.shelf import WriteLock
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def ingest(command: IngestFolders, workspace: Workspace, token: CancelToken) -> Steps:
    """Index folders into a library that is created when it is new."""
    folders = tuple(folder.absolute() for folder in command.folders)
    for folder in folders:
        ensure_narrow(folder)  # before there is a library of that name
    library = workspace.libraries.for_writing(command.library or name_for(folders))
    again = Again(command.retry_failed, frozenset(command.retry), bool(workspace.passwords), command.deep)
    for notice in _about_folders(folders, library, workspace):
        yield Notice(command.task_id, *notice)
    with WriteLock(library), outcome.noted(library):
        if command.profile is not None:
            library.set_meta("profile", command.profile)
        settings = workspace.settings_of(library)
        scope = Scope(folders, command.below, Selection.of(library, workspace.home.root))
        with workspace.readers(settings) as reader:
            steps = pipeline.ingest(
                command.task_id,
                library,
                scope,
                reader=reader,
                embedder=workspace.embedder(),
                settings=settings,
                token=token,
                again=again,
                passwords=workspace.passwords,
            )
            cores = processor_share.cores_for(settings, is_quiet=command.is_quiet)
            steps = processor_share.within(steps, cores, reader)
            if settings.pause_on_battery:
                steps = power.telling(steps, command.task_id)
            yield from steps
        here = {folder for folder in library.folders().values() if folder.is_absolute()}
        if here <= set(folders) and not command.below and not offline(library):
            library.note_sync()
            with library.transaction():
                mending.end_expectation(library.db)


def name_for(folders: Sequence[Path]) -> str:
    """What a library of these folders is called when nobody says; raises WrongUse without a folder."""
    if not folders:
        raise WrongUse(detail="no folder")
    return folders[0].name or str(folders[0])


def _about_folders(
    folders: Sequence[Path], library: Library, workspace: Workspace
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What may surprise about folders that are new to the library: code and params of notices."""
    known = set(library.folders().values())
    others = [each for each in workspace.libraries.chosen(()) if each is not library]
    for folder in (folder for folder in folders if folder not in known):
        if folder == Path.home():
            yield "home_folder", {"path": str(folder)}
        for other in others:
            if any(folder.is_relative_to(each) for each in other.folders().values() if each.is_absolute()):
                yield "folder_in_another_library", {"path": str(folder), "name": other.name}
