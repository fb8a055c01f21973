"""What is not torn while it fits into a chunk: articles, list items, rows of tables, code blocks."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from engine.documents import Table
from engine.intake.cleaning.clean_text import CleanText

_NUMERAL = r"[〇零一二三四五六七八九十百千万两\d０-９]{1,9}"
_ARTICLE = re.compile(
    rf"^[^\S\n]*(?:第\s?{_NUMERAL}\s?条|(?:Article|ARTICLE|Section|SECTION|§)\s?\d{{1,4}}\b)", re.MULTILINE
)
_MARK = (
    r"[^\S\n]*(?:[-•·●○■□◆◇※▪*+]\s|\d{1,3}(?:[)）、．]|\.\s|(?:\.\d{1,3}){1,4}\.?[\s\u3000])"
    r"|[（(](?:[一二三四五六七八九十百]{1,4}|\d{1,3}|[a-zA-Z])[)）]|[一二三四五六七八九十百]{1,4}、"
    rf"|第{_NUMERAL}[款项]|[①-⑳㈠-㈩]|[A-Za-z][.)]\s)"
)
_ITEM = re.compile(rf"^{_MARK}[^\n]*(?:\n(?!{_MARK})[^\S\n]+\S[^\n]*)*\n?", re.MULTILINE)

Range = tuple[int, int]


class Whole:
    """The ranges ([start, end) of the document's text) in one stretch of it that stay whole.

    ``article_starts`` are good places to begin a chunk.
    """

    def __init__(self, clean: CleanText, start: int, end: int) -> None:
        piece = clean.text[start:end]
        self.article_starts = [start + match.start() for match in _ARTICLE.finditer(piece)]
        stops = [*self.article_starts[1:], end]
        articles = list(zip(self.article_starts, stops, strict=False))
        items = [(start + match.start(), start + match.end()) for match in _ITEM.finditer(piece)]
        rows = list(_rows(clean, start, end))
        code = [block for block in clean.code if start <= block[0] < end]
        # From the outside inwards: a place is judged by the largest thing around it that fits.
        self._levels = [level for level in (articles, code, items, rows) if level]

    def around(self, place: int) -> Iterator[Range]:
        """The ranges with ``place`` strictly inside, from the outside inwards."""
        for level in self._levels:
            at = bisect_left(level, place, key=lambda each: each[0]) - 1
            if at >= 0 and level[at][1] > place:
                yield level[at]

    def begun_at(self, place: int) -> Iterator[Range]:
        """The ranges that begin exactly at ``place``, from the outside inwards."""
        for level in self._levels:
            at = bisect_left(level, place, key=lambda each: each[0])
            if at < len(level) and level[at][0] == place:
                yield level[at]


def table_at(tables: Sequence[Table], place: int) -> Table | None:
    """The table among whose rows below the header (or rows at all) ``place`` begins."""
    at = bisect_right(tables, place, key=lambda table: table.start) - 1
    if at < 0:
        return None
    table = tables[at]
    return table if max(table.header_end, table.start + 1) <= place < table.end else None


def _rows(clean: CleanText, start: int, end: int) -> Iterator[Range]:
    """The lines of tables; a header goes with the first row below it."""
    first = max(0, bisect_right(clean.tables, start, key=lambda table: table.start) - 1)
    for table in clean.tables[first:]:
        if table.start >= end:
            return
        at = max(table.start, start)
        while at < min(table.end, end):
            search_from = max(at, table.header_end) if at == table.start else at
            line = clean.text.find("\n", search_from, table.end)
            stop = table.end if line < 0 else line + 1
            yield at, stop
            at = stop
