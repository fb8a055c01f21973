"""Starting the program again when it has ended, for settings that count from the next start on."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import QProcess

from desktop.autostart import IN_TRAY


def own_command(
    executable: str = sys.executable,
    arguments: Sequence[str] = tuple(sys.argv),
    original: Sequence[str] = tuple(sys.orig_argv),
    *,
    is_frozen: bool = hasattr(sys, "frozen"),
) -> list[str]:
    """The command line of this process, with the window in sight."""
    words = arguments[1:] if is_frozen else original[1:]
    return [executable, *(word for word in words if word != IN_TRAY)]


def start_again() -> bool:
    """Start the program in a process of its own; call it when the data folder has been given back."""
    program, *arguments = own_command()
    has_started, _ = QProcess.startDetached(program, arguments)
    return bool(has_started)
