"""Files that could not be read in full and might hold what was asked, each with a way to its row."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from PySide6.QtCore import QEvent, QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_S, SPACE_XS, current_colours
from desktop.elided_label import ElidedLabel
from desktop.library.file_words import mark
from desktop.plain_label import plain_label
from desktop.words import state_word
from engine.documents import FileState

_MOST = 5


class UnreadFiles(QWidget):
    """Hidden when every file was read.

    Signals:
        file_wanted(str): the document whose row is wanted.
    """

    file_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("unreadFiles")
        self.heading = plain_label("unreadHeading", "plain")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_XS)
        self._layout.addWidget(self.heading)
        self._rows: list[_Row] = []
        self.hide()

    def rows(self) -> list["_Row"]:
        return list(self._rows)

    def show_files(self, files: Sequence[tuple[str, str]]) -> None:
        """Name and state, the likeliest first; more than a few are only counted."""
        if len(files) > _MOST:
            text = self.tr(
                "%n files could not be read in full and may hold it. The likeliest:", "", len(files)
            )
        else:
            text = self.tr("%n files could not be read in full and may hold it:", "", len(files))
        self.heading.setText(text)
        for row in self._rows:
            self._layout.removeWidget(row)
            row.deleteLater()
        self._rows = [_Row(name, FileState(state)) for name, state in files[:_MOST]]
        for row in self._rows:
            row.wanted.connect(self.file_wanted)
            self._layout.addWidget(row)
        self.setVisible(bool(files))


class _Row(QWidget):
    """One file: state as icon and word, name, and the button.

    Signals:
        wanted(str): its row in the library is wanted.
    """

    wanted = Signal(str)

    def __init__(self, document: str, state: FileState) -> None:
        super().__init__()
        self._document = document
        self._mark = mark(state)
        self._icon_label = QLabel()
        self.name_label = ElidedLabel()
        self.name_label.setObjectName("unreadName")
        self.name_label.setText(
            self.tr("{file} ({state})").format(file=PurePosixPath(document).name, state=state_word(state))
        )
        self.name_label.setToolTip(document)
        self.button = QPushButton(self.tr("Show in the list"))
        self.button.setObjectName("showUnread")
        self.button.setProperty("kind", "flat")
        self.button.setAccessibleName(
            self.tr("Show {file} in the list of files").format(file=PurePosixPath(document).name)
        )
        self.button.clicked.connect(self._on_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self._icon_label)
        layout.addWidget(self.name_label, 1)
        layout.addWidget(self.button)
        self._dress()

    def _dress(self) -> None:
        name, role = self._mark
        self._icon_label.setPixmap(icons.icon(name, getattr(current_colours(), role)).pixmap(QSize(16, 16)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(self._document)
