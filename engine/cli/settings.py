"""``zhiye settings [list | set NAME VALUE | reset [NAME]]``: what the settings file of the home holds."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from engine.cli.console import Console
from engine.errors import WrongUse
from engine.jobs import settings
from engine.settings.commands import ChangeSettings, ResetSettings
from engine.settings.events import SettingsListed
from engine.settings.standing import Setting, SettingValue
from engine.wording import describe
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Change one first where that is asked for; prints all of them as they stand then.

    Raises SettingUnknown, SettingInvalid, ServerNotLocal and StorageFailed.
    """
    if options.action == "set" and (options.name is None or options.value is None):
        raise WrongUse(detail="set NAME VALUE")
    if options.action == "list" and options.name is not None:
        raise WrongUse(detail=options.name)
    if options.action == "set":
        value = _read(options.name, options.value, workspace)
        command: ChangeSettings | ResetSettings = ChangeSettings(0, {options.name: value})
    else:
        command = ResetSettings(0, () if options.name is None else (options.name,))
    if options.action == "list":
        listed = settings.listed(0, workspace)
    else:
        listed = console.follow(settings.change(command, workspace), SettingsListed)
    lines = [console.say("settings_file_is", path=str(workspace.settings_file.path))]
    lines += [_line(setting, console) for setting in listed.settings]
    console.result({"settings": [_record(setting) for setting in listed.settings]}, lines)
    return 0


def _read(name: str, text: str, workspace: Workspace) -> SettingValue:
    """A value as the file would hold it; a file counts from the folder one is in."""
    kinds = {setting.name: setting.kind for setting in settings.listed(0, workspace).settings}
    if kinds.get(name) == "file":
        return str(Path(text).expanduser().absolute())
    if kinds.get(name) == "text":
        return text
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):
        return text
    return value if isinstance(value, (bool, int, float, str)) or value is None else text


def _record(setting: Setting) -> dict[str, Any]:
    record = asdict(setting)
    return {key.removeprefix("is_"): value for key, value in record.items()}


def _line(setting: Setting, console: Console) -> str:
    def said(value: SettingValue) -> str:
        return console.say("setting_automatic") if value is None else str(value)

    return console.say(
        "setting_line",
        name=setting.name,
        value=said(setting.value),
        default=said(setting.default),
        mark="*" if setting.is_changed else "",
        title=describe(f"setting_{setting.name}", {}, console.language).title,
    )
