"""The figures of a run as bars, each with where it stood in the run before."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop.design_tokens import CAPTION, SPACE_M, SPACE_S, SPACE_XS, Colours, current_colours
from desktop.self_test.words import change_words, figure_help, figure_name, value_words
from engine.evaluation.comparison import Figure

_BAR = 8


class FigureChart(QWidget):
    """A row a figure: name, value and change over a bar from 0 to 1; a line in it is the run before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selfTestChart")
        self.setAccessibleName(self.tr("Figures of the last run"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._figures: tuple[Figure, ...] = ()

    def show_figures(self, figures: Sequence[Figure]) -> None:
        self._figures = tuple(figures)
        self.setAccessibleDescription("\n".join(map(_spoken, self._figures)))
        self.updateGeometry()
        self.update()

    def _fonts(self) -> tuple[QFont, QFont]:
        strong, small = QFont(self.font()), QFont(self.font())
        strong.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(small.pointSizeF() * CAPTION)
        return strong, small

    def _row_height(self) -> int:
        return QFontMetrics(self.font()).lineSpacing() + SPACE_XS + _BAR + SPACE_M + SPACE_XS

    def sizeHint(self) -> QSize:
        return QSize(280, max(1, len(self._figures)) * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, height = current_colours(), self._row_height()
        for place, figure in enumerate(self._figures):
            self._paint_row(painter, QRect(0, place * height, self.width(), height), figure, colours)
        painter.end()

    def _paint_row(self, painter: QPainter, area: QRect, figure: Figure, colours: Colours) -> None:
        strong, small = self._fonts()
        line = QRect(area.left(), area.top(), area.width(), QFontMetrics(self.font()).lineSpacing())
        centre = int(Qt.AlignmentFlag.AlignVCenter)
        value, change = value_words(figure), change_words(figure)
        taken = QFontMetrics(strong).horizontalAdvance(value)
        painter.setFont(strong)
        painter.setPen(QColor(colours.text))
        painter.drawText(line, centre | int(Qt.AlignmentFlag.AlignRight), value)
        if change:
            painter.setFont(small)
            painter.setPen(QColor(_shade(figure, colours)))
            taken += SPACE_S
            painter.drawText(
                line.adjusted(0, 0, -taken, 0), centre | int(Qt.AlignmentFlag.AlignRight), change
            )
            taken += QFontMetrics(small).horizontalAdvance(change)
        painter.setFont(self.font())
        painter.setPen(QColor(colours.text))
        room = line.width() - taken - SPACE_S
        name = QFontMetrics(self.font()).elidedText(
            figure_name(figure.name), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(line, centre, name)
        self._paint_bar(painter, QRectF(area.left(), line.bottom() + SPACE_XS, area.width(), _BAR), figure)

    def _paint_bar(self, painter: QPainter, track: QRectF, figure: Figure) -> None:
        colours = current_colours()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(track, _BAR / 2, _BAR / 2)
        if figure.value is None:
            return
        painter.setBrush(QColor(colours.accent))
        filled = QRectF(track.left(), track.top(), track.width() * figure.value, track.height())
        painter.drawRoundedRect(filled, _BAR / 2, _BAR / 2)
        if figure.change is None:
            return
        before = track.left() + track.width() * (figure.value - figure.change)
        before = min(max(before, track.left() + 1), track.right() - 1)
        # A line over the bar and a little beyond it, edged so that it shows on both of its colours.
        for shade, width in ((colours.surface, 4), (colours.text, 2)):
            painter.setPen(QPen(QColor(shade), width))
            painter.drawLine(QPointF(before, track.top() - 2), QPointF(before, track.bottom() + 2))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = int(event.pos().y()) // self._row_height()
            if 0 <= place < len(self._figures):
                QToolTip.showText(event.globalPos(), figure_help(self._figures[place].name), self)
                return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()


def _shade(figure: Figure, colours: Colours) -> str:
    if figure.is_better is None:
        return colours.muted
    return colours.good if figure.is_better else colours.bad


def _spoken(figure: Figure) -> str:
    told = f"{figure_name(figure.name)}: {value_words(figure)}"
    return f"{told} ({change})" if (change := change_words(figure)) else told
