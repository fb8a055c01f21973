"""The settings that a person has changed: ``settings.yaml`` in the data folder.

It holds only what is not as the defaults are, so that a better default of a later version reaches everybody
who never touched it. What a settings file on the command line or an option of it says comes first. Nothing
in this file keeps the program from starting: bad values give way to their defaults, a file that cannot be
understood is set aside, and both are told.
"""

import logging
import shutil
import stat
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock, Timeout
from pydantic import ValidationError

from engine.config import Settings
from engine.errors import SettingInvalid, SettingUnknown, StorageFailed
from engine.index.replacing import write_file
from engine.paths import Home

FILE_NAME = "settings.yaml"
MOST_BYTES = 1 << 20
"""A larger file is none of ours."""

OUTSIDE = frozenset({"version", "home"})
"""Fields that are no choice, or say where this very file is."""

_LOCK_S = 5.0
_HEAD = "# 知页 Zhiye: what is not as the defaults are. 只记录与默认值不同的设置。\n"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Damage:
    """What was wrong with the file, to be told once (``code`` and ``params`` as in errors)."""

    code: str
    params: Mapping[str, object]


class SettingsFile:
    """``settings.yaml`` of one home."""

    def __init__(self, home: Home) -> None:
        self.path = home.root / FILE_NAME
        self._damage: Damage | None = None

    def beneath(self, given: Settings) -> Settings:
        """The settings in force: what ``given`` was set to explicitly, then this file, then the defaults.

        A value of the file that cannot stand beside the given ones is left out for this time.
        """
        explicit = {name: getattr(given, name) for name in given.model_fields_set}
        return Settings.model_validate(_joined(explicit, self.read()))

    def take_damage(self) -> Damage | None:
        """What was last found wrong with the file, once."""
        found, self._damage = self._damage, None
        return found

    def read(self) -> dict[str, Any]:
        """The valid values of the file by name.

        A file with other values is copied aside and written anew without them; one that is no settings file
        is moved aside. What cannot even be moved is left where it is.
        """
        try:
            found = self._load()
            values = _joined({}, self._known(found))
            if bad := sorted(found.keys() & _names() - values.keys()):
                self._mend(found, bad)
            return values
        except FileNotFoundError:
            return {}
        except PermissionError as exc:
            self._tell("settings_unreadable", path=str(self.path), detail=exc.strerror or str(exc))
        except (OSError, ValueError, RecursionError, yaml.YAMLError) as exc:
            _log.warning("the settings file cannot be understood: %s", type(exc).__name__)
            self._set_aside()
        return {}

    def change(self, changes: Mapping[str, object]) -> None:
        """Give settings other values and write the file in one step; None, or the default, takes one out.

        Raises:
            SettingUnknown: there is no setting of a name; nothing has changed.
            SettingInvalid: a value is not possible, or not beside the others; nothing has changed.
            StorageFailed: the file cannot be written; it is as it was.
        """
        for name in changes:
            if name not in _names():
                raise SettingUnknown(name=name)
        with self._locked():
            values = self.read()
            wished = {name: value for name, value in {**values, **changes}.items() if value is not None}
            checked = _validated(wished, changes)
            kept = {name: getattr(checked, name) for name in wished}
            self._write(self._foreign() | {n: v for n, v in kept.items() if v != _default(n)})

    def reset(self, names: frozenset[str] | None = None) -> None:
        """Take settings out of the file, all of them without ``names``; raises as :meth:`change` does."""
        self.change(dict.fromkeys(_names() if names is None else names))

    def _load(self) -> dict[str, Any]:
        """Raises ValueError for what is no mapping, and what reading and parsing raise."""
        if self.path.stat().st_size > MOST_BYTES:
            raise ValueError("too large")
        text = self.path.read_text(encoding="utf-8-sig")
        found = yaml.safe_load(text)
        # This program writes a first line, so a file without any text was torn by a power failure.
        if not isinstance(found, dict) and (found is not None or not text.strip()):
            raise ValueError("no mapping")
        return {str(name): value for name, value in (found or {}).items()}

    def _known(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Values of settings that exist; the path of a model counts from the home."""
        known = {name: value for name, value in found.items() if name in _names()}
        if isinstance(known.get("model_path"), str):
            known["model_path"] = self.path.parent / Path(known["model_path"]).expanduser()
        return known

    def _foreign(self) -> dict[str, Any]:
        """What another version of the program wrote and this one does not know."""
        try:
            return {name: value for name, value in self._load().items() if name not in _names()}
        except (OSError, ValueError, RecursionError, yaml.YAMLError):
            return {}

    def _mend(self, found: Mapping[str, Any], bad: list[str]) -> None:
        """Keep a copy of a file with bad values, and write it without them."""
        kept = self._aside()
        try:
            shutil.copyfile(self.path, kept)
            self._write({name: value for name, value in found.items() if name not in bad})
        except (OSError, StorageFailed) as exc:
            _log.warning("the settings file was not mended: %s", exc)
            kept = self.path
        self._tell("settings_mended", names=tuple(bad), path=str(kept))

    def _set_aside(self) -> None:
        kept = self._aside()
        try:
            self.path.rename(kept)
        except OSError as exc:
            self._tell("settings_unreadable", path=str(self.path), detail=exc.strerror or str(exc))
            return
        self._tell("settings_set_aside", path=str(kept))

    def _aside(self) -> Path:
        """A name that nothing has yet, with the time in it."""
        now = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
        names = (f"{FILE_NAME}.bak-{now}{mark}" for mark in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(path for path in map(self.path.with_name, names) if not path.exists())

    def _tell(self, code: str, **params: object) -> None:
        self._damage = Damage(code, params)

    def _write(self, values: Mapping[str, Any]) -> None:
        try:
            # A file that somebody closed against changes would otherwise be replaced all the same.
            is_closed = not self.path.stat().st_mode & stat.S_IWUSR
        except OSError:
            is_closed = False
        if is_closed:
            raise StorageFailed(path=str(self.path), detail="read-only")
        plain = {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}
        text = yaml.safe_dump({"version": 1, **plain}, allow_unicode=True, sort_keys=False)
        write_file(self.path, (_HEAD + text).encode())

    @contextmanager
    def _locked(self) -> Any:
        """One writer at a time: the window and the command line may both be at it."""
        try:
            with FileLock(self.path.with_name(f".{FILE_NAME}.lock"), timeout=_LOCK_S):
                yield
        except (Timeout, OSError) as exc:
            raise StorageFailed(path=str(self.path), detail=type(exc).__name__) from exc


def _names() -> frozenset[str]:
    return frozenset(Settings.model_fields) - OUTSIDE


def _default(name: str) -> object:
    return Settings.model_fields[name].default


def _joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """``first`` with those values of ``second`` that are valid beside it and one another."""
    wished = {**second, **first}
    try:
        Settings.model_validate(wished)
    except ValidationError:
        kept = dict(first)
        for name in Settings.model_fields:
            if name in second and name not in first and _is_valid({**kept, name: second[name]}):
                kept[name] = second[name]
        return kept
    return wished


def _is_valid(values: Mapping[str, Any]) -> bool:
    try:
        Settings.model_validate(values)
    except ValidationError:
        return False
    return True


def _validated(values: Mapping[str, Any], changes: Mapping[str, object]) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as exc:
        first = exc.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else next(iter(changes))
        raise SettingInvalid(
            name=name, value=str(changes.get(name, values.get(name))), problem=first["msg"]
        ) from exc
