"""A layout that sets widgets in a row and goes on in the next when the row is full."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Hidden widgets take no room."""

    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), is_dry=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, is_dry=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, room: QRect, *, is_dry: bool) -> int:
        """Place the items, each in the middle of its row, and return the height they take."""
        top = room.y()
        for number, row in enumerate(self._rows(room.width())):
            height = max(item.sizeHint().height() for item in row)
            left, top = room.x(), top + (self.spacing() if number else 0)
            for item in row:
                size = item.sizeHint()
                if not is_dry:
                    place = QPoint(left, top + (height - size.height()) // 2)
                    item.setGeometry(QRect(place, QSize(min(size.width(), room.width()), size.height())))
                left += size.width() + self.spacing()
            top += height
        return top - room.y()

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        filled = 0
        for item in self._items:
            if item.isEmpty():
                continue
            needed = item.sizeHint().width()
            if not rows or filled + self.spacing() + needed > width:
                rows.append([])
                filled = -self.spacing()
            rows[-1].append(item)
            filled += self.spacing() + needed
        return rows
