"""Reading order of a PDF page: columns one after the other, cells of a row side by side.

Works in reading coordinates: ``u`` runs along the lines, ``v`` from one line to the next, whatever
way round the page is drawn.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.intake.loaders.pdf_grids import FilledTable

Box = tuple[float, float, float, float]
Direction = tuple[int, int]
Part = str | tuple[int, int]
"""Text that is put in, or a range of the page's glyphs."""

_GUTTER = 8.0
"""Narrowest blank strip between columns, in points."""
_COLUMN_LINES = 3
_FULLNESS = 0.6
"""Lines of running text fill their column to this share; cells of a table do not."""
_CELL_GAP = 1.0
"""Blank between two pieces of a row, in heights of the line, from which they count as cells."""
_WORD_GAP = 0.15
_MARGIN_BLOCKS = 12
_MARK = re.compile(
    r"[•·●○■□◆◇※▪◦‣➢✓√*–—-]|[(（]?(?:\d{1,3}|[a-z]|[ivx]+|[一二三四五六七八九十]{1,3})[)）.、．]|[①-⑳]",
    re.IGNORECASE,
)
"""What begins an item of a list."""
CURRENCIES = frozenset("$¥￥€£")


class Line:
    """One line of a block: glyphs ``[start, end)`` of its page, as the PDF gives it.

    ``grid`` are tables that take the place of the lines in them.
    """

    __slots__ = ("block", "direction", "end", "grid", "start", "text", "u0", "u1", "v0", "v1")

    def __init__(self, block: int, direction: Sequence[float], start: int, end: int, text: str) -> None:
        self.block = block
        self.direction = (round(direction[0]), round(direction[1]))
        self.start, self.end = start, end
        self.text = text
        self.u0 = self.u1 = self.v0 = self.v1 = 0.0
        self.grid: list[FilledTable] | None = None

    @property
    def height(self) -> float:
        return self.v1 - self.v0


def turned(boxes: Any, direction: Direction) -> Any:
    """``boxes`` (rows of x0, y0, x1, y1) as rows of u0, v0, u1, v1 for lines that run in ``direction``."""
    import numpy

    x0, y0, x1, y1 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    columns = {
        (0, 1): (y0, -x1, y1, -x0),
        (0, -1): (-y1, x0, -y0, x1),
        (-1, 0): (-x1, -y1, -x0, -y0),
    }.get(direction, (x0, y0, x1, y1))
    return numpy.stack(columns, axis=1)


def extents(lines: list[Line], boxes: Any) -> Any:
    """One row x0, y0, x1, y1 for each of ``lines`` (none of them empty)."""
    import numpy

    cuts = [at for line in lines for at in (line.start, line.end)]
    padded = numpy.concatenate([boxes, boxes[-1:]])
    low = numpy.minimum.reduceat(padded[:, :2], cuts, axis=0)[::2]
    high = numpy.maximum.reduceat(padded[:, 2:], cuts, axis=0)[::2]
    return numpy.concatenate([low, high], axis=1)


def place(lines: list[Line], boxes: Any) -> None:
    """Set the reading coordinates of ``lines``; blanks at the end are not part of a line."""
    if not lines:
        return
    for line in lines:
        line.text = line.text.rstrip()
        line.end = line.start + len(line.text)
    places = extents(lines, boxes)
    for direction in {line.direction for line in lines}:
        table = turned(places, direction).tolist()
        for line, (u0, v0, u1, v1) in zip(lines, table, strict=True):
            if line.direction == direction:
                line.u0, line.v0, line.u1, line.v1 = u0, v0, u1, v1


class Row:
    """Lines that stand side by side. ``gap`` says that a blank strip parts it from the row before.

    ``table`` numbers the table it is a row of, from 1; 0 for none. ``parts`` replaces what the lines say;
    ``cuts`` says of each gap between the lines whether it is one of the table's columns. ``is_loose``: its
    cells are kept apart, but it is too small a table to be named one.
    """

    __slots__ = ("cuts", "gap", "is_header", "is_loose", "lines", "parts", "table")

    def __init__(self, line: Line | None, parts: list[Part] | None = None) -> None:
        self.lines = [line] if line is not None else []
        self.parts = parts
        self.table = 0
        self.is_header = self.is_loose = False
        self.gap = False
        self.cuts: list[bool] = []

    def written(self) -> list[Part]:
        if self.parts is not None:
            return self.parts
        result: list[Part] = []
        for separator, line in zip(["", *self._separators()], self.lines, strict=True):
            if separator:
                result.append(separator)
            result.append((line.start, line.end))
        return result

    def _separators(self) -> list[str]:
        """What stands between each line and the next."""
        result = []
        cuts = self.cuts or self.cell_gaps()
        for (left, right), is_cut in zip(pairwise(self.lines), cuts, strict=True):
            if self.table and is_cut and left.text.strip() not in CURRENCIES:
                result.append(" | ")
            else:
                result.append(" " if right.u0 - left.u1 > _WORD_GAP * left.height else "")
        return result

    def takes(self, line: Line) -> bool:
        last = self.lines[-1]
        if last.grid is not None or line.grid is not None:
            return False
        shared = min(last.v1, line.v1) - max(last.v0, line.v0)
        return shared > 0.5 * min(last.height, line.height) and line.u0 >= last.u1 - 1

    def cell_gaps(self) -> list[bool]:
        """Of each line and the next: whether they are cells, and not a mark or label and what it is for."""
        result = [
            right.u0 - left.u1 > _CELL_GAP * left.height and not left.text.endswith((":", "："))
            for left, right in pairwise(self.lines)
        ]
        if result and _MARK.fullmatch(self.lines[0].text.strip()):
            result[0] = False
        return result

    @property
    def is_split(self) -> bool:
        return len(self.lines) > 1 and any(self.cell_gaps())


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
