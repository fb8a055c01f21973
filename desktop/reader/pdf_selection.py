"""Text of one PDF page, selected with the mouse."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtPdf import QPdfDocument

from engine.intake import boxes
from engine.intake.boxes import Rect

_LINE_WEIGHT = 4.0
"""So much farther is a point above or below a character than beside it: a line is long, the next one near."""


class PdfSelection(QObject):
    """Points are in points of the page as displayed; a selection stays on the page where it began.

    QtPdf knows the text that a page has of its own. A page that OCR has read is a picture to it; there the
    stored characters are selected, as soon as they have come.

    Signals:
        changed(): something else is selected.
        glyphs_wanted(object): index of a page read by OCR whose characters are not here yet.
    """

    changed = Signal()
    glyphs_wanted = Signal(object)

    def __init__(self, document: QPdfDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._read_by_ocr: frozenset[int] = frozenset()
        self._glyphs: dict[int, tuple[str, Sequence[Rect]]] = {}
        self.page: int | None = None
        self._begin, self._end = QPointF(), QPointF()
        self.text = ""
        self.rects: Sequence[Rect] = ()

    def set_document_facts(self, read_by_ocr: frozenset[int]) -> None:
        """Indexes of the pages whose own text, if there is any, is not what people see."""
        if read_by_ocr != self._read_by_ocr:
            self._read_by_ocr = read_by_ocr
            self._glyphs.clear()

    def set_glyphs(self, index: int, text: str, glyphs: Sequence[Rect]) -> None:
        """The stored characters of a page, each with its place."""
        self._glyphs[index] = (text, glyphs)
        if index == self.page:
            self._select()

    def begin(self, index: int, point: QPointF) -> None:
        self.clear()
        self.page, self._begin, self._end = index, point, point
        if index in self._read_by_ocr and index not in self._glyphs:
            self.glyphs_wanted.emit(index)

    def extend(self, point: QPointF) -> None:
        if self.page is not None:
            self._end = point
            self._select()

    def clear(self) -> None:
        self.page, self.text, self.rects = None, "", ()
        self.changed.emit()

    def _select(self) -> None:
        assert self.page is not None
        if self.page in self._read_by_ocr:
            self.text, self.rects = self._stored(*self._glyphs.get(self.page, ("", ())))
        else:
            found = self._document.getSelection(self.page, self._begin, self._end)
            if found.isValid():
                areas = [polygon.boundingRect() for polygon in found.bounds()]
                self.text = found.text().replace("\r\n", "\n")
                self.rects = [(area.left(), area.top(), area.right(), area.bottom()) for area in areas]
        self.changed.emit()

    def _stored(self, text: str, glyphs: Sequence[Rect]) -> tuple[str, Sequence[Rect]]:
        ends = sorted(_nearest(point, glyphs) for point in (self._begin, self._end))
        if ends[0] < 0:
            return "", ()
        chosen = slice(ends[0], ends[1] + 1)
        return text[chosen], boxes.lines(glyphs[chosen])


def _nearest(point: QPointF, glyphs: Sequence[Rect]) -> int:
    """Index of the character nearest to a point; -1 where there is none."""
    best, least = -1, float("inf")
    for index, (x0, y0, x1, y1) in enumerate(glyphs):
        if not x1 and not y1:
            continue
        across = max(x0 - point.x(), 0.0, point.x() - x1)
        along = max(y0 - point.y(), 0.0, point.y() - y1)
        distance = across + _LINE_WEIGHT * along
        if distance < least:
            best, least = index, distance
    return best
