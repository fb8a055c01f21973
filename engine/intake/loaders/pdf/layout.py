"""Reading order of a PDF page: columns one after the other, cells of a row side by side.

Coordinates are reading coordinates (see :mod:`engine.intake.loaders.pdf.lines`).
"""

from itertools import pairwise
from math import inf
from statistics import median

from engine.intake.loaders.pdf.lines import Line, Row

_GUTTER = 8.0
"""Narrowest blank strip between columns, in points."""
_COLUMN_LINES = 3
_FULLNESS = 0.6
"""Lines of running text fill their column to this share; cells of a table do not."""
_MARGIN_BLOCKS = 12


def arrange(lines: list[Line]) -> list[Row]:
    """The rows of lines that run in one direction, in reading order."""
    return _rows(_ordered(lines))


def _ordered(lines: list[Line], depth: int = 0) -> list[Line]:
    if not lines:
        return []
    gutter = _gutter(lines) if depth < 4 and len(lines) >= 2 * _COLUMN_LINES else None
    if gutter is None:
        return _around_grids(lines)
    start, end = gutter
    left = [line for line in lines if line.u1 <= start + 1]
    right = [line for line in lines if line.u0 >= end - 1]
    spanning = [line for line in lines if line.u1 > start + 1 and line.u0 < end - 1]
    result: list[Line] = []
    # Every line across both columns ends the columns above it.
    for stop in [*sorted(spanning, key=lambda line: line.v0), None]:
        limit = inf if stop is None else stop.v0
        for column in (left, right):
            result += _ordered([line for line in column if line.v0 < limit], depth + 1)
        left = [line for line in left if line.v0 >= limit]
        right = [line for line in right if line.v0 >= limit]
        if stop is not None:
            result.append(stop)
    return result


def _around_grids(lines: list[Line]) -> list[Line]:
    """Tables part what stands above them from what stands below, whatever the PDF's own order."""
    result: list[Line] = []
    rest = [line for line in lines if line.grid is None]
    for table in sorted((line for line in lines if line.grid is not None), key=lambda line: line.v0):
        middle = (table.v0 + table.v1) / 2
        above = [line for line in rest if (line.v0 + line.v1) / 2 < middle]
        rest = [line for line in rest if (line.v0 + line.v1) / 2 >= middle]
        result += [*_margins_outside(above), table]
    return result + _margins_outside(rest)


def _gutter(lines: list[Line]) -> tuple[float, float] | None:
    """The blank strip between two columns of running text, if there is one."""
    begin, end = min(line.u0 for line in lines), max(line.u1 for line in lines)
    width = end - begin
    if width <= 0 or width > 20_000:
        return None
    crossing = [0] * (int(width) + 2)
    for line in lines:
        crossing[int(line.u0 - begin)] += 1
        crossing[min(int(line.u1 - begin) + 1, len(crossing) - 1)] -= 1
    allowed = len(lines) * 0.15
    best: tuple[int, int] | None = None
    run = total = 0
    for at, change in enumerate(crossing):
        total += change
        if total <= allowed and 0.2 * width < at < 0.8 * width:
            run += 1
            if best is None or run > best[1] - best[0]:
                best = (at - run + 1, at + 1)
        else:
            run = 0
    if best is None or best[1] - best[0] < _GUTTER:
        return None
    # The strip of few crossings may be ragged: shrink it to what both columns leave free.
    middle = begin + (best[0] + best[1]) / 2
    left = [line for line in lines if line.u1 <= middle]
    right = [line for line in lines if line.u0 >= middle]
    if not (_is_column(left, width) and _is_column(right, width)):
        return None
    top, bottom = max(_top(left), _top(right)), min(_bottom(left), _bottom(right))
    shorter = min(_bottom(left) - _top(left), _bottom(right) - _top(right))
    if bottom - top < 0.5 * shorter:
        return None
    return max(line.u1 for line in left), min(line.u0 for line in right)


def _is_column(lines: list[Line], page_width: float) -> bool:
    if len(lines) < _COLUMN_LINES:
        return False
    width = max(line.u1 for line in lines) - min(line.u0 for line in lines)
    if width < 0.2 * page_width:
        return False
    return (
        median(line.u1 - line.u0 for line in lines) >= _FULLNESS * width
        and median(len(line.text) for line in lines) >= 8
    )


def _top(lines: list[Line]) -> float:
    return min(line.v0 for line in lines)


def _bottom(lines: list[Line]) -> float:
    return max(line.v1 for line in lines)


def _margins_outside(lines: list[Line]) -> list[Line]:
    """The PDF's own order, but blocks above or below all others come first or last.

    Headers and footers are often drawn at the end and would tear a sentence that runs over pages.
    """
    if not lines:
        return []
    blocks: dict[int, list[Line]] = {}
    for line in lines:
        blocks.setdefault(line.block, []).append(line)
    order = list(blocks)
    spans = {block: (_top(blocks[block]), _bottom(blocks[block])) for block in order}
    first: list[int] = []
    last: list[int] = []
    for _ in range(min(_MARGIN_BLOCKS, len(order) - 1)):
        highest = min(order, key=lambda block: spans[block][0])
        lowest = max(order, key=lambda block: spans[block][1])
        if order[0] != highest and all(
            spans[highest][1] <= spans[block][0] + 1 for block in order if block != highest
        ):
            order.remove(highest)
            first.append(highest)
        elif order[-1] != lowest and all(
            spans[lowest][0] >= spans[block][1] - 1 for block in order if block != lowest
        ):
            order.remove(lowest)
            last.insert(0, lowest)
        else:
            break
    return [line for block in [*first, *order, *last] for line in blocks[block]]


def _rows(lines: list[Line]) -> list[Row]:
    rows: list[Row] = []
    for line in lines:
        if rows and rows[-1].takes(line):
            rows[-1].lines.append(line)
        else:
            rows.append(Row(line))
    gaps = [_gap(above, below) for above, below in pairwise(rows)]
    usual = _usual(gaps, any(row.lines[0].grid is not None for row in rows))
    for number, row in enumerate(rows):
        if number:
            height = (row if row.lines[0].grid is None else rows[number - 1]).lines[0].height
            gap = gaps[number - 1]
            row.gap = gap < -height or gap > max(0.5 * height, 1.6 * usual)
    return rows


def _usual(gaps: list[float], beside_tables: bool) -> float:
    """The blank between lines that go on. Where tables take the lines, headings' blanks are not few."""
    positive = sorted(gap for gap in gaps if gap >= 0)
    if not positive:
        return 0.0
    return positive[len(positive) // 3] if beside_tables else median(positive)


def _gap(above: Row, below: Row) -> float:
    return _top(below.lines) - _bottom(above.lines)
