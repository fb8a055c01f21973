"""The real window with the real engine thread, closed again as soon as it is on the screen."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine import native, seal


def show() -> None:
    """Everything ``zhiye-gui`` does up to the shown window, then quit."""
    seal.install()
    native.preload()
    from PySide6.QtCore import QTimer

    from desktop import app, application

    original = application.open_window

    def open_and_quit(*arguments: Any, **named: Any) -> Any:
        opened = original(*arguments, **named)
        QTimer.singleShot(0, opened[0].close)
        return opened

    application.open_window = open_and_quit
    maker: Callable[..., Any] = _IdleEngine
    assert app.run([], maker) == 0


def print_files() -> None:
    """The files that this process has read its code from, one a line."""
    loaded = list(sys.modules.values())
    modules = [getattr(module, name, None) for module in loaded for name in ("__cached__", "__file__")]
    mapped = [line.split(maxsplit=5)[5].strip() for line in _maps() if "/" in line]
    print("\n".join(sorted({name for name in (*modules, *mapped) if name})))


def _maps() -> list[str]:
    try:
        return Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


class _IdleEngine:
    """Takes commands and does nothing: models would load in the background and blur the memory figure."""

    def __init__(self, *_: object) -> None: ...

    def start(self) -> None: ...

    def send(self, command: object) -> None: ...

    def stop(self, timeout: float) -> bool:
        return True


if __name__ == "__main__":
    sys.exit(show())
