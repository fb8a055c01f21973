"""Messages to the engine about settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.settings.standing import SettingValue


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """Every setting as it stands."""

    task_id: int


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Give settings other values, by name, and keep them; None: the default. Either all of them or none.

    What can be is used at once; a chat model that has to be loaded anew is.
    """

    task_id: int
    values: Mapping[str, SettingValue]


@dataclass(frozen=True, slots=True)
class ResetSettings:
    """Back to the defaults; without ``names`` all settings."""

    task_id: int
    names: tuple[str, ...] = ()


SettingCommand = ReadSettings | ChangeSettings | ResetSettings
