"""What stands behind a [n]: file, place and the quoted sentence, in a card beside the chip."""

from pathlib import PurePosixPath

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.elided_label import ElidedLabel
from desktop.plain_label import plain_label
from desktop.words import place_of
from engine.answers import Citation

_WIDTH = 400
_LONGEST_QUOTE = 240


class CitationCard(QFrame):
    """Lies over the window it belongs to, takes neither the mouse nor the focus."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("citationCard")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.name_label = ElidedLabel()
        self.name_label.setObjectName("citationName")
        self.place_label = plain_label("citationPlace", "caption")
        self.quote_label = plain_label("citationQuote", "plain")
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_M)
        self._lines.setSpacing(SPACE_XS)
        for label in (self.name_label, self.place_label, self.quote_label):
            self._lines.addWidget(label)
        self.hide()

    def show_citation(self, citation: Citation, chip: QRect) -> None:
        """Below ``chip`` (in the window's coordinates), above it where there is no room."""
        quote = " ".join((citation.quote or citation.excerpt).split())
        shown = quote if len(quote) <= _LONGEST_QUOTE else quote[:_LONGEST_QUOTE] + "…"
        self.name_label.setText(PurePosixPath(citation.document).name)
        self.place_label.setText(place_of(citation))
        self.quote_label.setText(self.tr("“{quote}”").format(quote=shown))
        room = self._window.rect().adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        width = min(_WIDTH, room.width())
        self.setFixedWidth(width)
        height = self._lines.totalHeightForWidth(width)
        top = chip.bottom() + SPACE_XS
        if top + height > room.bottom():
            top = max(room.top(), chip.top() - SPACE_XS - height)
        left = max(room.left(), min(chip.left(), room.right() - width))
        self.setGeometry(QRect(QPoint(left, top), QPoint(left + width - 1, top + height - 1)))
        self.raise_()
        self.show()
