"""Every setting as it stands, described from its declaration in :mod:`engine.config`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import annotated_types
from pydantic.fields import FieldInfo

from engine import native
from engine.config import Settings
from engine.intake.pool import default_size
from engine.settings.file import OUTSIDE
from models.catalogue import catalogue

SettingValue = bool | int | float | str | None
Kind = Literal["switch", "whole", "decimal", "choice", "text", "file"]
Effect = Literal["question", "sync", "chat_model"]

CHAT_MODEL = frozenset(
    {
        "context_budget", "context_length", "max_tokens", "model", "model_path", "server", "server_model",
        "server_protocol", "threads",
    }
)  # fmt: skip
"""What the chat model is loaded with: a change of one of these loads it anew."""

_SYNC = frozenset(
    {
        "chunk_overlap", "chunk_size", "embedder", "fail_on_error", "file_memory_mb", "file_timeout_s",
        "indexing_share", "ocr", "pause_on_battery", "profile", "readers",
    }
)  # fmt: skip

_KINDS: dict[type, Kind] = {bool: "switch", int: "whole", float: "decimal", str: "text", Path: "file"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: what it may be and what it is. Words for it are those of the code ``setting_<name>``.

    ``value`` is in force; ``default`` is that of the program. ``is_optional``: None means that the program
    decides, and ``automatic`` is then what it decides here, where that is known beforehand. ``least`` and
    ``most`` are bounds, each included, unless ``above_least``. ``is_changed``: the settings file holds it.
    ``is_fixed``: an option or settings file of the command line decides it until the program ends.
    ``effect`` says from when on a change counts.
    """

    name: str
    kind: Kind
    value: SettingValue
    default: SettingValue
    effect: Effect
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    above_least: bool = False
    is_optional: bool = False
    automatic: SettingValue = None
    is_changed: bool = False
    is_fixed: bool = False


def settings_list(settings: Settings, stored: Mapping[str, object], given: Settings) -> tuple[Setting, ...]:
    """All settings as they are declared: in force, in the settings file, and given explicitly."""
    automatic = _automatic(settings)
    return tuple(
        replace(
            _declared(name, field),
            value=_plain(getattr(settings, name)),
            automatic=automatic.get(name),
            is_changed=name in stored,
            is_fixed=name in given.model_fields_set,
        )
        for name, field in Settings.model_fields.items()
        if name not in OUTSIDE
    )


def effect(name: str) -> Effect:
    """From when on a change of this setting counts."""
    if name in CHAT_MODEL:
        return "chat_model"
    return "sync" if name in _SYNC else "question"


def _declared(name: str, field: FieldInfo) -> Setting:
    kinds = [kind for kind in get_args(field.annotation) if kind is not NoneType]
    is_optional = NoneType in get_args(field.annotation)
    annotation = kinds[0] if is_optional else field.annotation
    is_choice = get_origin(annotation) is Literal
    choices = get_args(annotation) if is_choice else ()
    if name == "embedder":
        is_choice, choices = True, tuple(m.id for m in catalogue().models if m.role == "embedder")
    default = _plain(field.default)
    kind: Kind = "choice" if is_choice else _KINDS[annotation]  # type: ignore[index]
    return Setting(
        name, kind, default, default, effect(name), choices, is_optional=is_optional, **_bounds(name, field)
    )


def _bounds(name: str, field: FieldInfo) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for bound in field.metadata:
        if isinstance(bound, annotated_types.Ge):
            found["least"] = bound.ge
        elif isinstance(bound, annotated_types.Gt):
            found |= {"least": bound.gt, "above_least": True}
        elif isinstance(bound, annotated_types.Le):
            found["most"] = bound.le
    if name == "threads":
        found["most"] = native.core_count()
    return found


def _automatic(settings: Settings) -> dict[str, SettingValue]:
    free = settings.model_copy(update={"chunk_size": None, "chunk_overlap": None})
    return {
        "threads": native.thread_count(),
        "readers": default_size(native.thread_count()),
        "chunk_size": free.cut.size,
        "chunk_overlap": settings.model_copy(update={"chunk_overlap": None}).cut.overlap,
    }


def _plain(value: Any) -> SettingValue:
    return str(value) if isinstance(value, Path) else value
