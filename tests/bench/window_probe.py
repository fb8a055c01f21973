"""The real window with the real engine thread, closed again as soon as it is on the screen."""

import sys
from collections.abc import Callable
from typing import Any

from engine import native, seal


def show() -> None:
    """Everything ``zhiye-gui`` does up to the shown window, then quit."""
    seal.install()
    native.preload()
    from PySide6.QtCore import QTimer

    from desktop import app, application

    original = application.open_window

    def open_and_quit(*arguments: Any) -> Any:
        opened = original(*arguments)
        QTimer.singleShot(0, opened[0].close)
        return opened

    application.open_window = open_and_quit
    maker: Callable[..., Any] = _IdleEngine
    assert app.run([], maker) == 0


class _IdleEngine:
    """Takes commands and does nothing: models would load in the background and blur the memory figure."""

    def __init__(self, *_: object) -> None: ...

    def start(self) -> None: ...

    def send(self, command: object) -> None: ...

    def stop(self, timeout: float) -> bool:
        return True


if __name__ == "__main__":
    sys.exit(show())
