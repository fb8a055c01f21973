"""Where a chunk stands in formats without pages: rows of a sheet, line of a text, slide, chapter."""

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.documents import Page, PageSpan

_BY_LINE = frozenset({"text", "markdown"})


@dataclass(frozen=True, slots=True)
class _Place:
    location: Mapping[str, Any] | None
    line_starts: "array[int]"
    rows: tuple[int, ...]
    headers: tuple[tuple[int, int], ...]

    def line(self, offset: int) -> int:
        """Number from 0 of the line that holds ``offset``."""
        return bisect_right(self.line_starts, offset) - 1


class Places:
    """Remembers of each page what a location needs; ``kind`` is the document's."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._pages: dict[int, _Place] = {}

    def note(self, page: Page) -> None:
        by_line = self._kind in _BY_LINE and page.location is None
        if page.location is None and not by_line:
            return
        starts = array("q", [0])
        if by_line or page.rows:
            at = page.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = page.text.find("\n", at + 1)
        headers = tuple((table.start, table.header_end) for table in page.tables)
        self._pages[page.number] = _Place(page.location, starts, page.rows, headers)

    def forget(self) -> None:
        """Drop the pages whose chunks are made."""
        self._pages.clear()

    def of(self, spans: Sequence[PageSpan]) -> dict[str, Any] | None:
        """The location of a chunk with these spans, repeated text not counted; None where pages say it."""
        if not spans or (place := self._pages.get(spans[0].page)) is None:
            return None
        if place.location is None:
            return {"line": place.line(spans[0].start) + 1}
        location = dict(place.location)
        rows = self._rows(spans, location)
        if rows:
            location["rows"] = [min(rows), max(rows)]
        return location

    def _rows(self, spans: Sequence[PageSpan], location: Mapping[str, Any]) -> list[int]:
        """The sheet's rows in ``spans``, those of the header only if there are no others."""
        rows: list[int] = []
        headers: list[int] = []
        for span in spans:
            place = self._pages.get(span.page)
            if place is None or place.location is None or not place.rows:
                continue
            if place.location.get("sheet") != location.get("sheet"):
                break
            # The line break at a span's end belongs to the row before it.
            for line in range(place.line(span.start), place.line(max(span.start, span.end - 1)) + 1):
                row = place.rows[line] if line < len(place.rows) else 0
                start = place.line_starts[line]
                is_header = any(begin <= start < end for begin, end in place.headers)
                if row:
                    (headers if is_header else rows).append(row)
        return rows or headers
