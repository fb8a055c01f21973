"""Messages from the engine about settings."""

from dataclasses import dataclass

from engine.settings.standing import Setting


@dataclass(frozen=True, slots=True)
class SettingsListed:
    """Every setting, in the order of :class:`engine.config.Settings`."""

    task_id: int
    settings: tuple[Setting, ...]


SettingEvent = SettingsListed
