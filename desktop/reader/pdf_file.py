"""A PDF that QtPdf has open, and the sizes of its pages."""

import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtPdf import QPdfDocument

_STEP_S = 0.008


class PdfFile(QObject):
    """Sizes and labels are read in small steps: a thousand pages take QtPdf a fifth of a second, and each
    question to it waits for the page that is being drawn.

    Signals:
        sizes_changed(): pages that were thought to be like the first one are not.
    """

    sizes_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = QPdfDocument(self)
        self.path: Path | None = None
        self.sizes: Sequence[tuple[float, float]] = ()
        self._measured: list[tuple[float, float]] = []
        self._labels: list[str] = []
        self._written: tuple[int, int] | None = None
        self._error = QPdfDocument.Error.None_
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._measure)

    @property
    def needs_password(self) -> bool:
        """Whether the file opened last wants another password than those it was given."""
        return self._error == QPdfDocument.Error.IncorrectPassword

    def is_open(self, path: Path) -> bool:
        """Whether this very file is open, and has not been written since."""
        return self.path == path and self._written == _written(path) and bool(self.sizes)

    def load(self, path: Path, passwords: Sequence[str] = ()) -> bool:
        """Load a PDF with the first password that opens it; False when QtPdf cannot read it."""
        self._written = _written(path)
        for password in ("", *passwords):
            self.document.setPassword(password)
            # A plain path string: as an URL a name with # or % would become another name.
            self._error = self.document.load(str(path))
            if not self.needs_password:
                break
        if self._error != QPdfDocument.Error.None_:
            return False
        self.path = path
        self._measure()
        return True

    def label(self, index: int) -> str:
        """What is printed on a page."""
        return self._labels[index] if index < len(self._labels) else self.document.pageLabel(index)

    def close(self) -> None:
        self._timer.stop()
        self.path = None
        self.sizes, self._measured, self._labels = (), [], []
        self.document.close()

    @Slot()
    def _measure(self) -> None:
        count, until = self.document.pageCount(), time.perf_counter() + _STEP_S
        while len(self._measured) < count and time.perf_counter() < until:
            index = len(self._measured)
            size = self.document.pagePointSize(index)
            self._measured.append((size.width(), size.height()))
            self._labels.append(self.document.pageLabel(index))
        left = count - len(self._measured)
        sizes = self._measured + self._measured[:1] * left
        if left:
            self._timer.start(0)
        if sizes != self.sizes and (not left or not self.sizes):
            self.sizes = sizes
            self.sizes_changed.emit()


def _written(path: Path) -> tuple[int, int] | None:
    """Size and time of a file; None when it is not there."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_size, facts.st_mtime_ns
