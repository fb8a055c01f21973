"""What indexing is doing now: files done, the current file, Stop."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_S
from desktop.elided_label import ElidedLabel


class IndexProgressStrip(QFrame):
    """Hidden while nothing runs; the Stop button is ``stop_button``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("indexProgress")
        self._is_stopping = False
        self._build()
        self.hide()

    def _build(self) -> None:
        self.count_label = QLabel()
        self.count_label.setObjectName("progressCount")
        self.file_label = ElidedLabel()
        self.file_label.setObjectName("progressFile")
        self.file_label.setProperty("tone", "caption")
        self.bar = QProgressBar()
        self.bar.setObjectName("progressBar")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of indexing"))
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setObjectName("stopIndexing")
        self.stop_button.setAccessibleName(self.tr("Stop indexing"))
        top = QHBoxLayout()
        top.addWidget(self.count_label, 1)
        top.addWidget(self.stop_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE_S, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addLayout(top)
        layout.addWidget(self.bar)
        layout.addWidget(self.file_label)

    def begin(self) -> None:
        """Nothing is counted yet: a moving bar and one word."""
        self.bar.setRange(0, 0)
        self.count_label.setText(self.tr("Looking for files…"))
        self.file_label.setText("")
        self.stop_button.setEnabled(True)
        self._is_stopping = False
        self.show()

    def show_count(self, done: int, total: int) -> None:
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        self._say(self.tr("{done} of %n files", "", total).format(done=done))

    def show_file(self, path: str, chunks_done: int = 0, chunks: int = 0) -> None:
        if chunks:
            text = self.tr("{file} · passage {done} of {total}")
            self.file_label.setText(text.format(file=path, done=chunks_done, total=chunks))
        else:
            self.file_label.setText(path)

    def show_ocr(self, path: str, done: int, total: int) -> None:
        """Pages that are pictures, of all files; this comes after all pages with text."""
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        self._say(self.tr("OCR: {done} of %n pages", "", total).format(done=done))
        self.file_label.setText(path)

    def _say(self, text: str) -> None:
        """News that were under way when Stop was clicked do not take the word back."""
        if not self._is_stopping:
            self.count_label.setText(text)

    def show_stopping(self) -> None:
        self._is_stopping = True
        self.stop_button.setEnabled(False)
        self.count_label.setText(self.tr("Stopping…"))

    def end(self) -> None:
        self.hide()
