"""All pages of a PDF in one scrolling column, with the cited passage marked on them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QGuiApplication,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop.design_tokens import current_colours
from desktop.reader.page_column import PageColumn
from desktop.reader.page_images import PageImages
from desktop.reader.pdf_file import PdfFile
from desktop.reader.pdf_marks import PdfMarks, Rect
from desktop.reader.pdf_selection import PdfSelection


class PdfPages(PageColumn):
    """Marks are rectangles in points of the page as displayed, so they scale with the page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pdfPages")
        self.setAccessibleName(self.tr("Pages of the document"))
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.file = PdfFile(self)
        self.document = self.file.document
        self._images = PageImages(self.document, self)
        self.marks = PdfMarks()
        self.selection = PdfSelection(self.document, self)
        self._build_copy_action()
        self.file.sizes_changed.connect(self._on_sizes_changed)
        self._images.page_rendered.connect(self._on_page_rendered)
        self.selection.changed.connect(self.viewport().update)

    def _build_copy_action(self) -> None:
        self.copy_action = QAction(self.tr("Copy"), self)
        self.copy_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy_action.triggered.connect(self.copy)
        self.addAction(self.copy_action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @property
    def path(self) -> Path | None:
        return self.file.path

    @property
    def needs_password(self) -> bool:
        """Whether the file opened last wants another password than those it was given."""
        return self.file.needs_password

    def open(self, path: Path, passwords: Sequence[str] = ()) -> bool:
        """Load a PDF with the first password that opens it; False when QtPdf cannot read it.

        An open file is not loaded again unless it has been written since.
        """
        if self.file.is_open(path):
            return True
        self.close_document()
        if not self.file.load(path, passwords):
            return False
        self._apply_fit()
        return True

    def close_document(self) -> None:
        self.marks = PdfMarks()
        self.selection.clear()
        self.selection.set_document_facts(frozenset())
        self._images.clear()
        self.file.close()
        self._page = 0
        self._set_layout((), self._layout.scale)

    @Slot()
    def _on_sizes_changed(self) -> None:
        self._keep_place(self.file.sizes, self._layout.scale)

    def show_marks(
        self,
        marks: Mapping[int, Sequence[Rect]],
        first_page: int,
        passage: Mapping[int, Sequence[Rect]] | None = None,
    ) -> None:
        """Mark rectangles by page index and go to ``first_page``, its first mark a third down.

        ``passage`` is marked in a weaker tone around them.
        """
        self.marks = PdfMarks(marks, passage or {})
        self.selection.clear()
        self._page = max(0, min(first_page, self.page_count - 1))
        self._apply_fit()
        self._go_to_mark()
        # Scroll bars appear and sizes settle after the first layout.
        QTimer.singleShot(0, self._go_to_mark)
        self.viewport().update()

    def show_found(self, found: Sequence[tuple[int, Sequence[Rect]]], now: int | None) -> None:
        """Mark places of words, as page index and rectangles, and go to the one numbered ``now``."""
        self.marks.found, self.marks.found_now = found, now
        if now is not None:
            page, rects = found[now]
            self._go_to(page, rects)
        self.viewport().update()

    @Slot()
    def _go_to_mark(self) -> None:
        self._go_to(self._page, self.marks.sentence.get(self._page) or self.marks.passage.get(self._page))

    def mark_rects(self, index: int) -> list[QRectF]:
        """The marks of a page as they lie in the viewport now."""
        return self._placed(index, self.marks.sentence.get(index, ()))

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
        selected = self.selection.rects if self.selection.page == index else ()
        self.marks.paint(painter, index, lambda rects: self._placed(index, rects), selected)

    @Slot(object)
    def _on_page_rendered(self, index: int) -> None:
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.page_count:
            index = self._layout.page_at(round(event.position().y()) + self._offset().y())
            self.selection.begin(index, self._place_on_page(event.position(), index))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        page = self.selection.page
        if event.buttons() & Qt.MouseButton.LeftButton and page is not None:
            self.selection.extend(self._place_on_page(event.position(), page))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    @Slot()
    def copy(self) -> None:
        """Put the selected text on the clipboard; without any it keeps what it has."""
        if self.selection.text:
            QGuiApplication.clipboard().setText(self.selection.text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.viewport().update()
