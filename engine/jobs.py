"""From commands to work: each command becomes a generator of events that the engine thread steps through."""

import sqlite3
from collections.abc import Generator as StepsTo
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engine import commands, library_jobs, pack_jobs, pipeline
from engine.answer.generation import Generator
from engine.backup import back_up
from engine.cancel import CancelToken
from engine.errors import CodedError, LibraryDamaged, WrongUse
from engine.events import (
    AnswerFinished,
    Event,
    FilesListed,
    HealthChecked,
    IngestFinished,
    LibrariesListed,
    LibraryImported,
    ModelsReady,
    Notice,
)
from engine.health import checkup
from engine.health.checkup import Report
from engine.index import mending, outcome
from engine.index.database import is_read_only, storage_error
from engine.index.folders import offline
from engine.index.inspection import inspect
from engine.index.library import Library
from engine.intake.changes import Again
from engine.intake.scope import Scope
from engine.intake.selection import Selection, ensure_narrow
from engine.passages import locate
from engine.restore import restore
from engine.shelf import WriteLock
from engine.workspace import Workspace

Steps = Iterator[Event | None]

AT_ONCE, URGENT, SOON, BACKGROUND = -1, 0, 1, 10
"""Priorities: a look-up of one short step overtakes a running answer (a click on its evidence must not
wait for its end), a question overtakes loading models and removing, and those overtake indexing."""

_LOOK_UPS = (
    commands.ListLibraries,
    commands.ListFiles,
    commands.LocatePassage,
    commands.InspectDocument,
    commands.GivePassword,
)


_LONG = (
    commands.IngestFolders,
    commands.ExportLibrary,
    commands.ImportLibrary,
    commands.BackUp,
    commands.Restore,
)


def priority(command: commands.Command) -> int:
    """Smaller is sooner."""
    if isinstance(command, _LOOK_UPS):
        return AT_ONCE
    if isinstance(command, commands.AskQuestion):
        return URGENT
    return BACKGROUND if isinstance(command, _LONG) else SOON


def start(command: commands.Command, workspace: Workspace, token: CancelToken) -> Steps:
    """The generator that does what the command asks; StopTask is the thread's own business."""
    match command:
        case commands.IngestFolders():
            return ingest(command, workspace, token)
        case commands.ChangeLibrary():
            return library_jobs.change(command, workspace)
        case commands.MoveFolder():
            return library_jobs.move_folder(command, workspace)
        case commands.ForgetFolder():
            return library_jobs.forget_folder(command, workspace)
        case commands.AskQuestion():
            return ask(command, workspace, token)
        case commands.ListLibraries():
            return _list_libraries(command, workspace)
        case commands.ListFiles():
            return _list_files(command, workspace)
        case commands.InspectDocument():
            return _inspect(command, workspace)
        case commands.GivePassword():
            return _keep_password(command, workspace)
        case commands.RemoveLibrary():
            return _remove_library(command, workspace)
        case commands.ExportLibrary():
            return pack_jobs.export_library(command, workspace, token)
        case commands.ImportLibrary():
            return import_library(command, workspace, token)
        case commands.BackUp():
            return back_up(command, workspace, token)
        case commands.Restore():
            return restore(command, workspace, token)
        case commands.LocatePassage():
            return _locate(command, workspace)
        case commands.PrepareModels():
            return _prepare_models(command, workspace)
        case commands.CheckHealth():
            return _health(command.task_id, checkup.check(workspace, command.library))
        case commands.RepairLibraries():
            return _health(command.task_id, checkup.mend(workspace, command.library))
        case commands.StopTask():
            return iter(())


def ingest(command: commands.IngestFolders, workspace: Workspace, token: CancelToken) -> Steps:
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
            yield from pipeline.ingest(
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
        here = {folder for folder in library.folders().values() if folder.is_absolute()}
        if here <= set(folders) and not command.below and not offline(library):
            library.note_sync()
            with library.transaction():
                mending.end_expectation(library.db)


def import_library(command: commands.ImportLibrary, workspace: Workspace, token: CancelToken) -> Steps:
    """Take a pack in; then look for its documents in the folder that was named."""
    name = yield from pack_jobs.take_in(command, workspace, token)
    library = workspace.libraries.open(name)
    relinked, embedded = None, 0
    if command.relink is not None:
        unlinked = pack_jobs.unlinked(library)
        again = commands.IngestFolders(command.task_id, (command.relink,), name)
        for event in ingest(again, workspace, token):
            yield event
            if isinstance(event, IngestFinished):
                embedded = event.embedded
        relinked = unlinked - pack_jobs.unlinked(library)
    documents = sum(library.counts().values())
    yield LibraryImported(command.task_id, name, documents, library.chunk_count(), relinked, embedded)


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


def ask(command: commands.AskQuestion, workspace: Workspace, token: CancelToken) -> Steps:
    """Answer a question and keep the run; files are not read meanwhile."""
    with workspace.quiet():
        yield from _ask(command, workspace, token)


def _ask(command: commands.AskQuestion, workspace: Workspace, token: CancelToken) -> Steps:
    libraries = workspace.libraries.chosen(command.libraries)
    problems: list[CodedError] = []

    def load_generator() -> Generator | None:
        if not command.use_model:
            return None
        try:
            return workspace.generator()
        except CodedError as exc:  # the passages alone are still an answer
            problems.append(exc)
            return None

    embedder, others = workspace.question_embedders(libraries)
    for event in pipeline.ask(
        command.task_id,
        command.question,
        libraries,
        embedder=embedder,
        others=others,
        load_generator=load_generator,
        settings=workspace.settings,
        token=token,
    ):
        while problems:
            problem = problems.pop()
            yield Notice(command.task_id, problem.code, problem.params)
        if isinstance(event, AnswerFinished):
            error = workspace.keep_run(event.answer, libraries)
            if error is not None:
                yield Notice(command.task_id, "run_not_kept", error.params)
        yield event


def _list_libraries(command: commands.ListLibraries, workspace: Workspace) -> Steps:
    """Those that cannot be read are told of, and do not keep the others from being listed."""
    summaries, errors = library_jobs.summaries(workspace)
    for error in errors:
        yield Notice(command.task_id, error.code, error.params)
    for library in workspace.libraries.chosen(()):
        if is_read_only(library.db):
            yield Notice(command.task_id, "library_read_only", {"path": library.file})
    yield LibrariesListed(command.task_id, tuple(summaries))


def _list_files(command: commands.ListFiles, workspace: Workspace) -> Steps:
    files = workspace.libraries.open(command.library).files()
    yield FilesListed(command.task_id, command.library, tuple(file.report for file in files))


def _inspect(command: commands.InspectDocument, workspace: Workspace) -> Steps:
    yield inspect(workspace.libraries.open(command.library), command.document, command.task_id)


def _keep_password(command: commands.GivePassword, workspace: Workspace) -> Steps:
    if command.password and command.password not in workspace.passwords:
        workspace.passwords.append(command.password)
    yield None


def _remove_library(command: commands.RemoveLibrary, workspace: Workspace) -> Steps:
    workspace.remove_library(command.library)
    yield from _list_libraries(commands.ListLibraries(command.task_id), workspace)


def _locate(command: commands.LocatePassage, workspace: Workspace) -> Steps:
    yield locate(command, workspace.libraries.open(command.library), workspace.passwords)


def _prepare_models(command: commands.PrepareModels, workspace: Workspace) -> Steps:
    embedder = workspace.embedder()
    if workspace.embedder_error is not None:
        yield Notice(command.task_id, workspace.embedder_error.code, workspace.embedder_error.params)
    yield None
    model = None
    try:
        model = workspace.generator().model_id
    except CodedError as exc:
        yield Notice(command.task_id, exc.code, exc.params)
    yield ModelsReady(command.task_id, embedder.model_id if embedder else None, model)


def _health(task_id: int, steps: StepsTo[None, None, Report]) -> Steps:
    report = yield from steps
    yield HealthChecked(task_id, report.findings, report.libraries)


STORAGE_ERRORS = (sqlite3.DatabaseError, OSError)
"""What SQLite and the disk may raise in the middle of any job."""


def failure(error: Exception, workspace: Workspace) -> CodedError:
    """One of :data:`STORAGE_ERRORS` in its typed form; which library it was stands in the log."""
    found = storage_error(error, "")
    if isinstance(found, LibraryDamaged):
        return LibraryDamaged(path=str(workspace.home.libraries), detail=str(error))
    return found
