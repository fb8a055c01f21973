"""The lines of a page: where each stands, and which of them stay out of the running text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.documents import Page
from engine.intake import boxes
from engine.intake.cleaning.linebreaks import LineBox, line_boxes, usual_gap

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff\ufffc]+")

_NEIGHBOURS = 40


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text ``[start, end)`` of a page that is kept out of the chunks, and the code of the reason.

    ``words`` is what it says but for numbers, in the form of :func:`folded`; '' when nothing is lost.
    """

    start: int
    end: int
    why: str
    words: str = ""


class PageLines:
    """The lines of a page with their extents, where the page is laid out.

    ``spans`` are [start, end) in the page's text; ``extents`` (empty for a page that is not laid out)
    has one extent a line, None for a line without glyphs. ``left_out`` is set by
    :mod:`engine.intake.cleaning.running_lines`.
    """

    def __init__(self, page: Page, *, laid_out: bool) -> None:
        self.page = page
        self.spans = list(_lines(page.text))
        self.extents: list[LineBox | None] = []
        self.gap = 0.0
        self.left_out: tuple[LeftOut, ...] = ()
        if laid_out and page.boxes is not None and page.size is not None:
            glyphs = boxes.unpack(page.boxes, page.size)
            self.extents = line_boxes(page.text, glyphs, self.spans)
            self.gap = usual_gap(self.extents)

    def text(self, number: int) -> str:
        start, end = self.spans[number]
        return self.page.text[start:end]

    def extent(self, number: int) -> LineBox | None:
        return self.extents[number] if self.extents else None

    def around(self, number: int) -> list[LineBox | None]:
        """Lines near line ``number``: enough to see a column, few enough for a page of 10,000 lines."""
        return self.extents[max(0, number - _NEIGHBOURS) : number + _NEIGHBOURS]

    def kept(self) -> Iterator[int]:
        """Numbers of the lines that are not left out as a whole and not blank."""
        whole = {(part.start, part.end) for part in self.left_out}
        for number, span in enumerate(self.spans):
            if span not in whole and not is_blank(self.page.text[span[0] : span[1]]):
                yield number


def is_blank(line: str) -> bool:
    return not line.strip() or not INVISIBLE.sub("", line).strip()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        if end < 0:
            end = len(text)
        yield start, end
        start = end + 1
