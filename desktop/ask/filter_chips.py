"""The row of chips of what the next question is restricted to."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.ask.filter_words import Condition, condition_words
from desktop.ask.removable_chip import RemovableChip
from desktop.design_tokens import SPACE_XS
from desktop.flow_layout import FlowLayout


class FilterChips(QWidget):
    """Hidden while there is none.

    Signals:
        removed(object): the Condition of a chip that is taken away.
    """

    removed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterChips")
        self._flow = FlowLayout(SPACE_XS, self)
        self._chips: list[RemovableChip] = []
        self.hide()

    def chips(self) -> list[RemovableChip]:
        return list(self._chips)

    def show_conditions(self, found: Sequence[Condition]) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [RemovableChip(each, condition_words(each)) for each in found]
        for chip in self._chips:
            chip.removed.connect(self.removed)
            self._flow.addWidget(chip)
        self.setVisible(bool(self._chips))
        self.updateGeometry()
