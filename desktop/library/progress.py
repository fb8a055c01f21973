"""What indexing is doing now: files done, how fast, the current file, Pause and Stop."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_S
from desktop.elided_label import ElidedLabel
from desktop.words import number

_HOUR_S = 3600.0


class IndexProgressStrip(QFrame):
    """Hidden while nothing runs; ``pause_button`` goes on, too, while the strip shows a pause."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("indexProgress")
        self._is_stopping = False
        self.is_paused = False
        """The strip shows a pause, and its button goes on."""
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
        self.pace_label = ElidedLabel()
        self.pace_label.setObjectName("progressPace")
        self.pace_label.setProperty("tone", "caption")
        self.pause_button = QPushButton(self.tr("Pause"))
        self.pause_button.setObjectName("pauseIndexing")
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setObjectName("stopIndexing")
        self.stop_button.setAccessibleName(self.tr("Stop indexing"))
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(self.count_label, 1)
        top.addWidget(self.pause_button)
        top.addWidget(self.stop_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE_S, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addLayout(top)
        layout.addWidget(self.bar)
        layout.addWidget(self.file_label)
        layout.addWidget(self.pace_label)
        self._show_pausing(can_pause=True)

    def begin(self) -> None:
        """Nothing is counted yet: a moving bar and one word."""
        self.bar.setRange(0, 0)
        self.count_label.setText(self.tr("Looking for files…"))
        self.file_label.setText("")
        self.show_pace(None, None)
        self.stop_button.setEnabled(True)
        self._is_stopping = False
        self._show_pausing(can_pause=True)
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

    def show_pace(self, chunks_per_s: float | None, left_s: float | None) -> None:
        """How fast passages are embedded and how long the rest takes, as far as they are known."""
        parts = []
        if chunks_per_s is not None:
            text = self.tr("{number} passages/s")
            parts.append(text.format(number=number(chunks_per_s, 0 if chunks_per_s >= 10 else 1)))
        if left_s is not None:
            parts.append(self._left_words(left_s))
        self.pace_label.setText(" · ".join(parts))
        self.pace_label.setVisible(bool(parts))

    def _left_words(self, left_s: float) -> str:
        if left_s < 60:
            return self.tr("less than a minute left")
        if left_s < _HOUR_S:
            return self.tr("about %n minutes left", "", round(left_s / 60))
        return self.tr("about {hours} h left").format(hours=number(left_s / _HOUR_S, 1))

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
        self.pause_button.setEnabled(False)
        self.count_label.setText(self.tr("Stopping…"))

    def show_pausing(self) -> None:
        """The file in hand comes to its end, or is put back."""
        self._is_stopping = True
        self.pause_button.setEnabled(False)
        self.count_label.setText(self.tr("Pausing…"))

    def show_paused(self, *, is_for_power: bool = False) -> None:
        """Nothing runs; what is left waits for the button, or for mains power as well."""
        self._is_stopping = True
        if self.bar.maximum() == 0:
            self.bar.setRange(0, 1)
        words = self.tr("Paused: on battery") if is_for_power else self.tr("Paused")
        self.count_label.setText(words)
        self.file_label.setText(self.tr("Goes on by itself when plugged in") if is_for_power else "")
        self.show_pace(None, None)
        self.stop_button.setEnabled(True)
        self._show_pausing(can_pause=False)
        self.show()

    def _show_pausing(self, *, can_pause: bool) -> None:
        self.is_paused = not can_pause
        self.pause_button.setEnabled(True)
        self.pause_button.setText(self.tr("Pause") if can_pause else self.tr("Continue"))
        name = self.tr("Pause indexing") if can_pause else self.tr("Continue indexing")
        self.pause_button.setAccessibleName(name)

    def end(self) -> None:
        self.is_paused = False
        self.hide()
