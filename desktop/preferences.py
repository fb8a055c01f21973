"""What a person chose for the window alone: language, theme, font size, tray. The engine knows nothing of it.

Kept in ``window.ini`` in the data folder. A value that is none of the choices is the default, and a file that
cannot be understood is set aside, so that nothing in it keeps the window from opening.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QObject, QSettings, Signal

from engine.wording import Language

Theme = Literal["system", "light", "dark"]
LanguageChoice = Literal["system", "zh", "en"]

FONT_LEAST, FONT_MOST, FONT_STEP = 90, 150, 5
"""Per cent of the usual size of text."""

DEFAULTS: Mapping[str, object] = {
    "language": "system",
    "theme": "system",
    "font_percent": 100,
    "tray": False,
    "notify": True,
}
_SHORTCUTS = "shortcuts/"
_CHOICES = {"language": ("system", "zh", "en"), "theme": ("system", "light", "dark")}


class Preferences(QObject):
    """Without a file they hold until the program ends.

    Signals:
        changed(str): the preference of this name has another value.
    """

    changed = Signal(str)

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = _open(file) if file is not None else None
        self._values = {name: self._read(name) for name in DEFAULTS}
        self._shortcuts = self._read_shortcuts()

    def value(self, name: str) -> object:
        return self._values[name]

    def set(self, name: str, value: object) -> None:
        """Keep a value; raises ValueError for one that is none of the choices."""
        if not _is_valid(name, value):
            raise ValueError(f"{name}: {value}")
        if value == self._values[name]:
            return
        self._values[name] = value
        if self._kept is not None:
            if value == DEFAULTS[name]:
                self._kept.remove(name)
            else:
                self._kept.setValue(name, value)
            self._kept.sync()
        self.changed.emit(name)

    @property
    def language(self) -> Language | None:
        """None: that of the system."""
        chosen = cast(LanguageChoice, self._values["language"])
        return None if chosen == "system" else chosen

    @property
    def theme(self) -> Theme:
        return cast(Theme, self._values["theme"])

    @property
    def font_percent(self) -> int:
        return cast(int, self._values["font_percent"])

    @property
    def tray(self) -> bool:
        """Whether closing the window leaves an icon in the tray, with everything that is going on."""
        return bool(self._values["tray"])

    @property
    def notify(self) -> bool:
        """Whether the end of a long index is announced while the window is not looked at."""
        return bool(self._values["notify"])

    def shortcuts(self) -> dict[str, str]:
        """Keys (portable text) that a person gave to shortcuts, by the shortcut's name."""
        return dict(self._shortcuts)

    def set_shortcut(self, name: str, keys: str | None) -> None:
        """Keep the keys of a shortcut; None: its usual ones."""
        if keys is None:
            self._shortcuts.pop(name, None)
        else:
            self._shortcuts[name] = keys
        if self._kept is not None:
            if keys is None:
                self._kept.remove(_SHORTCUTS + name)
            else:
                self._kept.setValue(_SHORTCUTS + name, keys)
            self._kept.sync()

    def _read_shortcuts(self) -> dict[str, str]:
        if self._kept is None:
            return {}
        names = [name for name in self._kept.allKeys() if name.startswith(_SHORTCUTS)]
        return {name.removeprefix(_SHORTCUTS): str(self._kept.value(name)) for name in names}

    def _read(self, name: str) -> object:
        default = DEFAULTS[name]
        if self._kept is None or not self._kept.contains(name):
            return default
        written = self._kept.value(name)
        # An INI file holds text alone.
        if isinstance(default, bool):
            found: object = {"true": True, "false": False}.get(str(written).lower(), default)
        elif isinstance(default, int):
            found = int(written) if str(written).isdigit() else default
        else:
            found = written
        return found if _is_valid(name, found) else default


def _is_valid(name: str, value: object) -> bool:
    if name == "font_percent":
        return isinstance(value, int) and FONT_LEAST <= value <= FONT_MOST
    if name in _CHOICES:
        return value in _CHOICES[name]
    return isinstance(value, bool)


def _open(file: Path) -> QSettings:
    kept = QSettings(str(file), QSettings.Format.IniFormat)
    if kept.status() is QSettings.Status.NoError and not file.is_dir():
        return kept
    now = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    try:
        file.rename(file.with_name(f"{file.name}.bak-{now}"))
    except OSError:
        return kept
    return QSettings(str(file), QSettings.Format.IniFormat)
