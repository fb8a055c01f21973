"""From commands to work: each command becomes a generator of events that the engine thread steps through."""

import sqlite3
from collections.abc import Generator, Iterator

from engine import commands
from engine.backup import making, restoring
from engine.cancel import CancelToken
from engine.errors import CodedError, LibraryDamaged
from engine.events import Event, HealthChecked
from engine.health import checkup
from engine.health.checkup import Report
from engine.index.database import storage_error
from engine.index.inspection import inspect
from engine.jobs import history, libraries, models, packs, privacy, self_test, settings
from engine.jobs.answering import ask, prepare_models
from engine.jobs.checking import check_draft, read_draft
from engine.jobs.indexing import ingest
from engine.model_files.commands import (
    ChooseModel,
    DownloadModel,
    ImportModel,
    ListModels,
    MeasureModel,
    RemoveModel,
    RestChatModel,
    VerifyModel,
)
from engine.privacy.messages import MoveHome, PrivacyCommand, ProveOffline, ReadPrivacy
from engine.reader import document_text
from engine.reader.passages import locate
from engine.self_test import messages
from engine.settings.commands import ChangeSettings, ReadSettings, ResetSettings
from engine.workspace import Workspace

Steps = Iterator[Event | None]

AT_ONCE, URGENT, SOON, BACKGROUND = -1, 0, 1, 10
"""Priorities: a look-up of one short step overtakes a running answer (a click on its evidence must not
wait for its end), a question overtakes loading models and removing, and those overtake indexing."""

_LOOK_UPS = (
    commands.ListLibraries,
    ListModels,
    commands.ListFiles,
    commands.LocatePassage,
    commands.ReadPages,
    commands.FindInDocument,
    commands.InspectDocument,
    commands.GivePassword,
    commands.ReadDraft,
    commands.ListThreads,
    commands.ShowThread,
    commands.RateAnswer,
    commands.ChangeThread,
    messages.ListSelfTest,
    messages.KeepSelfTestQuestion,
    ReadSettings,
    ReadPrivacy,
)


_LONG = (
    commands.IngestFolders,
    commands.ExportLibrary,
    commands.ImportLibrary,
    commands.BackUp,
    commands.Restore,
    messages.RunSelfTest,
    messages.ExportSelfTest,
    MoveHome,
    ProveOffline,
)


def priority(command: commands.Command) -> int:
    """Smaller is sooner."""
    if isinstance(command, _LOOK_UPS):
        return AT_ONCE
    if isinstance(command, commands.AskQuestion | messages.FindSelfTestPassages):
        return URGENT
    return BACKGROUND if isinstance(command, _LONG) else SOON


def start(command: commands.Command, workspace: Workspace, token: CancelToken) -> Steps:
    """The generator that does what the command asks; StopTask is the thread's own business."""
    if isinstance(command, PrivacyCommand):
        return privacy.start(command, workspace, token)
    if isinstance(command, messages.SelfTestCommand):
        return self_test.start(command, workspace, token)
    match command:
        case commands.IngestFolders():
            return ingest(command, workspace, token)
        case commands.ChangeLibrary():
            return libraries.change(command, workspace)
        case commands.MoveFolder():
            return libraries.move_folder(command, workspace)
        case commands.ForgetFolder():
            return libraries.forget_folder(command, workspace)
        case commands.AskQuestion():
            return ask(command, workspace, token)
        case commands.CheckDraft():
            return check_draft(command, workspace, token)
        case commands.ReadDraft():
            return read_draft(command)
        case commands.ListLibraries():
            return libraries.list_all(command, workspace)
        case commands.ListFiles():
            return libraries.list_files(command, workspace)
        case commands.InspectDocument():
            return _inspect(command, workspace)
        case commands.GivePassword():
            return _keep_password(command, workspace)
        case commands.RemoveLibrary():
            return libraries.remove(command, workspace)
        case commands.ExportLibrary():
            return packs.export_library(command, workspace, token)
        case commands.ImportLibrary():
            return packs.import_library(command, workspace, token)
        case commands.BackUp():
            return making.back_up(command, workspace, token)
        case commands.Restore():
            return restoring.restore(command, workspace, token)
        case commands.LocatePassage():
            return _locate(command, workspace)
        case commands.ReadPages() | commands.FindInDocument():
            return _look_into(command, workspace)
        case commands.PrepareModels():
            return prepare_models(command, workspace)
        case commands.CheckHealth():
            return _health(command.task_id, checkup.check(workspace, command.library))
        case commands.RepairLibraries():
            return _health(command.task_id, checkup.mend(workspace, command.library))
        case commands.ListThreads():
            return history.list_threads(command, workspace)
        case commands.ShowThread():
            return history.show(command, workspace)
        case commands.ChangeThread():
            return history.change(command, workspace)
        case commands.DeleteThread():
            return history.delete_thread(command, workspace)
        case commands.DeleteRun():
            return history.delete_run(command, workspace)
        case commands.ClearHistory():
            return history.clear(command, workspace)
        case commands.RateAnswer():
            return history.rate(command, workspace)
        case commands.ExportAnswers():
            return history.export(command, workspace)
        case ReadSettings():
            return settings.read(command, workspace)
        case ChangeSettings() | ResetSettings():
            return settings.change(command, workspace)
        case ListModels():
            return models.list_models(command, workspace)
        case ChooseModel():
            return models.choose(command, workspace)
        case RemoveModel():
            return models.remove(command, workspace)
        case MeasureModel():
            return models.measure(command, workspace, token)
        case RestChatModel():
            return models.rest(command, workspace)
        case ImportModel() | DownloadModel() | VerifyModel():
            raise AssertionError("it runs aside (engine.aside)")
        case commands.StopTask():
            return iter(())


def _inspect(command: commands.InspectDocument, workspace: Workspace) -> Steps:
    yield inspect(workspace.libraries.open(command.library), command.document, command.task_id)


def _keep_password(command: commands.GivePassword, workspace: Workspace) -> Steps:
    if command.password and command.password not in workspace.passwords:
        workspace.passwords.append(command.password)
    yield None


def _locate(command: commands.LocatePassage, workspace: Workspace) -> Steps:
    yield locate(command, workspace.libraries.open(command.library), workspace.passwords)


def _look_into(command: commands.ReadPages | commands.FindInDocument, workspace: Workspace) -> Steps:
    library = workspace.libraries.open(command.library)
    if isinstance(command, commands.ReadPages):
        yield document_text.read(command, library)
    else:
        yield document_text.find(command, library)


def _health(task_id: int, steps: Generator[None, None, Report]) -> Steps:
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
