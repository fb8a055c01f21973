"""The list of conversations: a title over its date, a pin before those that stay on top."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop import icons
from desktop.design_tokens import CAPTION, SPACE_L, SPACE_S, SPACE_XS, current_colours
from desktop.health.words import moment
from desktop.line_edit import LineEdit
from engine.history.records import ThreadSummary

_Index = QModelIndex | QPersistentModelIndex
_PIN = 16


class ThreadList(QListWidget):
    """Enter or a double click opens, F2 renames in place.

    Signals:
        renamed(object, str): a ThreadSummary and the title that somebody wrote; blank takes it back.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("threadList")
        self.setAccessibleName(self.tr("Conversations"))
        self.setProperty("role", "entries")
        self._threads: tuple[ThreadSummary, ...] = ()
        delegate = _ThreadDelegate(self)
        delegate.written.connect(self._on_written)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)

    def set_threads(self, threads: Sequence[ThreadSummary]) -> None:
        """Show these; the chosen one stays chosen, or else the one in its place is."""
        chosen, row = self.chosen(), max(self.currentRow(), 0)
        self._threads = tuple(threads)
        self.clear()
        for thread in self._threads:
            item = QListWidgetItem(thread.title)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setToolTip(thread.title)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, self._spoken(thread))
            self.addItem(item)
        ids = [thread.id for thread in self._threads]
        if chosen is not None and chosen.id in ids:
            row = ids.index(chosen.id)
        self.setCurrentRow(min(row, len(ids) - 1))

    def chosen(self) -> ThreadSummary | None:
        row = self.currentRow()
        return self._threads[row] if 0 <= row < len(self._threads) else None

    def thread_at(self, row: int) -> ThreadSummary:
        return self._threads[row]

    def caption(self, thread: ThreadSummary) -> str:
        """When it was last added to, and how long it is."""
        length = self.tr("%n questions", "", thread.runs)
        return f"{moment(thread.updated_at)} · {length}"

    def rename(self) -> None:
        """Let the title of the chosen one be changed where it stands."""
        if (item := self.currentItem()) is not None:
            self.editItem(item)

    def _on_written(self, row: int, title: str) -> None:
        self.renamed.emit(self._threads[row], title)

    def _spoken(self, thread: ThreadSummary) -> str:
        parts = [self.tr("Pinned")] if thread.pinned else []
        return "\n".join([*parts, thread.title, self.caption(thread)])


class _ThreadDelegate(QStyledItemDelegate):
    """Paints a conversation in two lines and lets its title be changed.

    Signals:
        written(object, str): row (an int) and new title.
    """

    written = Signal(object, str)

    def __init__(self, view: ThreadList) -> None:
        super().__init__(view)
        self._view = view

    def _fonts(self) -> tuple[QFont, QFont]:
        title, small = QFont(self._view.font()), QFont(self._view.font())
        title.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(small.pointSizeF() * CAPTION)
        return title, small

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        title, small = (QFontMetrics(font).lineSpacing() for font in self._fonts())
        return QSize(100, title + small + SPACE_XS + 2 * SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        thread, colours, area = self._view.thread_at(index.row()), current_colours(), QRect(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, QColor(colours.raised))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.drawRect(area.adjusted(0, 0, -1, -1))
        inner = area.adjusted(SPACE_L, SPACE_S, -SPACE_L, -SPACE_S)
        title, small = self._fonts()
        line = QRect(inner.topLeft(), QSize(inner.width(), QFontMetrics(title).lineSpacing()))
        if thread.pinned:
            pin = QRect(line.right() - _PIN, line.top() + (line.height() - _PIN) // 2, _PIN, _PIN)
            icons.icon("pin", colours.accent).paint(painter, pin)
            line.setRight(pin.left() - SPACE_S)
        painter.setPen(QColor(colours.text))
        _paint_line(painter, line, thread.title, title)
        painter.setPen(QColor(colours.muted))
        line = QRect(inner.left(), line.bottom() + SPACE_XS, inner.width(), QFontMetrics(small).lineSpacing())
        _paint_line(painter, line, self._view.caption(thread), small)
        painter.restore()

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """A view takes Enter and Escape before its editor sees them; an input method comes first."""
        if isinstance(editor, LineEdit) and editor.is_composing and event.type() == QEvent.Type.KeyPress:
            return False
        return super().eventFilter(editor, event)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        editor = LineEdit("threadTitle", parent)
        editor.setAccessibleName(self.tr("Title of the conversation"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: _Index) -> None:
        editor.setGeometry(QRect(option.rect).adjusted(SPACE_XS, SPACE_XS, -SPACE_XS, -SPACE_XS))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        assert isinstance(editor, QLineEdit)
        title = editor.text().strip()
        if title != index.data():
            self.written.emit(index.row(), title)


def _paint_line(painter: QPainter, area: QRect, text: str, font: QFont) -> None:
    painter.setFont(font)
    shown = QFontMetrics(font).elidedText(" ".join(text.split()), Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), shown)
