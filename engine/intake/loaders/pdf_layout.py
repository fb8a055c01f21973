"""Reading order of a PDF page: columns one after the other, cells of a row side by side.

Works in reading coordinates: ``u`` runs along the lines, ``v`` from one line to the next, whatever
way round the page is drawn.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from statistics import median

Box = tuple[float, float, float, float]

_GUTTER = 8.0
"""Narrowest blank strip between columns, in points."""
_COLUMN_LINES = 3
_FULLNESS = 0.6
"""Lines of running text fill their column to this share; cells of a table do not."""
_CELL_GAP = 1.0
"""Blank between two pieces of a row, in heights of the line, from which they count as cells."""
_WORD_GAP = 0.15
_MARGIN_BLOCKS = 12


class Line:
    """One line of a block with the boxes of its characters, as the PDF gives it."""

    __slots__ = ("block", "boxes", "chars", "direction", "u0", "u1", "v0", "v1")

    def __init__(self, block: int, direction: Sequence[float], chars: list[str], boxes: list[Box]) -> None:
        self.block = block
        self.direction = (round(direction[0]), round(direction[1]))
        self.chars = chars
        self.boxes = boxes
        self.u0 = self.u1 = self.v0 = self.v1 = 0.0

    def extend(self, chars: list[str], boxes: list[Box]) -> None:
        self.chars += chars
        self.boxes += boxes

    def place(self) -> None:
        """Set the reading coordinates from the boxes; blanks at the end are not part of a line."""
        while self.chars and self.chars[-1].isspace():
            self.chars.pop()
            self.boxes.pop()
        x0 = min(box[0] for box in self.boxes)
        y0 = min(box[1] for box in self.boxes)
        x1 = max(box[2] for box in self.boxes)
        y1 = max(box[3] for box in self.boxes)
        turn: dict[tuple[int, int], Box] = {
            (1, 0): (x0, x1, y0, y1),
            (0, 1): (y0, y1, -x1, -x0),
            (0, -1): (-y1, -y0, x0, x1),
            (-1, 0): (-x1, -x0, -y1, -y0),
        }
        self.u0, self.u1, self.v0, self.v1 = turn.get(self.direction, (x0, x1, y0, y1))

    @property
    def height(self) -> float:
        return self.v1 - self.v0


class Row:
    """Lines that stand side by side. ``gap`` says that a blank strip parts it from the row before."""

    __slots__ = ("gap", "is_table", "lines")

    def __init__(self, line: Line) -> None:
        self.lines = [line]
        self.is_table = False
        self.gap = False

    def separators(self) -> list[str]:
        """What stands between each line and the next."""
        result = []
        for left, right in pairwise(self.lines):
            blank = right.u0 - left.u1
            if self.is_table and blank > _CELL_GAP * left.height:
                result.append(" | ")
            else:
                result.append(" " if blank > _WORD_GAP * left.height else "")
        return result

    def takes(self, line: Line) -> bool:
        last = self.lines[-1]
        shared = min(last.v1, line.v1) - max(last.v0, line.v0)
        return shared > 0.5 * min(last.height, line.height) and line.u0 >= last.u1 - 1

    @property
    def is_split(self) -> bool:
        """Whether a gap inside the row is as wide as one between cells."""
        pairs = pairwise(self.lines)
        return any(right.u0 - left.u1 > _CELL_GAP * left.height for left, right in pairs)


def arrange(lines: list[Line]) -> list[Row]:
    """The rows of a page in reading order; text in other directions (stamps, margins) comes last."""
    lines = [line for line in lines if any(not char.isspace() for char in line.chars)]
    if not lines:
        return []
    weight: dict[tuple[int, int], int] = {}
    for line in lines:
        weight[line.direction] = weight.get(line.direction, 0) + len(line.chars)
        line.place()
    main = max(weight, key=lambda direction: weight[direction])
    ordered = _ordered([line for line in lines if line.direction == main])
    rows = _rows(ordered)
    for line in lines:
        if line.direction != main:
            rows.append(Row(line))
            rows[-1].gap = True
    return rows


def _ordered(lines: list[Line], depth: int = 0) -> list[Line]:
    if not lines:
        return []
    gutter = _gutter(lines) if depth < 4 and len(lines) >= 2 * _COLUMN_LINES else None
    if gutter is None:
        return _margins_outside(lines)
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
        and median(len(line.chars) for line in lines) >= 8
    )


def _top(lines: list[Line]) -> float:
    return min(line.v0 for line in lines)


def _bottom(lines: list[Line]) -> float:
    return max(line.v1 for line in lines)


def _margins_outside(lines: list[Line]) -> list[Line]:
    """The PDF's own order, but blocks above or below all others come first or last.

    Headers and footers are often drawn at the end and would tear a sentence that runs over pages.
    """
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
    usual = median([gap for gap in gaps if gap >= 0] or [0.0])
    for number, row in enumerate(rows):
        height = row.lines[0].height
        if number:
            gap = gaps[number - 1]
            row.gap = gap < -height or gap > max(0.5 * height, 1.6 * usual)
        neighbours = rows[max(0, number - 1) : number + 2]
        if row.is_split and sum(other.is_split for other in neighbours) > 1:
            row.is_table = True
    return rows


def _gap(above: Row, below: Row) -> float:
    return _top(below.lines) - _bottom(above.lines)
