"""One entry of the inspect window's lists: a title, a caption, and perhaps the beginning of a text."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.design_tokens import CAPTION, SPACE_M, SPACE_S, SPACE_XS, current_colours
from desktop.painted_text import paint_lines

ENTRY_ROLE = int(Qt.ItemDataRole.UserRole)
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Entry:
    """``tone`` colours the caption (muted, warn); ``stripe`` is a colour's name for the entry's left edge."""

    title: str
    caption: str = ""
    text: str = ""
    tone: str = "muted"
    stripe: str = ""

    def spoken(self) -> str:
        return "\n".join(part for part in (self.title, self.caption, self.text) if part)


class EntryList(QListView):
    """All entries are of one height, so that thousands of them cost nothing."""

    def __init__(
        self, name: str, accessible_name: str, text_lines: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self.setProperty("role", "entries")
        self.setItemDelegate(_EntryDelegate(text_lines, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def go_to(self, row: int, *, choose: bool = True) -> None:
        """Make a row the current one, or only bring it into view."""
        index = self.model().index(row, 0)
        if choose:
            self.setCurrentIndex(index)
        self.scrollTo(
            index, QListView.ScrollHint.EnsureVisible if choose else QListView.ScrollHint.PositionAtTop
        )


class _EntryDelegate(QStyledItemDelegate):
    def __init__(self, text_lines: int, view: EntryList) -> None:
        super().__init__(view)
        self._view = view
        self._text_lines = text_lines

    def _fonts(self) -> tuple[QFont, QFont]:
        title, small = QFont(self._view.font()), QFont(self._view.font())
        title.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(small.pointSizeF() * CAPTION)
        return title, small

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        title, small = (QFontMetrics(font).lineSpacing() for font in self._fonts())
        height = title + small * (1 + self._text_lines) + 2 * SPACE_S
        return QSize(100, height + (SPACE_XS if self._text_lines else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry: Entry = index.data(ENTRY_ROLE)
        colours, area = current_colours(), QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, area, option.state)
        if entry.stripe:
            edge = QRectF(area.left(), area.top() + 2, 6, area.height() - 4)
            painter.fillRect(edge, QColor(colours.named()[entry.stripe]))
        title, small = self._fonts()
        inner = area.adjusted(SPACE_M, SPACE_S, -SPACE_S, -SPACE_S)
        line = QFontMetrics(title).lineSpacing()
        painter.setFont(title)
        painter.setPen(QColor(colours.text))
        _paint_line(painter, QRect(inner.left(), inner.top(), inner.width(), line), entry.title)
        painter.setFont(small)
        painter.setPen(QColor(colours.named()[entry.tone]))
        small_line = QFontMetrics(small).lineSpacing()
        top = inner.top() + line
        _paint_line(painter, QRect(inner.left(), top, inner.width(), small_line), entry.caption)
        if self._text_lines and entry.text:
            painter.setPen(QColor(colours.text))
            rest = QRect(inner.left(), top + small_line + SPACE_XS, inner.width(), inner.height())
            paint_lines(painter, rest, entry.text, small, self._text_lines)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        colours = current_colours()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.accent_soft))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, QColor(colours.raised))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.drawRect(area.adjusted(0, 0, -1, -1))


def _paint_line(painter: QPainter, area: QRect, text: str) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, area.width())
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), shown)
