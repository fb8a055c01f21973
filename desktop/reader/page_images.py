"""Rendered pages: a renderer thread of QtPdf behind a small cache."""

from collections import OrderedDict

from PySide6.QtCore import QObject, QSize, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer

_CACHE_BYTES = 96 * 1024 * 1024
_LONGEST_SIDE = 6000
_AT_ONCE = 3
"""Renderings under way: the renderer takes them in turn, so more would be pages that were scrolled past."""


class PageImages(QObject):
    """Images of pages at the size asked for; another size is handed out while that one is made.

    Signals:
        page_rendered(object): index of a page whose image is there now.
    """

    page_rendered = Signal(object)

    def __init__(self, document: QPdfDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._images: OrderedDict[int, QImage] = OrderedDict()
        self._wanted: dict[int, QSize] = {}
        self._requests: dict[int, int] = {}
        self._renderer = QPdfPageRenderer(self)
        # The renderer's thread draws; the window only paints what is ready.
        self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self._renderer.setDocument(document)
        self._renderer.pageRendered.connect(self._on_rendered)

    def clear(self) -> None:
        """Forget everything; renderings still under way are thrown away when they arrive."""
        self._images.clear()
        self._wanted.clear()
        self._requests.clear()

    def image(self, index: int, size: QSize) -> QImage | None:
        """The page in about ``size`` device pixels, or what there is until it is rendered."""
        size = _bounded(size)
        image = self._images.get(index)
        if image is not None:
            self._images.move_to_end(index)
            if image.size() == size:
                return image
        if self._wanted.get(index) != size and len(self._requests) < _AT_ONCE:
            self._wanted[index] = size
            self._requests[self._renderer.requestPage(index, size)] = index
        return image

    @Slot(int, QSize, QImage, QPdfDocumentRenderOptions, "qulonglong")
    def _on_rendered(
        self, index: int, size: QSize, image: QImage, options: QPdfDocumentRenderOptions, request: int
    ) -> None:
        if self._requests.pop(request, None) != index:
            # Of the document before this one; those that are waited for now may have had to wait for it.
            self.page_rendered.emit(index)
            return
        if self._wanted.get(index) == size:
            del self._wanted[index]
        self._images[index] = image
        self._images.move_to_end(index)
        while len(self._images) > 2 and self._bytes() > _CACHE_BYTES:
            self._images.popitem(last=False)
        self.page_rendered.emit(index)

    def _bytes(self) -> int:
        return sum(image.sizeInBytes() for image in self._images.values())


def _bounded(size: QSize) -> QSize:
    """A plan of a metre's width at four times its size would take gigabytes."""
    longest = max(size.width(), size.height(), 1)
    if longest <= _LONGEST_SIDE:
        return size.expandedTo(QSize(1, 1))
    return (size * (_LONGEST_SIDE / longest)).expandedTo(QSize(1, 1))
