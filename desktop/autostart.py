"""Starting with the system: an entry of the person's own, there while it is wanted and gone otherwise.

Linux: a file of the XDG autostart specification; Windows: a value under the Run key; macOS: a LaunchAgent.
"""

import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSettings

_RUN_KEY = r"HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Run"
_AGENT = "zhiye.desktop"
IN_TRAY = "--in-tray"
"""The window stays out of sight where there is a tray for it."""


class Autostart(Protocol):
    """The entry of one system."""

    def is_on(self) -> bool: ...

    def set_on(self, is_on: bool) -> None:
        """Write or remove the entry; raises OSError when the system does not let us."""
        ...


def own_command(home: Path | None, argv0: str = sys.argv[0], executable: str = sys.executable) -> list[str]:
    """How this program is started again: into the tray, with the data folder that it has now."""
    program = Path(argv0).absolute()
    is_script = program.suffix == ".py" or not os.access(program, os.X_OK)
    command = [executable, "-m", "desktop"] if is_script else [str(program)]
    return [*command, IN_TRAY, *(["--home", str(home)] if home is not None else [])]


def for_system(command: Sequence[str], platform: str = sys.platform) -> Autostart:
    """The entry of this system."""
    if platform == "win32":
        return RunKey(command, QSettings(_RUN_KEY, QSettings.Format.NativeFormat))
    if platform == "darwin":
        return LaunchAgent(command, Path.home() / "Library" / "LaunchAgents")
    config = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(config) if Path(config).is_absolute() and config else Path.home() / ".config"
    return DesktopFile(command, folder / "autostart")


class DesktopFile:
    """``zhiye.desktop`` in the autostart folder."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command = command
        self.file = folder / "zhiye.desktop"

    def is_on(self) -> bool:
        """Desktop environments switch an entry off with a line in it."""
        try:
            lines = self.file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return False
        off = {"hidden=true", "x-gnome-autostart-enabled=false"}
        return not any(line.replace(" ", "").lower() in off for line in lines)

    def set_on(self, is_on: bool) -> None:
        if not is_on:
            self.file.unlink(missing_ok=True)
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        words = " ".join(_quoted(word) for word in self._command)
        lines = ["[Desktop Entry]", "Type=Application", "Name=Zhiye", "Name[zh_CN]=知页", f"Exec={words}"]
        lines += ["Icon=zhiye", "Terminal=false", "X-GNOME-Autostart-enabled=true", ""]
        self.file.write_text("\n".join(lines), encoding="utf-8")


class RunKey:
    """A value of the registry's Run key."""

    def __init__(self, command: Sequence[str], key: QSettings) -> None:
        self._command, self._key = command, key

    def is_on(self) -> bool:
        return self._key.contains("Zhiye")

    def set_on(self, is_on: bool) -> None:
        if is_on:
            self._key.setValue("Zhiye", subprocess.list2cmdline(self._command))
        else:
            self._key.remove("Zhiye")
        self._key.sync()
        if self._key.status() is not QSettings.Status.NoError:
            raise OSError(_RUN_KEY)


class LaunchAgent:
    """A property list that launchd reads at login."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command = command
        self.file = folder / f"{_AGENT}.plist"

    def is_on(self) -> bool:
        return self.file.is_file()

    def set_on(self, is_on: bool) -> None:
        if not is_on:
            self.file.unlink(missing_ok=True)
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        entry = {"Label": _AGENT, "ProgramArguments": list(self._command), "RunAtLoad": True}
        self.file.write_bytes(plistlib.dumps(entry))


def _quoted(word: str) -> str:
    """As the Desktop Entry specification has it: double quotes, some characters escaped, no field codes."""
    plain = word.replace("%", "%%")
    if shlex.quote(word) == word:
        return plain
    for character in '\\"`$':
        plain = plain.replace(character, f"\\{character}")
    # The value as a whole is a string, in which a backslash is written twice.
    return '"' + plain.replace("\\", "\\\\") + '"'
