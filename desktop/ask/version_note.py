"""Under an answer: which cited document is an older version, with both places to be opened."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop.ask.passage_button import PassageButton
from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.plain_label import plain_label
from engine.answers import Citation, VersionNote


class VersionNotes(QFrame):
    """Hidden while no cited document has another version.

    ``buttons`` open the older one's place and the newer one's of each pair.

    Signals:
        source_opened(object): the Citation that a person wants to read.
    """

    source_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("versionNotes")
        self.setProperty("role", "note")
        self.setProperty("tone", "info")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        self._layout.setSpacing(SPACE_XS)
        self.labels: list[QLabel] = []
        self.buttons: list[PassageButton] = []
        self.hide()

    def show_versions(self, notes: Sequence[VersionNote], citations: Mapping[int, Citation]) -> None:
        """Versions that say something else come first; ``citations`` are the answer's, by number."""
        for part in (*self.labels, *self.buttons):
            self._layout.removeWidget(part)
            part.hide()
            part.deleteLater()
        self.labels, self.buttons = [], []
        for note in sorted(notes, key=lambda each: not each.differs):
            self._add(note, [citations[number] for number in note.citations if number in citations])
        self.setVisible(bool(notes))

    def _add(self, note: VersionNote, places: Sequence[Citation]) -> None:
        text = self.tr("The older version “{older}” says the same here as “{newer}”.")
        if note.differs:
            text = self.tr("The older version “{older}” does not agree with the newer “{newer}”.")
        older, newer = _names(note)
        label = plain_label("versionNote", "plain", text.format(older=older, newer=newer))
        self.labels.append(label)
        self._layout.addWidget(label)
        for place in places:
            button = PassageButton("openVersion")
            button.show_hit(place)
            button.hit_opened.connect(self.source_opened)
            self.buttons.append(button)
            self._layout.addWidget(button)


def _names(note: VersionNote) -> tuple[str, str]:
    """The names of both files; with their folders where only these differ."""
    older, newer = PurePosixPath(note.document).name, PurePosixPath(note.newer).name
    return (older, newer) if older != newer else (note.document, note.newer)
