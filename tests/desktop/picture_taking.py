"""What the scripts that take pictures of the window share: their options, and waiting until it is at rest."""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from desktop import application
from desktop.design_tokens import DARK, LIGHT, palette_of


def settle(ms: int = 250) -> None:
    """Let timers, layouts and the page renderer come to rest."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def main(description: str | None, take: Callable[[Path, Path, str], None]) -> None:
    """Read the command line and let ``take`` (folder, place to work in, prefix of the names) do its work."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", choices=("zh", "en"), default="zh")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    arguments = parser.parse_args()
    application.make_application(arguments.language)
    QApplication.setPalette(palette_of(DARK if arguments.theme == "dark" else LIGHT))
    with tempfile.TemporaryDirectory() as work:
        take(arguments.folder, Path(work), f"{arguments.language}-{arguments.theme}")
