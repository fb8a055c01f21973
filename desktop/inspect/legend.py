"""What the colours and lines in a page's text mean."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop.design_tokens import SPACE_L, SPACE_S, current_colours
from desktop.flow_layout import FlowLayout
from desktop.inspect.layers import PageLayers
from desktop.plain_label import plain_label
from desktop.words import dropped_word, number


class Legend(QWidget):
    """Chunks in two colours by turns; left out, with the reasons on this page; in no chunk at all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspectLegend")
        self._swatches = [QLabel(), QLabel()]
        passages = QWidget()
        row = QHBoxLayout(passages)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        for swatch in self._swatches:
            row.addWidget(swatch)
        row.addWidget(self._text("legendPassages", self.tr("Passages by turns")))
        dropped = QWidget()
        self._dropped = dropped
        row = QHBoxLayout(dropped)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self._text("legendStruck", self.tr("text")))
        self.dropped_label = self._text("legendDropped")
        row.addWidget(self.dropped_label)
        self.homeless_label = self._text("legendHomeless")
        layout = FlowLayout(SPACE_L)
        for widget in (passages, dropped, self.homeless_label):
            layout.addWidget(widget)
        self.setLayout(layout)
        self._dress()

    def _text(self, name: str, text: str = "") -> QLabel:
        label = plain_label(name, "caption", text)
        label.setWordWrap(False)
        return label

    def show_layers(self, layers: PageLayers) -> None:
        reasons = [f"{dropped_word(why)} {number(count)}" for why, count in layers.reasons().items()]
        text = self.tr("Left out: {reasons}").format(reasons=" · ".join(reasons))
        self.dropped_label.setText(text)
        self._dropped.setVisible(bool(reasons))
        homeless = layers.homeless()
        self.homeless_label.setText(self.tr("%n characters in no passage", "", homeless))
        self.homeless_label.setVisible(homeless > 0)

    def _dress(self) -> None:
        colours = current_colours()
        for swatch, colour in zip(self._swatches, (colours.chunk_even, colours.chunk_odd), strict=True):
            picture = QPixmap(18, 12)
            picture.fill(QColor(colour))
            swatch.setPixmap(picture)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()
