"""What is marked on the pages of a PDF, and how it is painted on their paper."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from desktop.design_tokens import (
    PAPER_FOUND,
    PAPER_FOUND_NOW,
    PAPER_MARK,
    PAPER_MARK_LINE,
    PAPER_MARK_SOFT,
    PAPER_SELECTED,
)

Rect = tuple[float, float, float, float]
PageRects = Mapping[int, Sequence[Rect]]
_PADDING = 1.0
_LINE = 1.5


@dataclass(slots=True)
class PdfMarks:
    """Rectangles in points of the page as displayed, by the page's index.

    ``sentence`` is what is cited, ``passage`` what stands around it; ``found`` are places of words that were
    looked for in order, ``found_now`` is the one that is shown.
    """

    sentence: PageRects = field(default_factory=dict)
    passage: PageRects = field(default_factory=dict)
    found: Sequence[tuple[int, Sequence[Rect]]] = ()
    found_now: int | None = None

    def paint(
        self,
        painter: QPainter,
        index: int,
        placed: Callable[[Iterable[Rect]], list[QRectF]],
        selected: Sequence[Rect] = (),
    ) -> None:
        """Multiply the marks of page ``index`` onto it, as a marker pen does: letters stay black.

        ``placed`` says where rectangles lie on the painter's device now.
        """
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        passage = self.passage.get(index, ())
        sentence = placed(self.sentence.get(index, ()))
        self._fill(painter, placed(passage), PAPER_MARK_SOFT)
        self._fill(painter, sentence, PAPER_MARK)
        if self.passage:
            # Told apart by more than the colour.
            for rect in sentence:
                line = QRectF(rect.left(), rect.bottom() + _PADDING - _LINE, rect.width(), _LINE)
                painter.fillRect(line, QColor(PAPER_MARK_LINE))
        for number, (page, rects) in enumerate(self.found):
            if page == index:
                colour = PAPER_FOUND_NOW if number == self.found_now else PAPER_FOUND
                self._fill(painter, placed(rects), colour)
        self._fill(painter, placed(selected), PAPER_SELECTED)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    def _fill(self, painter: QPainter, rects: Iterable[QRectF], colour: str) -> None:
        for rect in rects:
            painter.fillRect(rect.adjusted(-_PADDING, -_PADDING, _PADDING, _PADDING), QColor(colour))
