"""Below the table: what there is to say about the selected file, without hovering."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import ICON, SPACE_M, SPACE_S, SPACE_XS, current_colours
from desktop.elided_label import ElidedLabel
from desktop.library.file_words import figures, mark, name_of, page_lines, reason_lines
from desktop.plain_label import plain_label
from desktop.words import state_word
from engine.documents import FileState
from engine.events import FileReport

Selected = Sequence[tuple[FileReport, FileState | None]]


class FileDetails(QFrame):
    """Hidden while nothing is selected. ``main_button`` inspects, asks for the password or reads again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fileDetails")
        self._state: FileState | None = None
        self._build()
        self.hide()

    def _build(self) -> None:
        self._icon_label = QLabel()
        self.name_label = ElidedLabel()
        self.name_label.setObjectName("fileName")
        self.state_label = self._line("fileState")
        self.reason_label = self._line("fileReason")
        self.pages_label = self._line("filePages")
        self.main_button = QPushButton()
        self.main_button.setObjectName("fileMain")
        self.more_button = QToolButton()
        self.more_button.setObjectName("fileMore")
        self.more_button.setAccessibleName(self.tr("More for the selected files"))
        self.more_button.setToolTip(self.tr("More for the selected files"))
        self.more_button.setIconSize(QSize(ICON, ICON))
        heading = QHBoxLayout()
        heading.setSpacing(SPACE_S)
        heading.addWidget(self._icon_label)
        heading.addWidget(self.name_label, 1)
        heading.addWidget(self.main_button)
        heading.addWidget(self.more_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addLayout(heading)
        for label in (self.state_label, self.reason_label, self.pages_label):
            layout.addWidget(label)
        self._dress()

    def _line(self, name: str) -> QLabel:
        label = plain_label(name, "caption")
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _dress(self) -> None:
        icons.dress(self.more_button, "more")
        name, role = mark(self._state)
        self._icon_label.setPixmap(icons.icon(name, getattr(current_colours(), role)).pixmap(QSize(16, 16)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_files(self, files: Selected) -> None:
        if len(files) == 1:
            self._show_one(*files[0])
        elif files:
            self._show_many(files)
        self.setVisible(bool(files))

    def _show_one(self, file: FileReport, state: FileState | None) -> None:
        self._state = state
        self._icon_label.show()
        self.name_label.setText(name_of(file))
        self.name_label.setToolTip(file.path)
        is_read = state is not None
        told = [state_word(state), figures(file) if is_read else ""]
        self._set(self.state_label, [" · ".join(part for part in told if part)])
        self._set(self.reason_label, reason_lines(file) if is_read else [])
        self._set(self.pages_label, page_lines(file) if is_read else [])
        if state == FileState.NEEDS_PASSWORD:
            self.main_button.setText(self.tr("Enter password…"))
        else:
            self.main_button.setText(self.tr("Inspect"))
        self.main_button.setEnabled(is_read)
        self._dress()

    def _show_many(self, files: Selected) -> None:
        self._icon_label.hide()
        self.name_label.setText(self.tr("%n files selected", "", len(files)))
        states = list(dict.fromkeys(state for _, state in files))
        self._set(self.state_label, [" · ".join(state_word(state) for state in states)])
        for label in (self.reason_label, self.pages_label):
            self._set(label, [])
        self.main_button.setText(self.tr("Read again"))
        self.main_button.setEnabled(None not in states)

    def _set(self, label: QLabel, lines: Sequence[str]) -> None:
        label.setText("\n".join(lines))
        label.setVisible(bool(lines))
