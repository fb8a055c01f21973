"""Pages to one running text, with the place of every character kept.

Page numbers go, wrapped lines are joined, blanks at line ends and runs of blank lines shrink. Text is
left out, never changed: each character of the result stands on a page, apart from what joins pages
and lines.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from engine.documents import Dropped, Heading, Page, PageSpan
from engine.intake import boxes
from engine.intake.linebreaks import LineBox, is_hyphenated, is_wrap, joint, line_boxes, usual_gap

_NUMBER_LINE = re.compile(
    r"(?:[-–—·~\s]*第?\s*(\d{1,5}|[ivxlc]{1,8})\s*页?[-–—·~\s]*"
    r"|第\s*\d{1,5}\s*页\s*[/,，、（(]?\s*共\s*\d{1,5}\s*页\s*[)）]?"
    r"|共\s*\d{1,5}\s*页\s*[/,，、]?\s*第\s*\d{1,5}\s*页"
    r"|页\s*码?\s*[:：]?\s*\d{1,5}(?:\s*/\s*\d{1,5})?"
    r"|\d{1,5}\s*/\s*\d{1,5}"
    r"|(?:page|p\.)\s*\d{1,5}(?:\s*(?:of|/)\s*\d{1,5})?)",
    re.IGNORECASE,
)
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff\ufffc]+")
_HAN = "\u2e80-\u2fdf\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
_SPACED = re.compile(rf"(?:[{_HAN}] ){{2,}}[{_HAN}]")
_SPACE = re.compile(rf"(?<=[{_HAN}]) (?=[{_HAN}])")

_NEIGHBOURS = 40


@dataclass(frozen=True, slots=True)
class _Segment:
    """A run of clean text that is the same run of a page. Runs of one ``island`` make one span."""

    start: int
    length: int
    page: int
    offset: int
    island: int


@dataclass(frozen=True, slots=True)
class CleanText:
    """The running text of a document; headings' offsets count in ``text``."""

    text: str
    headings: tuple[Heading, ...]
    dropped: tuple[Dropped, ...]
    _segments: tuple[_Segment, ...]

    def spans(self, start: int, end: int) -> tuple[PageSpan, ...]:
        """Where ``text[start:end]`` stands: one span a page, more only around text that was left out."""
        result: list[PageSpan] = []
        island = -1
        first = bisect_right(self._segments, start, key=lambda segment: segment.start) - 1
        for segment in self._segments[max(0, first) :]:
            if segment.start >= end:
                break
            begin = segment.offset + max(0, start - segment.start)
            stop = segment.offset + min(segment.length, end - segment.start)
            if stop <= begin:
                continue
            if segment.island == island:
                result[-1] = PageSpan(segment.page, result[-1].start, stop)
            else:
                result.append(PageSpan(segment.page, begin, stop))
                island = segment.island
        return tuple(result)


def clean(pages: Sequence[Page], *, laid_out: bool, unusable: Collection[int] = ()) -> CleanText:
    """The running text of ``pages``.

    ``laid_out``: the line ends are those of printed pages (PDF), not the author's. ``unusable`` are
    pages whose text says nothing.
    """
    builder = _Builder()
    numbers = _page_number_lines(pages) if laid_out else {}
    before: _PageLines | None = None
    for page in pages:
        if page.number in unusable:
            builder.drop(page, 0, len(page.text), "unusable_text")
            continue
        lines = _PageLines(page, laid_out)
        for start, end in numbers.get(page.number, ()):
            builder.drop(page, start, end, "page_number")
        kept = set(lines.spans).difference(numbers.get(page.number, ()))
        if all(_is_blank(page.text[start:end]) for start, end in kept):
            continue
        _add_page(builder, page, lines, kept, before)
        before = lines
    return builder.finish()


class _PageLines:
    """The lines of a page with their extents, where the page is laid out."""

    def __init__(self, page: Page, laid_out: bool) -> None:
        self.spans = list(_lines(page.text))
        self.extents: dict[tuple[int, int], LineBox | None] = {}
        self._column: list[LineBox | None] = []
        self.gap = 0.0
        self.last: LineBox | None = None
        if laid_out and page.boxes is not None and page.size is not None:
            glyphs = boxes.unpack(page.boxes, page.size)
            extents = line_boxes(page.text, glyphs, self.spans)
            self.extents = dict(zip(self.spans, extents, strict=True))
            self._column = extents
            self.gap = usual_gap(extents)

    def around(self, number: int) -> list[LineBox | None]:
        """Lines near line ``number``: enough to see a column, few enough for a page of 10,000 lines."""
        return self._column[max(0, number - _NEIGHBOURS) : number + _NEIGHBOURS]


def _add_page(
    builder: "_Builder",
    page: Page,
    lines: _PageLines,
    kept: Collection[tuple[int, int]],
    before: _PageLines | None,
) -> None:
    starts = {heading.offset: heading for heading in page.headings}
    above: tuple[int, int] | None = None
    blanks = 0
    for number, span in enumerate(lines.spans):
        start, end = span
        if span not in kept:
            continue
        text = page.text[start:end]
        if _is_blank(text):
            blanks += 1
            continue
        extent = lines.extents.get(span)
        if above is None:
            last = before.last if before is not None else None
            wrapped = (
                before is not None
                and last is not None
                and extent is not None
                and start not in starts
                and is_wrap(last, extent, before.around(len(before.spans)), apart=True)
            )
            builder.start_page(page, joint(builder.tail, text.lstrip()) if wrapped else "\n\n")
        else:
            upper = lines.extents.get(above)
            wrapped = (
                upper is not None and extent is not None and start not in starts and above[0] not in starts
            )
            if wrapped and upper is not None and extent is not None:
                jumped = extent.v1 <= upper.v0
                wrapped = (jumped or not blanks) and is_wrap(
                    upper, extent, lines.around(number), apart=jumped, gap=lines.gap
                )
            builder.break_line(text.lstrip(), above[1], start, wrapped=wrapped, blank=blanks > 0)
        if start in starts:
            builder.heading(starts[start])
        builder.add_line(text, start, laid_out=bool(lines.extents), keep_indent=not wrapped)
        above = span
        lines.last = extent
        blanks = 0


class _Builder:
    """Collects the running text piece by piece."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._segments: list[_Segment] = []
        self._headings: list[Heading] = []
        self._dropped: list[Dropped] = []
        self._page = 0
        self._island = 0

    @property
    def tail(self) -> str:
        return self._parts[-1] if self._parts else ""

    def finish(self) -> CleanText:
        text = "".join(self._parts)
        return CleanText(text, tuple(self._headings), tuple(self._dropped), tuple(self._segments))

    def drop(self, page: Page, start: int, end: int, why: str) -> None:
        if page.text[start:end].strip():
            span = PageSpan(page.number, start, end)
            self._dropped.append(Dropped(span, page.text[start:end], why))

    def start_page(self, page: Page, between: str) -> None:
        self._page = page.number
        self._island += 1
        if self._parts:
            self._insert(between)

    def heading(self, heading: Heading) -> None:
        self._headings.append(Heading(self._length, heading.level, heading.text))

    def break_line(self, below: str, at: int, until: int, *, wrapped: bool, blank: bool) -> None:
        """End the line above, whose line break stands at ``at`` of the page."""
        if not wrapped:
            self._put("\n", at)
            if blank:
                # The second of the two breaks; whatever stood between them is left out.
                self._put("\n", until - 1)
        elif is_hyphenated(self.tail, below):
            self._take_back()
        else:
            between = joint(self.tail, below)
            if between:
                self._put(between, at)

    def add_line(self, text: str, offset: int, *, laid_out: bool, keep_indent: bool) -> None:
        end = len(text.rstrip())
        at = 0 if keep_indent and not laid_out else len(text) - len(text.lstrip())
        skipped = [match.span() for match in _INVISIBLE.finditer(text, at, end)]
        if laid_out:
            for run in _SPACED.finditer(text, at, end):
                # Letters set apart for looks: no word would be found in them.
                skipped += [match.span() for match in _SPACE.finditer(text, run.start(), run.end())]
        for start, stop in sorted(skipped):
            if start > at:
                self._put(text[at:start], offset + at)
            at = max(at, stop)
        if end > at:
            self._put(text[at:end], offset + at)

    def _put(self, text: str, offset: int) -> None:
        last = self._segments[-1] if self._segments else None
        if (
            last is not None
            and last.island == self._island
            and last.offset + last.length == offset
            and last.start + last.length == self._length
        ):
            self._segments[-1] = _Segment(
                last.start, last.length + len(text), last.page, last.offset, last.island
            )
        else:
            self._segments.append(_Segment(self._length, len(text), self._page, offset, self._island))
        self._insert(text)

    def _insert(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    def _take_back(self) -> None:
        """Leave out the last character again: a hyphen that only the line's end put there."""
        last = self._segments[-1]
        self._segments[-1] = _Segment(last.start, last.length - 1, last.page, last.offset, last.island)
        self._parts[-1] = self._parts[-1][:-1]
        self._length -= 1


def _is_blank(line: str) -> bool:
    return not line.strip() or not _INVISIBLE.sub("", line).strip()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        if end < 0:
            end = len(text)
        yield start, end
        start = end + 1


def _page_number_lines(pages: Sequence[Page]) -> dict[int, list[tuple[int, int]]]:
    """First and last lines that hold nothing but the page's number.

    A bare number is one only if it is the page's own, or runs along with the pages.
    """
    certain: dict[int, list[tuple[int, int]]] = {}
    bare: list[tuple[Page, tuple[int, int], str]] = []
    for page in pages:
        lines = [span for span in _lines(page.text) if page.text[span[0] : span[1]].strip()]
        if len(lines) < 2:
            continue
        for span in (lines[0], lines[-1]):
            text = page.text[span[0] : span[1]].strip()
            match = _NUMBER_LINE.fullmatch(text) if len(text) < 30 else None
            if match is None:
                continue
            if match[1] is None or "页" in text:
                certain.setdefault(page.number, []).append(span)
            else:
                bare.append((page, span, match[1].lower()))
    shifts = Counter(int(number) - page.number for page, _, number in bare if number.isdecimal())
    for page, span, number in bare:
        own = number in (str(page.number), (page.label or "").lower())
        if own or (number.isdecimal() and shifts[int(number) - page.number] > 1):
            certain.setdefault(page.number, []).append(span)
    return certain
