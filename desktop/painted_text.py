"""Short running text in the cards of lists."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextLayout, QTextOption


def paint_lines(painter: QPainter, area: QRect, text: str, font: QFont, most: int = 2) -> None:
    """At most ``most`` lines, broken anywhere a Chinese or a Western line may break."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    metrics = QFontMetrics(font)
    top = area.top()
    painter.setFont(font)
    for number in range(most):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(area.width())
        start = line.textStart()
        shown = text[start : start + line.textLength()]
        if number == most - 1:
            shown = metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area.left(), top + metrics.ascent(), shown)
        top += metrics.lineSpacing()
    layout.endLayout()
