"""A scrolling column of pages: zoom, fitting, going to places, keys. It does not know what is on them."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop.reader.page_layout import FULL_SIZE, LARGEST, SMALLEST, PageLayout, fit_scale

Rect = tuple[float, float, float, float]
_ZOOM_STEP = 1.2


class PageColumn(QAbstractScrollArea):
    """Rectangles are in points of their page as displayed.

    Signals:
        page_changed(object): index of the page that is read now, an int.
        zoom_changed(object): the zoom, 1.0 is full size.
    """

    page_changed = Signal(object)
    zoom_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._layout = PageLayout((), FULL_SIZE)
        self._fits: Literal["width", "page"] | None = "width"
        self._page = 0
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def page_index(self) -> int:
        return self._page

    @property
    def page_count(self) -> int:
        return len(self._layout.sizes)

    @property
    def zoom(self) -> float:
        return self._layout.scale / FULL_SIZE

    def _go_to(self, index: int, rects: Sequence[Rect] | None) -> None:
        """Show the first of the rectangles a third down; without any the top of the page."""
        if not self.page_count or not rects:
            self.go_to_page(index)
            return
        first = min(rects, key=lambda rect: (rect[1], rect[0]))
        top = self._layout.tops[index] + round(first[1] * self._layout.scale)
        self.verticalScrollBar().setValue(top - self.viewport().height() // 3)
        left = self._page_rect(index).left() + round(first[0] * self._layout.scale)
        bar = self.horizontalScrollBar()
        if bar.maximum() > 0:
            bar.setValue(left - self.viewport().width() // 4)
        self._note_page(index)

    def go_to_page(self, index: int) -> None:
        if self.page_count:
            index = max(0, min(index, self.page_count - 1))
            self.verticalScrollBar().setValue(self._layout.tops[index] - 8)
            self._note_page(index)

    @Slot()
    def fit_width(self) -> None:
        self._fits = "width"
        self._apply_fit()

    @Slot()
    def fit_page(self) -> None:
        self._fits = "page"
        self._apply_fit()

    def zoom_by(self, steps: int) -> None:
        self._fits = None
        wanted = self.zoom * _ZOOM_STEP**steps
        self._set_scale(min(max(wanted, SMALLEST), LARGEST) * FULL_SIZE)

    def _apply_fit(self) -> None:
        if self._fits is not None and self.page_count:
            view = self.viewport()
            room = (view.width(), view.height() if self._fits == "page" else None)
            self._set_scale(fit_scale(self._layout.sizes[self._page], room))

    def _set_scale(self, scale: float) -> None:
        if not math.isclose(scale, self._layout.scale, rel_tol=1e-4):
            self._keep_place(self._layout.sizes, scale)
            self.zoom_changed.emit(self.zoom)

    def _keep_place(self, sizes: Sequence[tuple[float, float]], scale: float) -> None:
        """Lay the pages out anew; what stood at the top of the view stays there."""
        page, bar = self._page, self.verticalScrollBar()
        within = (bar.value() - self._layout.tops[page]) / self._layout.scale if self.page_count else 0.0
        self._set_layout(sizes, scale)
        if self.page_count:
            bar.setValue(self._layout.tops[page] + round(within * scale))

    def _set_layout(self, sizes: Sequence[tuple[float, float]], scale: float) -> None:
        self._layout = PageLayout(sizes, scale)
        self._set_scroll_ranges()
        self.viewport().update()

    def _set_scroll_ranges(self) -> None:
        view = self.viewport().size()
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        vertical.setRange(0, max(0, self._layout.height - view.height()))
        vertical.setPageStep(view.height())
        vertical.setSingleStep(40)
        horizontal.setRange(0, max(0, self._layout.width - view.width()))
        horizontal.setPageStep(view.width())

    def _page_rect(self, index: int) -> QRect:
        """The page in coordinates of the whole column."""
        return QRect(*self._layout.page_rect(index, self.viewport().width()))

    def _place_on_page(self, at: QPointF, index: int) -> QPointF:
        """A place of the viewport in points of the page ``index``."""
        origin = self._page_rect(index).topLeft() - self._offset()
        return (at - QPointF(origin)) / self._layout.scale

    def _offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        if self.page_count:
            self._note_page(self._layout.page_at(value + self.viewport().height() // 3))

    def _note_page(self, index: int) -> None:
        if index != self._page:
            self._page = index
        self.page_changed.emit(index)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_scroll_ranges()
        self._apply_fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.page_count - 1}
        bar = self.verticalScrollBar()
        if event.key() in moves:
            self.go_to_page(moves[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_Space):
            bar.setValue(bar.value() + bar.pageStep() - 40)
        elif event.key() == Qt.Key.Key_PageUp:
            bar.setValue(bar.value() - bar.pageStep() + 40)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y():
                self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            return
        super().wheelEvent(event)

    def _placed(self, index: int, rects: Iterable[Rect]) -> list[QRectF]:
        scale = self._layout.scale
        origin = self._page_rect(index).topLeft() - self._offset()
        return [
            QRectF(origin.x() + x0 * scale, origin.y() + y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale)
            for x0, y0, x1, y1 in rects
        ]
