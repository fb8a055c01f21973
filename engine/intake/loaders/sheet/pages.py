"""Rows of a sheet to pages of text: the header on top of every page, one line a row.

A page ends after ``ROWS_A_PAGE`` rows or ``CHARACTERS_A_PAGE`` characters, so that a sheet of any length
streams. Columns that are empty on a page are left out of it; an empty cell between others keeps its place.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, count, islice

from engine.documents import Heading, Page, Table
from engine.intake.encodings import safe
from engine.intake.loaders.lines import SEPARATOR
from engine.intake.loaders.sheet.head import Head, Row, combine, find_head, find_next_head

ROWS_A_PAGE = 200
CHARACTERS_A_PAGE = 20_000
_LONGEST_REPEATED = 4_000
"""A longer header (a sheet of hundreds of columns) stands on the first page only."""
_LOOKAHEAD = 30
"""Rows in which titles and header are looked for."""


def one_line(text: str) -> str:
    """A cell's text without line breaks and without what breaks files or displays."""
    if text.isprintable():
        return text.strip()
    return " ".join(part for line in safe(text).split("\n") if (part := line.strip()))


def with_note(text: str, note: str) -> str:
    return f"{text}（批注：{note}）" if note else text


def pages(
    rows: Iterable[Row],
    *,
    first: int,
    sheet: str | None,
    headed: bool = False,
    header_row: int | None = None,
    loose: Sequence[tuple[int, str]] = (),
) -> Iterator[Page]:
    """The pages of one sheet, numbered from ``first``; none if it holds nothing.

    ``headed``: the sheet's name stands above it as a heading. ``header_row`` is the row that the file
    itself calls the header. ``loose`` are texts that lie over the cells, with the row each is at.
    """
    writer = _Writer(first, sheet, headed)
    source = iter(rows)
    ahead = deque(islice(source, _LOOKAHEAD))
    started, last = False, 0
    while ahead:
        head: Head | None = None
        if not started:
            head = find_head(list(ahead), header_row) if len(ahead) > 1 else Head(0, 0)
        elif ahead[0].number > last + 1:
            block = _block(ahead)
            head = find_next_head(block) if len(block) > 1 else None
        if head is not None:
            for _ in range(head.titles):
                yield from writer.line(ahead[0].number, _title(ahead.popleft()))
            header = [ahead.popleft() for _ in range(head.header)]
            yield from writer.table(header)
            started = True
        else:
            yield from writer.row(ahead.popleft())
        last = writer.last_row
        ahead.extend(islice(source, _LOOKAHEAD - len(ahead)))
    for number, text in loose:
        yield from writer.line(number, text)
    yield from writer.finish()


def _block(ahead: Iterable[Row]) -> list[Row]:
    """The first rows up to an empty one."""
    block: list[Row] = []
    for row in ahead:
        if block and row.number > block[-1].number + 1:
            break
        block.append(row)
    return block


def _title(row: Row) -> str:
    cells = (with_note(cell, row.notes.get(column, "")) for column, cell in enumerate(row.cells))
    return SEPARATOR.join(cell for cell in cells if cell)


@dataclass(slots=True)
class _Part:
    """Lines outside a table, or a table: its header, with the row it is at, and the rows on this page."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    header: list[str] | None = None
    header_row: int = 0
    rows: list[Row] = field(default_factory=list)
    is_table: bool = False
    is_repeated: bool = False


class _Writer:
    """Collects what comes on a page and hands the page over when it is full."""

    def __init__(self, number: int, sheet: str | None, headed: bool) -> None:
        self._number = number
        self._sheet = sheet
        self._heading = sheet if headed else None
        self._parts: list[_Part] = []
        self._rows = self._size = 0
        self._low = self._high = self.last_row = 0

    def line(self, number: int, text: str) -> Iterator[Page]:
        if not self._parts or self._parts[-1].is_table:
            self._parts.append(_Part())
        self._parts[-1].lines.append((number, text))
        yield from self._count(number, len(text))

    def table(self, header: Sequence[Row]) -> Iterator[Page]:
        """The rows that come belong to a table with this header."""
        for row in header:
            for column, note in sorted(row.notes.items()):
                # Not in the header: it would be repeated on every page.
                yield from self.line(row.number, with_note(row.cell(column), note))
        self._parts.append(_Part(is_table=True))
        if header:
            self._parts[-1].header = combine(header)
            self._parts[-1].header_row = header[0].number
            self._mark(header[0].number)
            self._mark(header[-1].number)

    def row(self, row: Row) -> Iterator[Page]:
        if row.notes:
            for column, note in row.notes.items():
                row.cells += [""] * (column + 1 - len(row.cells))
                row.cells[column] = with_note(row.cells[column], note)
        if not self._parts or not self._parts[-1].is_table:
            self._parts.append(_Part(is_table=True))
        self._parts[-1].rows.append(row)
        yield from self._count(row.number, sum(map(len, row.cells)) + len(SEPARATOR) * len(row.cells))

    def finish(self) -> Iterator[Page]:
        if self._low:
            yield self._page()

    def _mark(self, number: int) -> None:
        self._low = min(self._low or number, number)
        self._high = max(self._high, number)
        self.last_row = number

    def _count(self, number: int, size: int) -> Iterator[Page]:
        self._mark(number)
        self._rows += 1
        self._size += size
        if self._rows >= ROWS_A_PAGE or self._size >= CHARACTERS_A_PAGE:
            yield self._page()

    def _page(self) -> Page:
        page = _written(self._number, self._sheet, self._heading, self._parts, (self._low, self._high))
        part = self._parts[-1]
        header = part.header
        if header is not None and sum(map(len, header)) > _LONGEST_REPEATED:
            header = None
        self._parts = []
        if part.is_table:
            self._parts.append(
                _Part(header=header, header_row=part.header_row, is_table=True, is_repeated=True)
            )
        self._heading = None
        self._number += 1
        self._rows = self._size = self._low = self._high = 0
        return page


def _written(
    number: int, sheet: str | None, heading: str | None, parts: Sequence[_Part], rows: tuple[int, int]
) -> Page:
    lines: list[str] = []
    numbers: list[int] = []
    tables: list[Table] = []
    length = 0

    def put(at: int, line: str) -> None:
        nonlocal length
        lines.append(line)
        numbers.append(at)
        length += len(line) + 1

    if heading is not None:
        put(0, heading)
    for index, part in enumerate(parts):
        if part.is_table and not part.rows and (part.header is None or part.is_repeated):
            continue
        if index and lines and (part.lines or parts[index - 1].is_table):
            put(0, "")  # a table ends above
        for at, line in part.lines:
            put(at, line)
        if not part.is_table:
            continue
        start = header_end = length
        columns = _columns(part)
        if part.header is not None:
            put(part.header_row, _joined(part.header, columns))
            header_end = length
        for row in part.rows:
            put(row.number, _joined(row.cells, columns))
        tables.append(Table(start, min(header_end, length - 1), length - 1))
    return Page(
        number,
        "\n".join(lines),
        location={"sheet": sheet, "rows": list(rows)},
        headings=(Heading(0, 1, heading),) if heading is not None else (),
        tables=tuple(tables),
        rows=tuple(numbers),
    )


def _columns(part: _Part) -> list[int] | None:
    """The columns that hold something on this page; None for all."""
    used: set[int] = set()
    width = 0
    for cells in (part.header or [], *(row.cells for row in part.rows)):
        used.update(compress(count(), cells))
        width = max(width, len(cells))
    return None if len(used) == width else sorted(used)


def _joined(cells: Sequence[str], columns: Sequence[int] | None) -> str:
    if columns is not None:
        cells = [cells[column] for column in columns if column < len(cells)]
    return SEPARATOR.join(cells)
