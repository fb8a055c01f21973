"""What the scripts that take pictures of the window share: their options, the window, waiting for it."""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from desktop import application
from desktop.design_tokens import DARK, LIGHT, palette_of
from engine.commands import ListFiles, ListLibraries
from engine.events import Event, FilesListed, LibrariesListed
from tests.desktop import sample_content
from tests.desktop.scripted_engine import Script, ScriptedEngine


def settle(ms: int = 250) -> None:
    """Let timers, layouts and the page renderer come to rest."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


class WindowPictures:
    """One window with an engine that plays :meth:`scripts`, whose pictures begin with ``prefix``."""

    def __init__(self, folder: Path, work: Path, prefix: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._work, self._prefix = folder, work, prefix
        self._engine: ScriptedEngine | None = None
        shape = QSettings(str(work / "shape.ini"), QSettings.Format.IniFormat)
        self.window, self.controller = application.open_window(self._make_engine, shape=shape)
        settle()

    def scripts(self) -> dict[type, Script]:
        """What the engine answers, by the command's type: one knowledge base and its files."""
        return {
            ListLibraries: lambda c: [LibrariesListed(c.task_id, (sample_content.library(),))],
            ListFiles: lambda c: [FilesListed(c.task_id, c.library, sample_content.files())],
        }

    @property
    def engine(self) -> ScriptedEngine:
        assert self._engine is not None
        return self._engine

    def _make_engine(self, on_event: Callable[[Event], None]) -> ScriptedEngine:
        self._engine = ScriptedEngine(on_event, self.scripts())
        return self._engine

    def shoot(self, name: str, widget: QWidget | None = None) -> None:
        settle(400)
        (widget or self.window).grab().save(str(self._folder / f"{self._prefix}-{name}.png"))

    def close(self) -> None:
        self.window.close()
        self.controller.close()


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
