"""What lies over the text of a page: chunks, and what was left out. Plain arithmetic, no widgets."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.documents import Chunk, Dropped, Page

PART_LENGTH = 40_000
"""Longer pages are shown in parts: a line of a million characters would hold the window up for seconds."""


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """``[start, end)`` of the page's text is in the chunk with this place in the list of chunks."""

    start: int
    end: int
    chunk: int


@dataclass(frozen=True, slots=True)
class PageLayers:
    """A page with its chunks' spans and what was left out, both in order of their start."""

    page: Page
    chunks: tuple[ChunkSpan, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def chunks_at(self, offset: int) -> list[int]:
        return [span.chunk for span in self.chunks if span.start <= offset < span.end]

    def dropped_at(self, offset: int) -> Dropped | None:
        return next((d for d in self.dropped if d.span.start <= offset < d.span.end), None)

    def reasons(self) -> Mapping[str, int]:
        """How many places were left out for each reason."""
        return Counter(item.why for item in self.dropped)

    def homeless(self) -> int:
        """Characters, blanks aside, that are in no chunk and were not left out for a reason either."""
        covered = [(span.start, span.end) for span in self.chunks]
        covered += [(item.span.start, item.span.end) for item in self.dropped]
        text, at, count = self.page.text, 0, 0
        for start, end in sorted(covered):
            count += _letters(text[at:start]) if start > at else 0
            at = max(at, end)
        return count + _letters(text[at:])

    def parts(self) -> list[tuple[int, int]]:
        """The page cut into pieces that can be shown, at a line's end where there is one near."""
        text, start, found = self.page.text, 0, []
        while len(text) - start > PART_LENGTH:
            line_end = text.rfind("\n", start + PART_LENGTH // 2, start + PART_LENGTH)
            end = line_end + 1 if line_end >= 0 else start + PART_LENGTH
            found.append((start, end))
            start = end
        return [*found, (start, len(text))]


class Layers:
    """Looks up the layers of each page of a document."""

    def __init__(self, pages: Sequence[Page], chunks: Sequence[Chunk], dropped: Sequence[Dropped]) -> None:
        self._pages = {page.number: page for page in pages}
        self._chunks: dict[int, list[ChunkSpan]] = defaultdict(list)
        self._dropped: dict[int, list[Dropped]] = defaultdict(list)
        for place, chunk in enumerate(chunks):
            for span in chunk.spans:
                self._chunks[span.page].append(ChunkSpan(span.start, span.end, place))
        for item in dropped:
            self._dropped[item.span.page].append(item)

    def of(self, number: int) -> PageLayers:
        """The layers of page ``number``, which is stored."""
        return PageLayers(
            self._pages[number],
            tuple(sorted(self._chunks.get(number, ()), key=lambda span: (span.start, span.chunk))),
            tuple(sorted(self._dropped.get(number, ()), key=lambda item: item.span.start)),
        )

    def chunk_count(self, number: int) -> int:
        return len({span.chunk for span in self._chunks.get(number, ())})


def within(spans: Sequence[tuple[int, int]], part: tuple[int, int]) -> Iterator[tuple[int, int, int]]:
    """What of the spans lies in the part, counted from the part's start, with each span's place."""
    first, last = part
    for place, (start, end) in enumerate(spans):
        if start < last and end > first:
            yield max(start, first) - first, min(end, last) - first, place


def _letters(text: str) -> int:
    return sum(not char.isspace() for char in text)
