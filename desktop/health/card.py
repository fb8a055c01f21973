"""One knowledge base, or this computer, with what was found of it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import error_text, icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, current_colours
from desktop.elided_label import ElidedLabel
from desktop.flow_layout import FlowLayout
from desktop.health import words
from desktop.plain_label import plain_label
from engine.standing import Finding, LibraryHealth

_MARK = 18


class MarkLabel(QLabel):
    """An icon in a colour of the theme, in the theme of now."""

    def __init__(self, name: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._role = name, role
        self._dress()

    def _dress(self) -> None:
        colour = getattr(current_colours(), self._role)
        self.setPixmap(icons.icon(self._name, colour).pixmap(QSize(_MARK, _MARK)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()


class HealthCard(QFrame):
    """Title with a mark, figures, then the findings one below the other."""

    def __init__(self, title: str, findings: Sequence[Finding], health: LibraryHealth | None = None) -> None:
        super().__init__()
        self.setObjectName("healthCard")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        self._layout.setSpacing(SPACE_S)
        self.title_label = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.title_label.setText(title)
        self.title_label.setProperty("tone", "title")
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(MarkLabel(*words.worst(findings)))
        top.addWidget(self.title_label, 1)
        self._layout.addLayout(top)
        if health is not None and health.summary is not None:
            self._add_figures(health)
        for finding in findings:
            self._layout.addWidget(FindingRow(finding))
        if not findings:
            self._layout.addWidget(plain_label("healthFine", "caption", self.tr("Nothing to put right.")))

    def _add_figures(self, health: LibraryHealth) -> None:
        assert health.summary is not None
        figures = QWidget()
        flow = FlowLayout(SPACE_L)
        figures.setLayout(flow)
        for name, value in words.figures(health):
            label = plain_label("healthFigure", "caption", f"{name}  {value}")
            label.setWordWrap(False)
            flow.addWidget(label)
        self._layout.addWidget(figures)
        if states := words.states(health.summary):
            self._layout.addWidget(plain_label("healthStates", "caption", states))
        if error := words.last_error(health.summary):
            self._layout.addWidget(plain_label("healthError", "warn", error))


class FindingRow(QFrame):
    """What was found, and below it what to do; what was put right says so."""

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        self.setObjectName("healthFinding")
        text = error_text.describe(finding.code, finding.params)
        title = text.title
        if finding.repaired and finding.can_repair:  # else it is what the repair has to say
            title = self.tr("Put right: {finding}").format(finding=title)
        self.title_label = plain_label("findingTitle", "plain", title)
        self.advice_label = plain_label("findingAdvice", "caption", text.advice)
        self.advice_label.setVisible(title == text.title and bool(text.advice))
        for label in (self.title_label, self.advice_label):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lines = QVBoxLayout()
        lines.setSpacing(SPACE_XS)
        lines.addWidget(self.title_label)
        lines.addWidget(self.advice_label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, SPACE_XS, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(MarkLabel(*words.mark(finding)), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(lines, 1)
