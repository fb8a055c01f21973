"""A page of settings: cards of rows, and a button that takes all of them back to their defaults."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_L, SPACE_S, SPACE_XL
from desktop.plain_label import plain_label
from desktop.settings.row import SettingCard, SettingRow


class SettingsPage(QWidget):
    """Signals:
    changed(str, object): name and value that a person chose.
    reset_wanted(object): the names, a tuple, that go back to their defaults.
    """

    changed = Signal(str, object)
    reset_wanted = Signal(object)

    def __init__(self, name: str, cards: Sequence[SettingCard], note: str = "") -> None:
        super().__init__()
        self.setObjectName(f"{name}Page")
        self._can_reset = self._is_searched = False
        self.cards = tuple(cards)
        self.rows = {row.name: row for card in self.cards for row in card.rows if isinstance(row, SettingRow)}
        self.reset_button = QPushButton(self.tr("Reset this page"))
        self.reset_button.setObjectName(f"{name}Reset")
        self.reset_button.setProperty("kind", "flat")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_S, SPACE_XL, SPACE_L)
        layout.setSpacing(SPACE_L)
        for card in self.cards:
            layout.addWidget(card)
        self.note_label = plain_label(f"{name}Note", "caption", note)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE_L)
        foot.addWidget(self.note_label, 1)
        foot.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(foot)
        layout.addStretch(1)
        for row in self.rows.values():
            row.changed.connect(self.changed)
            row.reset_wanted.connect(self._on_reset_row)
        self.reset_button.clicked.connect(self._on_reset_page)
        self._show_foot()

    def show_matching(self, words: str) -> int:
        """Hide the rows that do not say the words, and cards without any row left."""
        count = 0
        for card in self.cards:
            shown = 0
            for row in card.rows:
                says = not words or (isinstance(row, SettingRow) and row.says(words))
                row.setVisible(says)
                shown += says
            card.setVisible(bool(shown))
            count += shown
        self._is_searched = bool(words)
        self._show_foot()
        return count

    def show_can_reset(self, can_reset: bool) -> None:
        self._can_reset = can_reset
        self._show_foot()

    def _show_foot(self) -> None:
        self.reset_button.setVisible(self._can_reset and not self._is_searched)
        self.note_label.setVisible(bool(self.note_label.text()) and not self._is_searched)

    @Slot(str)
    def _on_reset_row(self, name: str) -> None:
        self.reset_wanted.emit((name,))

    @Slot()
    def _on_reset_page(self) -> None:
        self.reset_wanted.emit(tuple(self.rows))
