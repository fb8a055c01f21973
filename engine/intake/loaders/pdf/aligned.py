"""Tables without drawn lines: rows of a page with gaps as wide as between cells, one after another."""

from collections.abc import Sequence
from itertools import pairwise

from engine.intake.loaders.pdf.headers import is_header
from engine.intake.loaders.pdf.lines import CURRENCIES, Line, Part, Row

_LONGEST_LABELS = 2
"""So many lines without cells may stand between two rows of a table: headings of its parts, wrapped names."""
_FEWEST_CELLS = 6
"""Fewer cells than this are two pieces of text side by side, twice."""
_MOST_GAPS = 2_000
"""Each gap is compared with each: pages with more than this are read without it."""
_REACH = 3
_APART = 4.0
"""Rows further apart than so many heights belong to different things: a footer is no row of a table."""
_TALLEST_HEADER = 24
"""Lines of names above the columns, all columns together."""

Span = tuple[float, float]


def mark(rows: list[Row]) -> list[Row]:
    """``rows`` with those of tables numbered, and names of columns that stand above them made a row."""
    tabular = _tabular(rows)
    result: list[Row] = []
    table = 0
    at = 0
    while at < len(rows):
        if not tabular[at]:
            result.append(rows[at])
            at += 1
            continue
        end = _end(rows, tabular, at)
        members = rows[at:end]
        at = end
        table += 1
        cells = [row for row in members if len(row.lines) > 1]
        for row in members:
            row.table = table
            _part_currencies(row)
        _cut(cells)
        if sum(len(row.lines) for row in cells) < _FEWEST_CELLS:
            for row in members:
                row.is_loose = True
        elif is_header([[line.text.strip() for line in row.lines] for row in members]):
            members[0].is_header = True
        else:
            head = _names(result, cells)
            if head is not None:
                head.table = table
                result.append(head)
        result += members
    return result


def _tabular(rows: list[Row]) -> list[bool]:
    split = [row.is_split for row in rows]
    apart = [False, *(_are_apart(above, below) for above, below in pairwise(rows)), False]
    result = [
        here
        and (
            (split[at - 1 : at] == [True] and not apart[at])
            or (split[at + 1 : at + 2] == [True] and not apart[at + 1])
        )
        for at, here in enumerate(split)
    ]
    # A row alone among labels is one of the table if its cells stand in the columns of one near by.
    for at, here in enumerate(split):
        if here and not result[at]:
            near = [
                *range(at + 1, min(at + _REACH + 1, len(rows))),
                *range(at - 1, max(at - _REACH - 1, -1), -1),
            ]
            other = next(
                (rows[n] for n in near if result[n] and not any(apart[min(n, at) + 1 : max(n, at) + 1])), None
            )
            result[at] = other is not None and _is_like(other, rows[at])
    return result


def _end(rows: list[Row], tabular: Sequence[bool], start: int) -> int:
    end = start + 1
    at = end
    while at < len(rows) and at - end < _LONGEST_LABELS + 1:
        if _are_apart(rows[at - 1], rows[at]):
            break
        if tabular[at]:
            if at > end and not (_is_like(rows[end - 1], rows[at]) or _is_like(rows[at], rows[end - 1])):
                break
            end = at + 1
        elif rows[at].lines[0].grid is not None:
            break
        at += 1
    return end


def _are_apart(above: Row, below: Row) -> bool:
    if not above.lines or not below.lines:
        return False
    blank = min(line.v0 for line in below.lines) - max(line.v1 for line in above.lines)
    return blank > _APART * min(above.lines[0].height, below.lines[0].height)


def _is_like(row: Row, other: Row) -> bool:
    """Whether the cells of ``other`` stand in the columns of ``row``, but for the first."""
    label = row.lines[0]
    begins = _overlap((label.u0, label.u1), other.lines[0])
    cells = other.lines[1:] if begins else other.lines
    found = sum(any(_overlap((line.u0, line.u1), cell) for line in row.lines[1:]) for cell in cells)
    return bool(cells) and found >= 0.8 * len(cells)


def _overlap(span: Span, line: Line) -> bool:
    return min(span[1], line.u1) > max(span[0], line.u0)


def _part_currencies(row: Row) -> None:
    """MuPDF takes the sign that begins a cell to the number before it where they stand near."""
    lines: list[Line] = []
    for line in row.lines:
        if len(line.text) > 2 and line.text[-1] in CURRENCIES and line.text[-2] == " ":
            sign = Line(line.block, line.direction, line.end - 1, line.end, line.text[-1])
            sign.u0, sign.u1, sign.v0, sign.v1 = line.u1 - line.height / 2, line.u1, line.v0, line.v1
            line.text = line.text[:-1].rstrip()
            line.end = line.start + len(line.text)
            line.u1 = sign.u0 - 2 * line.height
            lines.append(line)
            line = sign
        lines.append(line)
    row.lines = lines


def _cut(rows: list[Row]) -> None:
    """Where most rows have a gap between cells, the others have one too, however narrow it is."""
    gaps = [
        (left.u1, right.u0)
        for row in rows
        for (left, right), is_gap in zip(pairwise(row.lines), row.cell_gaps(), strict=True)
        if is_gap
    ]
    if len(gaps) > _MOST_GAPS:
        return
    for row in rows:
        row.cuts = [
            is_gap or 2 * sum(start <= (left.u1 + right.u0) / 2 <= end for start, end in gaps) >= len(rows)
            for (left, right), is_gap in zip(pairwise(row.lines), row.cell_gaps(), strict=True)
        ]


def _names(before: list[Row], cells: list[Row]) -> Row | None:
    """The names of columns that stand above a table, each over several lines, taken out of ``before``."""
    columns = _columns(cells)
    top, height = cells[0].lines[0].v0, cells[0].lines[0].height
    named: dict[int, list[Line]] = {}
    start = len(before)
    while start and len(before) - start < _TALLEST_HEADER:
        row = before[start - 1]
        if row.table or len(row.lines) != 1 or row.lines[0].grid is not None:
            break
        line = row.lines[0]
        over = [number for number, span in enumerate(columns) if _overlap(span, line)]
        if len(over) != 1 or over[0] == 0 or not top - 8 * height < line.v0 < top:
            break
        named.setdefault(over[0], []).append(line)
        start -= 1
    if len(named) < 2:
        return None
    gap = before[start].gap
    del before[start:]
    parts: list[Part] = []
    for number in range(max(named) + 1):
        if number:
            parts.append(" | ")
        for at, line in enumerate(sorted(named.get(number, ()), key=lambda line: line.v0)):
            if at:
                parts.append(" ")
            parts.append((line.start, line.end))
    head = Row(None, parts)
    head.is_header, head.gap = True, gap
    return head


def _columns(cells: list[Row]) -> list[Span]:
    """Extents of the columns, a currency's sign with its number, each up to the middle of the gaps."""
    fullest = max(cells, key=lambda row: len(row.lines))
    spans: list[Span] = []
    start: float | None = None
    for line in fullest.lines:
        start = line.u0 if start is None else start
        if line.text.strip() not in CURRENCIES:
            spans.append((start, line.u1))
            start = None
    middles = [(left[1] + right[0]) / 2 for left, right in pairwise(spans)]
    begins, ends = [spans[0][0], *middles], [*middles, spans[-1][1]]
    return list(zip(begins, ends, strict=True))
