"""The window that shows how the knowledge bases stand. Layout only."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.health.card import HealthCard
from desktop.plain_label import plain_label
from desktop.theme import SystemTheme
from engine.events import HealthChecked
from engine.standing import Finding


class HealthWindow(QWidget):
    """Stands beside the main window and closes with it, or on Esc; it remembers nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("healthWindow")
        self.setWindowTitle(self.tr("Health"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self._theme = SystemTheme(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        self.setMinimumSize(520, 360)
        self.resize(760, 640)

    def _build(self) -> None:
        self.verdict_label = plain_label("healthVerdict", "heading")
        self.check_button = QPushButton(self.tr("Check again"))
        self.check_button.setObjectName("healthCheck")
        self.repair_button = QPushButton(self.tr("Repair"))
        self.repair_button.setObjectName("healthRepair")
        self.repair_button.setProperty("kind", "primary")
        self.repair_button.setToolTip(
            self.tr("Nothing is embedded for it, and a damaged file is kept beside the new one")
        )
        self.busy_bar = QProgressBar()
        self.busy_bar.setObjectName("healthBusy")
        self.busy_bar.setRange(0, 0)
        self.busy_bar.setTextVisible(False)
        self.busy_bar.setAccessibleName(self.tr("Progress of the check"))
        header = QFrame()
        header.setObjectName("healthHeader")
        buttons = QHBoxLayout(header)
        buttons.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        buttons.setSpacing(SPACE_S)
        buttons.addWidget(self.verdict_label, 1)
        buttons.addWidget(self.check_button)
        buttons.addWidget(self.repair_button)
        self._cards = QVBoxLayout()
        self._cards.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        self._cards.setSpacing(SPACE_M)
        content = QWidget()
        content.setObjectName("healthCards")
        content.setLayout(self._cards)
        self.card_area = QScrollArea()
        self.card_area.setObjectName("healthScroll")
        self.card_area.setWidgetResizable(True)
        self.card_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.card_area.setWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(header)
        layout.addWidget(self.busy_bar)
        layout.addWidget(self.card_area, 1)

    def show_busy(self, text: str) -> None:
        """Something is going on; what was found before stays readable."""
        self.verdict_label.setText(text)
        self.busy_bar.show()
        self.check_button.setEnabled(False)
        self.repair_button.setEnabled(False)

    def show_report(self, report: HealthChecked) -> None:
        """A card for each knowledge base, and one for this computer."""
        self._end(self._verdict(report.findings))
        self.repair_button.setEnabled(any(f.can_repair and not f.repaired for f in report.findings))
        self._clear()
        for health in report.libraries:
            own = [finding for finding in report.findings if finding.library == health.name]
            self._cards.addWidget(HealthCard(health.name, own, health))
        names = {health.name for health in report.libraries}
        rest = [finding for finding in report.findings if finding.library not in names]
        self._cards.addWidget(HealthCard(self.tr("This computer"), rest))
        self._cards.addStretch(1)

    def show_failure(self, lines: Sequence[str]) -> None:
        self._end("\n".join(lines))
        self.repair_button.setEnabled(False)

    def cards(self) -> list[HealthCard]:
        return self.findChildren(HealthCard)

    def _verdict(self, findings: Sequence[Finding]) -> str:
        """All findings in a few words."""
        left = [finding for finding in findings if not finding.repaired]
        repaired = sum(finding.repaired and finding.can_repair for finding in findings)
        repairable = sum(finding.can_repair for finding in left)
        parts = [self.tr("%n problems repaired.", "", repaired)] if repaired else []
        if not left:
            parts.append(self.tr("Everything is in order."))
        elif repairable:
            parts.append(self.tr("%n problems found.", "", len(left)))
            parts.append(self.tr("%n of them can be repaired.", "", repairable))
        else:
            parts.append(self.tr("%n things need your attention.", "", len(left)))
        return " ".join(parts)

    def _end(self, text: str) -> None:
        self.verdict_label.setText(text)
        self.busy_bar.hide()
        self.check_button.setEnabled(True)

    def _clear(self) -> None:
        while (item := self._cards.takeAt(0)) is not None:
            if (card := item.widget()) is not None:
                card.setParent(None)
                card.deleteLater()
