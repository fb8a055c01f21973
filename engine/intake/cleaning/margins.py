"""What a page shows near its top and bottom edge, in a form that pages can be compared by."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from statistics import median

from engine.intake.boxes import Rect
from engine.intake.cleaning import page_numbers
from engine.intake.cleaning.page_lines import PageLines, is_blank

_ZONE = 0.14
"""Share of the page's height from either edge in which headers and footers stand."""

_LONGEST = 120
_HEIGHT_SLACK, _SCAN_SLACK = 3.0, 0.02
"""How far a running line may move: points, on scanned pages a share of the page's height."""

_SIMILAR = 0.8
_STAMP = range(2, 41)
_STAMP_SLACK = 6.0
_LARGE = 1.5
_TABLE_LINES = 3
"""A table with more lines is no running header, whatever repeats in it."""

_DIGITS = re.compile(r"\d+")
_TITLED = re.compile(
    r"第?\s*[#§]\s*[章节條条编篇部回卷集]|(?:附件|附录|附表|附图|表|图|例|chapter|section|article|part|table|figure"
    r"|fig\.|appendix|annex|exhibit|schedule|note)\s*[#§]",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)  # a page's lines are compared with those of 24 others
def folded(text: str) -> str:
    """``text`` in lower case without blanks, and with # for each number."""
    return _DIGITS.sub("#", "".join(unicodedata.normalize("NFKC", text).casefold().split()))


def _counted(text: str, label: str | None) -> tuple[str, tuple[int, ...]]:
    """A line folded, and the numbers in it; the page's printed label, i or 12, is § and no number."""
    words = unicodedata.normalize("NFKC", text).split()
    for at in (-1, 0):
        if label and len(words) > 1 and words[at].casefold() == label.casefold():
            words[at] = "§"
            break
    plain = " ".join(words)
    # In one page's footer the columns of a table stand above the number, in another's they do not.
    return folded(plain).replace("|", ""), tuple(int(group) for group in _DIGITS.findall(plain))


def words_of(key: str) -> str:
    """The letters of a folded text; '' where only a page's number is left."""
    letters = "".join(char for char in key if char.isalpha())
    return "" if letters in ("", "第页", "第页共页", "页", "page", "pageof", "p") else letters


def is_similar(one: str, other: str) -> bool:
    """Whether two texts may be the same, read differently by OCR."""
    return min(len(one), len(other)) > 3 and SequenceMatcher(None, one, other).ratio() >= _SIMILAR


@dataclass(frozen=True, slots=True)
class Edge:
    """A line in a margin. ``height`` is the distance of its middle from the page's edge, in points."""

    start: int
    end: int
    text: str
    key: str
    numbers: tuple[int, ...]
    height: float
    place: Rect

    @property
    def words(self) -> str:
        return words_of(self.key)

    @property
    def size(self) -> float:
        return self.place[3] - self.place[1]

    @property
    def is_titled(self) -> bool:
        """Whether it counts something else than pages: 附件 3, Table 3."""
        return _TITLED.match(self.key) is not None


class Margins:
    """The lines of a page that may run along with the pages."""

    def __init__(self, lines: PageLines) -> None:
        self.lines = lines
        self.stamped: frozenset[tuple[int, int]] = frozenset()
        self._folded: list[str] | None = None
        drawn = [
            (number, extent.place)
            for number, extent in enumerate(lines.extents)
            if extent is not None and not is_blank(lines.text(number))
        ]
        self._rows = sorted((place for _, place in drawn), key=lambda place: place[1])
        self.size = median([place[3] - place[1] for place in self._rows]) if self._rows else 0.0
        self._top = self._zone(drawn, top=True)
        self._bottom = self._zone(drawn, top=False)
        self.stamps, self._large = self._repeated(drawn)
        shown = [span for number, span in enumerate(lines.spans) if lines.text(number).strip()]
        self.ends = [shown[0], shown[-1]] if len(shown) > 1 else []
        self.shifts = self._shifts()

    def edges(self, *, top: bool) -> list[Edge]:
        """Lines of a margin from the edge inwards, without those that belong to a stamp."""
        edges = self._top if top else self._bottom
        return [edge for edge in edges if (edge.start, edge.end) not in self.stamped]

    def repeats(self, edge: Edge, near: Sequence["Margins"], *, top: bool) -> tuple[int, bool]:
        """On how many pages (this one counted) the line stands, and whether its numbers run along."""
        hits, varies = 1, False
        for other in near:
            for candidate in other._top if top else other._bottom:
                if self._is_same(edge, candidate, other):
                    hits += 1
                    varies = varies or candidate.numbers != edge.numbers or "§" in edge.key
                    break
        return hits, varies

    def is_apart(self, edge: Edge, *, top: bool) -> bool:
        """Whether the line is set apart from the text that follows it inwards: by a gap or its size."""
        if top:
            inner = [row for row in self._rows if row[1] >= edge.place[3] - 0.3 * edge.size]
            nearest = min(inner, key=lambda row: row[1], default=None)
            gap = nearest[1] - edge.place[3] if nearest else 0.0
        else:
            inner = [row for row in self._rows if row[3] <= edge.place[1] + 0.3 * edge.size]
            nearest = max(inner, key=lambda row: row[3], default=None)
            gap = edge.place[1] - nearest[3] if nearest else 0.0
        if nearest is None:
            return True
        size = nearest[3] - nearest[1]
        if abs(size - edge.size) > 0.08 * max(size, edge.size):
            return True
        return gap > max(0.8, 1.3 * self.lines.gap) * edge.size

    def is_stamped(self, words: str, places: Sequence[Rect]) -> bool:
        """Whether the stamp stands here where it stands at one of ``places``."""
        return any(
            abs(here[0] - there[0]) < _STAMP_SLACK and abs(here[1] - there[1]) < _STAMP_SLACK
            for here in self.stamps.get(words, ())
            for there in places
        )

    def mixes(self, words: str) -> bool:
        """Whether the stamp is printed into a line of other text."""
        return words in self.stamps and any(cut > 0 for _, cut in self.stamped_lines(words))

    def stamped_lines(self, words: str) -> Iterator[tuple[int, int]]:
        """Numbers of the lines that end with the stamp, and how many of their characters stand before it."""
        if self._folded is None:
            self._folded = [folded(self.lines.text(number)) for number in range(len(self.lines.spans))]
        for number, line in enumerate(self._folded):
            if line.endswith(words) and (cut := stamped_tail(self.lines.text(number), words)) is not None:
                yield number, cut

    def is_large(self, words: str) -> bool:
        return words in self._large

    def _is_same(self, edge: Edge, candidate: Edge, other: "Margins") -> bool:
        slack = max(_HEIGHT_SLACK, 0.5 * edge.size)
        scanned = self.lines.page.from_ocr or other.lines.page.from_ocr
        if scanned and self.lines.page.size is not None:
            slack = max(slack, _SCAN_SLACK * self.lines.page.size[1])
        if abs(edge.height - candidate.height) > slack:
            return False
        if edge.key != candidate.key:
            return scanned and is_similar(edge.key, candidate.key)
        here, there = self.lines.page.number, other.lines.page.number
        return all(
            a == b or a - here == b - there for a, b in zip(edge.numbers, candidate.numbers, strict=True)
        )

    def _zone(self, drawn: Sequence[tuple[int, Rect]], *, top: bool) -> list[Edge]:
        size = self.lines.page.size
        if size is None:
            return []
        found = []
        for number, place in drawn:
            middle = (place[1] + place[3]) / 2
            height = middle if top else size[1] - middle
            start, end = self.lines.spans[number]
            if height <= _ZONE * size[1] and end - start <= _LONGEST and not self._in_table(start):
                text = self.lines.text(number).strip()
                key, numbers = _counted(text, self.lines.page.label)
                found.append(Edge(start, end, text, key, numbers, height, place))
        return sorted(found, key=lambda edge: edge.height)

    def _in_table(self, start: int) -> bool:
        text = self.lines.page.text
        return any(
            table.start <= start < table.end and text.count("\n", table.start, table.end) >= _TABLE_LINES
            for table in self.lines.page.tables
        )

    def _repeated(self, drawn: Sequence[tuple[int, Rect]]) -> tuple[dict[str, list[Rect]], frozenset[str]]:
        """Short lines that the page shows more than once or much larger than its text, with their places."""
        places: dict[str, list[Rect]] = defaultdict(list)
        for number, place in drawn:
            start, end = self.lines.spans[number]
            if end - start in _STAMP and not self._in_table(start):
                places[folded(self.lines.text(number))].append(place)
        large = frozenset(
            words
            for words, found in places.items()
            if min(place[3] - place[1] for place in found) > _LARGE * self.size
        )
        stamps = {
            words: found
            for words, found in places.items()
            if (len(found) > 1 or words in large)
            and words_of(words)
            and not words.endswith((":", "#"))
            and not _TITLED.match(words)
        }
        return stamps, large

    def _shifts(self) -> frozenset[int]:
        """By how much bare numbers at the ends of the page differ from the page's own."""
        lines = [self.lines.page.text[start:end] for start, end in self.ends]
        lines += [edge.text for edge in (*self._top[:3], *self._bottom[:3])]
        numbers = [number for line in lines if (number := page_numbers.bare(line)) is not None]
        return frozenset(int(number) - self.lines.page.number for number in numbers if number.isdecimal())


def stamped_tail(line: str, words: str) -> int | None:
    """Where the stamp begins that ends the line; 0 if it is the whole line, None if there is none."""
    whole = folded(line)
    if whole == words:
        return 0
    if not whole.endswith(words):
        return None
    at = len(line)
    while (at := line.rfind(" ", 0, at)) > 0:
        tail = folded(line[at:])
        if tail == words:
            return len(line[:at].rstrip())
        if len(tail) > len(words):
            return None
    return None
