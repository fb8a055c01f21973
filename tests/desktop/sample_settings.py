"""The engine's settings as a window is told about them, kept in memory by the script that tells them."""

from collections.abc import Callable, Iterable

from engine.commands import Command
from engine.config import Settings
from engine.events import Event
from engine.settings.commands import ChangeSettings, ReadSettings, ResetSettings
from engine.settings.events import SettingsListed
from engine.settings.standing import settings_list


class KeptSettings:
    """What was changed; ``given`` are those of the command line."""

    def __init__(self, given: Settings | None = None, **stored: object) -> None:
        self.given = given if given is not None else Settings()
        self.stored: dict[str, object] = dict(stored)

    def scripts(self) -> dict[type, Callable[[Command], Iterable[Event]]]:
        return {
            ReadSettings: lambda command: [self._listed(command.task_id)],
            ChangeSettings: self._change,
            ResetSettings: self._reset,
        }

    def _listed(self, task_id: int) -> SettingsListed:
        explicit = {name: getattr(self.given, name) for name in self.given.model_fields_set}
        settings = Settings.model_validate({**self.stored, **explicit})
        return SettingsListed(task_id, settings_list(settings, self.stored, self.given))

    def _change(self, command: ChangeSettings) -> list[Event]:
        wished = {**self.stored, **command.values}
        self.stored = {
            name: value
            for name, value in wished.items()
            if value is not None and value != Settings.model_fields[name].default
        }
        return [self._listed(command.task_id)]

    def _reset(self, command: ResetSettings) -> list[Event]:
        names = set(command.names) or set(self.stored)
        self.stored = {name: value for name, value in self.stored.items() if name not in names}
        return [self._listed(command.task_id)]
