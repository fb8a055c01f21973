"""Draws one passage of the evidence list as a card."""

from collections.abc import Callable
from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.design_tokens import CAPTION, SPACE_M, SPACE_S, SPACE_XS, Colours, current_colours
from desktop.painted_text import paint_lines
from desktop.words import place_of
from engine.documents import SearchHit

EXCERPT = 80
MOST_COPIES = 3
_EXCERPT_LINES = 2
_HIT = int(Qt.ItemDataRole.UserRole)


def excerpt(text: str) -> str:
    """The first 80 characters of a passage, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[:EXCERPT] + "…"


def copies_words(hit: SearchHit) -> str:
    """另见：甲.pdf、乙.pdf、丙.pdf +2: where the same document lies too; empty when nowhere."""
    if not hit.copies:
        return ""
    separator = QCoreApplication.translate("Place", ", ")
    names = separator.join(PurePosixPath(copy).name for copy in hit.copies[:MOST_COPIES])
    text = QCoreApplication.translate("Evidence", "Also in: {names}").format(names=names)
    more = len(hit.copies) - MOST_COPIES
    return f"{text} +{more}" if more > 0 else text


class EvidenceCard(QStyledItemDelegate):
    """File and relevance, place, where its copies are if there are any, and two lines of the passage."""

    def __init__(self, relevance: Callable[[SearchHit], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._relevance = relevance
        self._view = parent

    def _fonts(self) -> tuple[QFont, QFont, QFont]:
        title, small, body = (QFont(self._view.font()) for _ in range(3))
        title.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(small.pointSizeF() * CAPTION)
        return title, small, body

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        title, small, body = (QFontMetrics(font).lineSpacing() for font in self._fonts())
        height = title + small + _EXCERPT_LINES * body + 2 * SPACE_XS
        if index.data(_HIT).copies:
            height += small
        return QSize(200, height + 2 * SPACE_M + SPACE_S)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        hit = index.data(_HIT)
        colours = current_colours()
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        card = QRectF(area).adjusted(1, 1, -1, -SPACE_S)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_card(painter, card, state, colours)
        inner = card.adjusted(SPACE_M, SPACE_M, -SPACE_M, -SPACE_M).toRect()
        self._paint_text(painter, inner, hit, colours)
        painter.restore()

    def _paint_card(self, painter: QPainter, card: QRectF, state: QStyle.StateFlag, colours: Colours) -> None:
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        has_focus = bool(state & QStyle.StateFlag.State_HasFocus)
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        edge = colours.accent if has_focus or is_hovered or is_selected else colours.border
        painter.setPen(QPen(QColor(edge), 2 if has_focus else 1))
        painter.setBrush(QColor(colours.accent_soft if is_selected else colours.surface))
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)

    def _paint_text(self, painter: QPainter, area: QRect, hit: SearchHit, colours: Colours) -> None:
        title, small, body = self._fonts()
        line = QFontMetrics(title).lineSpacing()
        left = area.left() + self._paint_rank(painter, QRect(area.left(), area.top(), 0, line), hit, colours)
        relevance = self._relevance(hit)
        small_metrics = QFontMetrics(small)
        width = small_metrics.horizontalAdvance(relevance)
        painter.setFont(small)
        painter.setPen(QColor(colours.muted))
        right = QRect(area.right() - width, area.top(), width + 1, line)
        painter.drawText(right, int(Qt.AlignmentFlag.AlignVCenter), relevance)
        painter.setFont(title)
        painter.setPen(QColor(colours.text))
        room = right.left() - SPACE_M - left
        name = QFontMetrics(title).elidedText(
            PurePosixPath(hit.document).name, Qt.TextElideMode.ElideMiddle, room
        )
        painter.drawText(QRect(left, area.top(), room, line), int(Qt.AlignmentFlag.AlignVCenter), name)
        painter.setFont(small)
        painter.setPen(QColor(colours.muted))
        place_top = area.top() + line + SPACE_XS // 2
        place = small_metrics.elidedText(place_of(hit), Qt.TextElideMode.ElideMiddle, area.right() - left)
        place_area = QRect(left, place_top, area.right() - left, small_metrics.lineSpacing())
        painter.drawText(place_area, int(Qt.AlignmentFlag.AlignVCenter), place)
        if copies := copies_words(hit):
            place_area.moveTop(place_area.bottom() + 1)
            shown = small_metrics.elidedText(copies, Qt.TextElideMode.ElideMiddle, place_area.width())
            painter.drawText(place_area, int(Qt.AlignmentFlag.AlignVCenter), shown)
        painter.setPen(QColor(colours.text))
        top = place_area.bottom() + 1 + SPACE_XS
        room_below = QRect(left, top, area.right() - left, area.bottom() - top)
        paint_lines(painter, room_below, excerpt(hit.text), body, _EXCERPT_LINES)

    def _paint_rank(self, painter: QPainter, area: QRect, hit: SearchHit, colours: Colours) -> int:
        """A numbered disc; returns the room it takes."""
        _, small, _ = self._fonts()
        small.setWeight(QFont.Weight.DemiBold)
        size = max(area.height(), QFontMetrics(small).horizontalAdvance(str(hit.rank)) + SPACE_S)
        disc = QRect(area.left(), area.top(), size, area.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(disc, area.height() / 2, area.height() / 2)
        painter.setFont(small)
        painter.setPen(QColor(colours.muted))
        painter.drawText(disc, int(Qt.AlignmentFlag.AlignCenter), str(hit.rank))
        return size + SPACE_S
