"""What the program is given to open: on the command line, by the system, by a second start or by a drop."""

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from desktop.packs.controller import PackController
from desktop.packs.pickers import SUFFIX

IndexPaths = Callable[[Sequence[Path]], None]


class Application(QApplication):
    """Hears of files that the system wants opened; macOS has no other way to hand them over.

    Signals:
        file_opened(object): the Path of a file.
    """

    file_opened = Signal(object)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_opened.emit(Path(event.file()))
            return True
        return super().event(event)


class Opening(QObject):
    """Packs are imported one after the other, everything else is indexed."""

    def __init__(self, packs: PackController, index: IndexPaths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._packs = packs
        self._index = index
        self._waiting: deque[Path] = deque()
        packs.ended.connect(self._open_next)
        application = QApplication.instance()
        if isinstance(application, Application):
            application.file_opened.connect(self._on_file_opened)

    def open(self, paths: Sequence[Path], index: IndexPaths | None = None) -> None:
        """``index`` takes what is no pack, instead of the one given at the start."""
        self._waiting.extend(path for path in paths if _is_pack(path))
        if others := [path for path in paths if not _is_pack(path)]:
            (index or self._index)(others)
        if self._waiting:
            # A question about the pack comes over a window that is there, not before it.
            QTimer.singleShot(0, self, self._open_next)

    @Slot()
    def _open_next(self) -> None:
        if self._waiting and not self._packs.is_busy():
            self._packs.open_pack(self._waiting.popleft())

    @Slot(object)
    def _on_file_opened(self, file: Path) -> None:
        self.open((file,))


def _is_pack(path: Path) -> bool:
    return path.suffix.lower() == SUFFIX and not path.is_dir()
