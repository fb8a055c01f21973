"""Top of the inspect window: what the document is, how it was read, and the figures."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, current_colours
from desktop.elided_label import ElidedLabel
from desktop.flow_layout import FlowLayout
from desktop.library.file_words import mark, name_of, page_lines, reason_lines
from desktop.plain_label import plain_label
from desktop.words import state_word
from engine.documents import FileState
from engine.events import FileReport


class InspectHeader(QFrame):
    """Name and state, reason and advice, figures in a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspectHeader")
        self._state: FileState | None = None
        self._icon_label = QLabel()
        self.name_label = ElidedLabel()
        self.name_label.setProperty("tone", "heading")
        self.state_label = plain_label("inspectState", "plain")
        self.path_label = ElidedLabel()
        self.path_label.setProperty("tone", "caption")
        self.reason_label = plain_label("inspectReason", "plain")
        self.reason_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reason_label.hide()
        figures = QWidget()
        self._figures = FlowLayout(SPACE_XL)
        figures.setLayout(self._figures)
        first = QHBoxLayout()
        first.setSpacing(SPACE_S)
        first.addWidget(self.name_label, 1)
        first.addWidget(self._icon_label)
        first.addWidget(self.state_label)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_S)
        layout.addLayout(first)
        layout.addWidget(self.path_label)
        layout.addWidget(self.reason_label)
        layout.addWidget(figures)
        self.state_label.setWordWrap(False)

    def show_name(self, document: str) -> None:
        self.name_label.setText(document.rpartition("/")[2])
        self.name_label.setToolTip(document)
        self.path_label.setText(document)

    def show_report(self, report: FileReport, path: str) -> None:
        self._state = report.state
        self.name_label.setText(name_of(report))
        self.path_label.setText(path or report.path)
        self.state_label.setText(state_word(report.state))
        pages = " · ".join(page_lines(report))
        self.show_reason([line for line in (*reason_lines(report), pages) if line])
        self._dress()

    def show_reason(self, lines: Sequence[str]) -> None:
        self.reason_label.setText("\n".join(lines))
        self.reason_label.setVisible(bool(lines))

    def show_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        for name, value in figures:
            label = plain_label("inspectFigure", "caption", f"{name}  {value}")
            label.setWordWrap(False)
            self._figures.addWidget(label)

    def _dress(self) -> None:
        if self._state is not None:
            name, role = mark(self._state)
            picture = icons.icon(name, getattr(current_colours(), role)).pixmap(QSize(18, 18))
            self._icon_label.setPixmap(picture)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()
