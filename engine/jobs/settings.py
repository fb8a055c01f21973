"""The jobs that show and change settings."""

from collections.abc import Iterator

from engine.answer.generation.server import address
from engine.commands import PrepareModels
from engine.events import Event, Notice
from engine.jobs.answering import prepare_models
from engine.settings.commands import ChangeSettings, ReadSettings, ResetSettings
from engine.settings.events import SettingsListed
from engine.settings.standing import settings_list
from engine.workspace import Workspace

Steps = Iterator[Event | None]


def read(command: ReadSettings, workspace: Workspace) -> Steps:
    yield listed(command.task_id, workspace)
    yield from _damage(command.task_id, workspace)


def change(command: ChangeSettings | ResetSettings, workspace: Workspace) -> Steps:
    """Keep and use other values; the list comes before a chat model is loaded anew, which takes seconds.

    Raises:
        SettingUnknown, SettingInvalid, ServerNotLocal, StorageFailed: nothing has changed.
    """
    if isinstance(command, ChangeSettings):
        if isinstance(server := command.values.get("server"), str):
            address.parse(server)
        workspace.settings_file.change(command.values)
    else:
        workspace.settings_file.reset(frozenset(command.names) or None)
    had_model = workspace.loaded_generator
    workspace.take_settings()
    yield listed(command.task_id, workspace)
    yield from _damage(command.task_id, workspace)
    if had_model is not None and workspace.loaded_generator is None:
        yield from prepare_models(PrepareModels(command.task_id), workspace)


def listed(task_id: int, workspace: Workspace) -> SettingsListed:
    """Every setting as it stands in this program and in its file."""
    stored = workspace.settings_file.read()
    return SettingsListed(task_id, settings_list(workspace.settings, stored, workspace.given))


def _damage(task_id: int, workspace: Workspace) -> Steps:
    """The file may have been damaged while the program ran."""
    if (found := workspace.settings_file.take_damage()) is not None:
        yield Notice(task_id, found.code, found.params)
