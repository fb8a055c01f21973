"""All pages of a PDF in one scrolling column, with the cited passage marked on them."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtPdf import QPdfDocument
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop.design_tokens import PAPER_MARK, current_colours
from desktop.reader.page_images import PageImages
from desktop.reader.page_layout import FULL_SIZE, LARGEST, SMALLEST, PageLayout, fit_scale

Rect = tuple[float, float, float, float]
_MARK_PADDING = 1.0
_ZOOM_STEP = 1.2


class PdfPages(QAbstractScrollArea):
    """Marks are rectangles in points of the page as displayed, so they scale with the page.

    Signals:
        page_changed(object): index of the page that is read now, an int.
        zoom_changed(object): the zoom, 1.0 is full size.
    """

    page_changed = Signal(object)
    zoom_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pdfPages")
        self.setAccessibleName(self.tr("Pages of the document"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.document = QPdfDocument(self)
        self._images = PageImages(self.document, self)
        self._images.page_rendered.connect(self._on_page_rendered)
        self._layout = PageLayout((), FULL_SIZE)
        self._marks: dict[int, tuple[Rect, ...]] = {}
        self._fits_width = True
        self._page = 0
        self._path: Path | None = None
        self._written: tuple[int, int] | None = None
        self._error = QPdfDocument.Error.None_
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def page_index(self) -> int:
        return self._page

    @property
    def page_count(self) -> int:
        return len(self._layout.sizes)

    @property
    def zoom(self) -> float:
        return self._layout.scale / FULL_SIZE

    @property
    def needs_password(self) -> bool:
        """Whether the file opened last wants another password than those it was given."""
        return self._error == QPdfDocument.Error.IncorrectPassword

    def open(self, path: Path, passwords: Sequence[str] = ()) -> bool:
        """Load a PDF with the first password that opens it; False when QtPdf cannot read it.

        An open file is not loaded again unless it has been written since.
        """
        written = _written(path)
        if self._path == path and self._written == written and self.page_count:
            return True
        self.close_document()
        self._written = written
        for password in ("", *passwords):
            self.document.setPassword(password)
            # A plain path string: as an URL a name with # or % would become another name.
            self._error = self.document.load(str(path))
            if not self.needs_password:
                break
        if self._error != QPdfDocument.Error.None_:
            return False
        self._path = path
        sizes = [self.document.pagePointSize(n) for n in range(self.document.pageCount())]
        self._set_layout([(size.width(), size.height()) for size in sizes], self._layout.scale)
        self._apply_fit()
        return True

    def close_document(self) -> None:
        self._path = None
        self._marks = {}
        self._images.clear()
        self.document.close()
        self._page = 0
        self._set_layout((), self._layout.scale)

    def show_marks(self, marks: Mapping[int, Sequence[Rect]], first_page: int) -> None:
        """Mark rectangles by page index and go to ``first_page``, its first mark a third down."""
        self._marks = {page: tuple(rects) for page, rects in marks.items()}
        self._page = max(0, min(first_page, self.page_count - 1))
        self._apply_fit()
        self._go_to_mark()
        # Scroll bars appear and sizes settle after the first layout.
        QTimer.singleShot(0, self._go_to_mark)
        self.viewport().update()

    @Slot()
    def _go_to_mark(self) -> None:
        rects = self._marks.get(self._page)
        if not self.page_count or not rects:
            self.go_to_page(self._page)
            return
        first = min(rects, key=lambda rect: (rect[1], rect[0]))
        top = self._layout.tops[self._page] + round(first[1] * self._layout.scale)
        self.verticalScrollBar().setValue(top - self.viewport().height() // 3)
        left = self._page_rect(self._page).left() + round(first[0] * self._layout.scale)
        bar = self.horizontalScrollBar()
        if bar.maximum() > 0:
            bar.setValue(left - self.viewport().width() // 4)
        self._note_page(self._page)

    def go_to_page(self, index: int) -> None:
        if self.page_count:
            index = max(0, min(index, self.page_count - 1))
            self.verticalScrollBar().setValue(self._layout.tops[index] - 8)
            self._note_page(index)

    def fit_width(self) -> None:
        self._fits_width = True
        self._apply_fit()

    def zoom_by(self, steps: int) -> None:
        self._fits_width = False
        wanted = self.zoom * _ZOOM_STEP**steps
        self._set_scale(min(max(wanted, SMALLEST), LARGEST) * FULL_SIZE)

    def _apply_fit(self) -> None:
        if self._fits_width and self.page_count:
            width = self._layout.sizes[self._page][0]
            self._set_scale(fit_scale(width, self.viewport().width()))

    def _set_scale(self, scale: float) -> None:
        if math.isclose(scale, self._layout.scale, rel_tol=1e-4):
            return
        # What stood at the top of the view stays there.
        page, bar = self._page, self.verticalScrollBar()
        within = (bar.value() - self._layout.tops[page]) / self._layout.scale if self.page_count else 0.0
        self._set_layout(self._layout.sizes, scale)
        if self.page_count:
            bar.setValue(self._layout.tops[page] + round(within * scale))
        self.zoom_changed.emit(self.zoom)

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

    def mark_rects(self, index: int) -> list[QRectF]:
        """The marks of a page as they lie in the viewport now."""
        scale = self._layout.scale
        origin = self._page_rect(index).topLeft() - self._offset()
        return [
            QRectF(origin.x() + x0 * scale, origin.y() + y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale)
            for x0, y0, x1, y1 in self._marks.get(index, ())
        ]

    def _offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        colours = current_colours()
        painter.fillRect(event.rect(), QColor(colours.desk))
        offset = self._offset()
        for index in self._layout.visible(offset.y(), offset.y() + self.viewport().height()):
            area = self._page_rect(index).translated(-offset)
            self._paint_page(painter, index, area)
            painter.setPen(QPen(QColor(colours.border), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(-1, -1, 0, 0))
        painter.end()

    def _paint_page(self, painter: QPainter, index: int, area: QRect) -> None:
        painter.fillRect(area, Qt.GlobalColor.white)
        ratio = self.devicePixelRatioF()
        image = self._images.image(index, QSize(round(area.width() * ratio), round(area.height() * ratio)))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if image is not None:
            painter.drawImage(QRectF(area), image, QRectF(image.rect()))
        # Multiplied like a marker pen: paper turns yellow, letters stay black.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for rect in self.mark_rects(index):
            padded = rect.adjusted(-_MARK_PADDING, -_MARK_PADDING, _MARK_PADDING, _MARK_PADDING)
            painter.fillRect(padded, QColor(PAPER_MARK))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    @Slot(object)
    def _on_page_rendered(self, index: int) -> None:
        self.viewport().update()

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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.viewport().update()


def _written(path: Path) -> tuple[int, int] | None:
    """Size and time of a file; None when it is not there."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_size, facts.st_mtime_ns
