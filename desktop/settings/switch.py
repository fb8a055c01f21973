"""A check box that looks like a switch, for what is on or off at once."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from desktop.design_tokens import current_colours

_TRACK = QSize(40, 22)
_EDGE = 3
"""Room for the ring of the keyboard focus."""


class Switch(QCheckBox):
    """Without a text of its own: what it switches is its accessible name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(_TRACK + QSize(2 * _EDGE, 2 * _EDGE))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = current_colours()
        track = QRectF(_EDGE, _EDGE, _TRACK.width(), _TRACK.height())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), 13, 13)
        fill, edge, knob = colours.raised, colours.control, colours.control
        if self.isChecked():
            fill, edge, knob = colours.accent, colours.accent, colours.on_accent
        if not self.isEnabled():
            fill, edge, knob = colours.raised, colours.border, colours.control
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), 11, 11)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(knob))
        size = _TRACK.height() - 8
        left = track.right() - size - 4 if self.isChecked() else track.left() + 4
        painter.drawEllipse(QRectF(left, track.top() + 4, size, size))
        painter.end()
