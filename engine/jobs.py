"""From commands to work: each command becomes a generator of events that the engine thread steps through."""

import sqlite3
from collections.abc import Iterator

from engine import commands, pipeline, shelf
from engine.answer.generation import Generator
from engine.cancel import CancelToken
from engine.errors import CodedError
from engine.events import (
    AnswerFinished,
    Event,
    FilesListed,
    LibrariesListed,
    LibrarySummary,
    ModelsReady,
    Notice,
)
from engine.index.inspection import inspect
from engine.intake.changes import Again
from engine.passages import locate
from engine.shelf import WriteLock
from engine.workspace import EMBEDDER, Workspace

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


def priority(command: commands.Command) -> int:
    """Smaller is sooner."""
    if isinstance(command, _LOOK_UPS):
        return AT_ONCE
    if isinstance(command, commands.AskQuestion):
        return URGENT
    return BACKGROUND if isinstance(command, commands.IngestFolders) else SOON


def start(command: commands.Command, workspace: Workspace, token: CancelToken) -> Steps:
    """The generator that does what the command asks; StopTask is the thread's own business."""
    match command:
        case commands.IngestFolders():
            return ingest(command, workspace, token)
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
        case commands.LocatePassage():
            return _locate(command, workspace)
        case commands.PrepareModels():
            return _prepare_models(command, workspace)
        case commands.StopTask():
            return iter(())


def ingest(command: commands.IngestFolders, workspace: Workspace, token: CancelToken) -> Steps:
    """Index folders into a library that is created when it is new."""
    folders = [folder.absolute() for folder in command.folders]
    library = workspace.libraries.for_writing(command.library or folders[0].name or str(folders[0]))
    again = Again(command.retry_failed, frozenset(command.retry), bool(workspace.passwords))
    with WriteLock(library):
        if command.profile is not None:
            library.set_meta("profile", command.profile)
        settings = workspace.settings_of(library)
        with workspace.readers(settings) as reader:
            yield from pipeline.ingest(
                command.task_id,
                library,
                folders,
                reader=reader,
                embedder=workspace.embedder(),
                settings=settings,
                token=token,
                again=again,
                passwords=workspace.passwords,
            )
        if set(library.folders().values()) <= set(folders):
            library.note_sync()


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

    for event in pipeline.ask(
        command.task_id,
        command.question,
        libraries,
        embedder=workspace.embedder(),
        others=workspace.earlier_embedders.of(libraries, workspace.embedder()),
        load_generator=load_generator,
        settings=workspace.settings,
        token=token,
    ):
        while problems:
            problem = problems.pop()
            yield Notice(command.task_id, problem.code, problem.params)
        if isinstance(event, AnswerFinished):
            workspace.keep_run(event.answer, libraries)
        yield event


def _list_libraries(command: commands.ListLibraries, workspace: Workspace) -> Steps:
    names = workspace.libraries.names()
    yield LibrariesListed(command.task_id, tuple(summary(workspace, name) for name in names))


def summary(workspace: Workspace, name: str) -> LibrarySummary:
    """The figures of one library; raises what keeps it from being opened."""
    library = workspace.libraries.open(name)
    return LibrarySummary(
        library.name,
        tuple(str(folder) for folder in library.folders().values()),
        library.counts(),
        library.chunk_count(),
        library.size_bytes(),
        library.meta("model", EMBEDDER),
        library.last_sync(),
        workspace.settings_of(library).profile,
        shelf.is_busy(library),
        library.is_paused,
    )


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


STORAGE_ERRORS = (sqlite3.DatabaseError, OSError)
"""What SQLite and the disk may raise in the middle of any job."""
