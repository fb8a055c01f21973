"""The running text of pages, built piece by piece, with the place of every character kept."""

from bisect import bisect_right
from dataclasses import dataclass, replace

from engine.documents import Dropped, Heading, Page, PageSpan, Table


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of clean text that is the same run of a page. Runs of one ``island`` make one span."""

    start: int
    length: int
    page: int
    offset: int
    island: int


@dataclass(frozen=True, slots=True)
class CleanText:
    """Running text; the offsets of ``headings``, ``tables`` and ``code`` count in ``text``.

    ``code`` are blocks ([start, end)) that are kept whole where they fit.
    """

    text: str
    headings: tuple[Heading, ...]
    dropped: tuple[Dropped, ...]
    segments: tuple[Segment, ...]
    tables: tuple[Table, ...] = ()
    code: tuple[tuple[int, int], ...] = ()

    def spans(self, start: int, end: int) -> tuple[PageSpan, ...]:
        """Where ``text[start:end]`` stands: one span a page, more only around text that was left out."""
        result: list[PageSpan] = []
        island = -1
        at = max(0, bisect_right(self.segments, start, key=lambda segment: segment.start) - 1)
        while at < len(self.segments) and (segment := self.segments[at]).start < end:
            at += 1
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


class Builder:
    """Collects running text. ``put`` adds text of the page last started, ``insert`` what joins pieces."""

    def __init__(self) -> None:
        self.length = 0
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._headings: list[Heading] = []
        self._dropped: list[Dropped] = []
        self._tables: list[Table] = []
        self._code: list[tuple[int, int]] = []
        self._page = 0
        self._island = 0

    @property
    def tail(self) -> str:
        return self._parts[-1] if self._parts else ""

    def last(self, characters: int) -> str:
        """About so many of the last characters."""
        taken: list[str] = []
        for part in reversed(self._parts):
            taken.append(part)
            characters -= len(part)
            if characters <= 0:
                break
        return "".join(reversed(taken))

    def finish(self) -> CleanText:
        return CleanText(
            "".join(self._parts),
            tuple(self._headings),
            tuple(self._dropped),
            tuple(self._segments),
            tuple(self._tables),
            tuple(self._code),
        )

    def drop(self, page: Page, start: int, end: int, why: str) -> None:
        if page.text[start:end].strip():
            span = PageSpan(page.number, start, end)
            self._dropped.append(Dropped(span, page.text[start:end], why))

    def take_up(self, page: Page, start: int, end: int) -> None:
        """Forget that this text was dropped."""
        span = PageSpan(page.number, start, end)
        self._dropped = [dropped for dropped in self._dropped if dropped.span != span]

    def start_page(self, number: int) -> None:
        """What follows stands on this page, and makes a span of its own."""
        self._page = number
        self._island += 1

    def heading(self, heading: Heading) -> None:
        self._headings.append(replace(heading, offset=self.length))

    def table(self, table: Table) -> None:
        self._tables.append(table)

    def ends_in_table(self) -> bool:
        return bool(self._tables) and self._tables[-1].end == self.length

    def lengthen_table(self, end: int) -> None:
        self._tables[-1] = replace(self._tables[-1], end=end)

    def code(self, start: int, end: int) -> None:
        self._code.append((start, end))

    def put(self, text: str, offset: int) -> None:
        """Add text that stands at ``offset`` of the page."""
        last = self._segments[-1] if self._segments else None
        if (
            last is not None
            and last.island == self._island
            and last.offset + last.length == offset
            and last.start + last.length == self.length
        ):
            self._segments[-1] = Segment(
                last.start, last.length + len(text), last.page, last.offset, last.island
            )
        else:
            self._segments.append(Segment(self.length, len(text), self._page, offset, self._island))
        self.insert(text)

    def insert(self, text: str) -> None:
        """Add text that stands on no page."""
        if text:
            self._parts.append(text)
            self.length += len(text)

    def take_back(self) -> None:
        """Leave out the last character again: a hyphen that only the line's end put there."""
        last = self._segments[-1]
        self._segments[-1] = Segment(last.start, last.length - 1, last.page, last.offset, last.island)
        self._parts[-1] = self._parts[-1][:-1]
        self.length -= 1
