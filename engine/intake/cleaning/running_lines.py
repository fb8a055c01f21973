"""Running headers and footers, page numbers and stamps: lines that come back on page after page.

A line runs along when several pages near it have the same line, or the same but for numbers that count
with the pages, at the same height of the top or bottom margin, and when it is set apart from the text.
Conservative: a line that is only suspicious stays in the text. Pages flow through; the look ahead is
:data:`NEAR` pages.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from engine.intake import boxes
from engine.intake.cleaning import page_numbers
from engine.intake.cleaning.linebreaks import line_boxes
from engine.intake.cleaning.margins import Edge, Margins, words_of
from engine.intake.cleaning.page_lines import LeftOut, PageLines

NEAR = 12
"""Pages on either side that a page is compared with."""

_PAGES = 3
"""A line runs from so many pages on; in a document of so few pages, when two have it."""

_SURE = 5
"""A line that comes word for word on so many pages near need not be set apart from the text."""

_LARGE, _LARGE_PAGES = 1.25, 6
"""A line so much larger than the text is a title, unless as many pages near show it."""


class RunningLines:
    """Sets ``left_out`` of the pages that pass through, in order."""

    def __init__(self) -> None:
        self._window: deque[Margins] = deque()
        self._decided = 0
        """How many pages at the window's front have been handed on."""
        self._count = 0
        self._ended = False

    def push(self, lines: PageLines) -> Iterator[PageLines]:
        """Take a page; gives those about which all is known now."""
        self._window.append(Margins(lines))
        self._count += 1
        while len(self._window) - self._decided > NEAR:
            yield self._decide()

    def finish(self) -> Iterator[PageLines]:
        """The last pages, when no more come."""
        self._ended = True
        while self._decided < len(self._window):
            yield self._decide()

    def _decide(self) -> PageLines:
        page = self._window[self._decided]
        near = [other for other in self._window if other is not page]
        near = near[max(0, self._decided - NEAR) : self._decided + NEAR]
        found = self._stamps(page, near)
        found += self._margin(page, near, top=True) + self._margin(page, near, top=False)
        found += _by_pattern(page, near)
        page.lines.left_out = tuple({(part.start, part.end): part for part in found}.values())
        self._decided += 1
        if self._decided > NEAR:
            self._window.popleft()
            self._decided -= 1
        return page.lines

    def _margin(self, page: Margins, near: Sequence[Margins], *, top: bool) -> list[LeftOut]:
        """The running lines of one margin, from the edge of the page inwards."""
        edges = page.edges(top=top)
        running: list[tuple[Edge, str, bool]] = []
        for edge in edges:
            if _is_number(edge, page, near):
                running.append((edge, "page_number", True))
                continue
            hits, varies = page.repeats(edge, near, top=top)
            wanted = 2 if self._ended and self._count <= _PAGES else _PAGES
            if edge.size > _LARGE * page.size:
                wanted = max(wanted, _LARGE_PAGES)
            if hits < wanted or (varies and edge.is_titled) or (not varies and not edge.words):
                break
            why = "page_number" if not edge.words else "running_header" if top else "running_footer"
            sure = hits >= _SURE and not varies and " | " not in edge.text
            running.append((edge, why, sure))
        while running and not running[-1][2] and not page.is_apart(running[-1][0], top=top):
            running.pop()
        return [
            LeftOut(edge.start, edge.end, why, "" if why == "page_number" else edge.words)
            for edge, why, _ in running
        ]

    def _stamps(self, page: Margins, near: Sequence[Margins]) -> list[LeftOut]:
        """Slogans that are printed across the pages, whole lines or at the end of a line."""
        found: list[LeftOut] = []
        for words in {words for other in (page, *near) for words in other.stamps}:
            places = page.stamps.get(words) or next(o.stamps[words] for o in near if words in o.stamps)
            hits = sum(other.is_stamped(words, places) for other in (page, *near))
            if hits < _PAGES:
                continue
            mixed = any(other.mixes(words) for other in (page, *near))
            large = any(other.is_large(words) for other in (page, *near))
            if not mixed and not (large and hits >= _SURE):
                continue
            for number, cut in page.stamped_lines(words):
                start, end = page.lines.spans[number]
                if cut > 0:
                    _shorten(page.lines, number, cut)
                found.append(LeftOut(start + cut, end, "watermark", words_of(words)))
        page.stamped = frozenset((part.start, part.end) for part in found)
        return found


def _is_number(edge: Edge, page: Margins, near: Sequence[Margins]) -> bool:
    if page_numbers.is_certain(edge.text):
        return True
    number = page_numbers.bare(edge.text)
    return number is not None and _is_own(number, page, near)


def _is_own(number: str, page: Margins, near: Sequence[Margins]) -> bool:
    own = page.lines.page.number
    if number in (str(own), (page.lines.page.label or "").lower()):
        return True
    return number.isdecimal() and any(int(number) - own in other.shifts for other in near)


def _by_pattern(page: Margins, near: Sequence[Margins]) -> list[LeftOut]:
    """First and last line of the text that hold nothing but the page's number, wherever they stand."""
    found = []
    for start, end in page.ends:
        text = page.lines.page.text[start:end]
        number = page_numbers.bare(text)
        if page_numbers.is_certain(text) or (number is not None and _is_own(number, page, near)):
            found.append(LeftOut(start, end, "page_number"))
    return found


def _shorten(lines: PageLines, number: int, length: int) -> None:
    """Set a line's extent to that of its first ``length`` characters."""
    page = lines.page
    if page.boxes is None or page.size is None:
        return
    start, _ = lines.spans[number]
    glyphs = boxes.unpack(page.boxes, page.size)
    lines.extents[number] = line_boxes(page.text, glyphs, [(start, start + length)])[0]
