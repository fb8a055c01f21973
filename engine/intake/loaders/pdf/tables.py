"""The rows of a PDF page as they are written, with the tables among them, drawn and aligned."""

from itertools import pairwise

from engine.intake.loaders.pdf import aligned, grids, rules
from engine.intake.loaders.pdf.glyphs import Glyphs
from engine.intake.loaders.pdf.layout import arrange
from engine.intake.loaders.pdf.lines import Line, Row, place, turned

_FEWEST_LINES = 5
"""Drawn lines of the smallest table: three level ones, or the sides of a few cells."""
_NUMBERED, _NUMBERED_APART = 8, 20
"""From so many numbers on, a column of them counts the lines of the page: together, or between lines."""


def rows_of(found: Glyphs) -> list[Row]:
    """The page's rows in reading order; text in other directions (stamps, margins) comes last."""
    lines = found.lines
    if not lines:
        return []
    weight: dict[tuple[int, int], int] = {}
    for line in lines:
        weight[line.direction] = weight.get(line.direction, 0) + len(line.text)
    place(lines, found.boxes)
    main = max(weight, key=lambda direction: weight[direction])
    straight = [line for line in lines if line.direction == main]
    straight, numbers = _without_line_numbers(_with_grids(straight, found, main))
    rows = arrange(straight)
    rows = aligned.mark(rows)
    result = _expanded(rows)
    if numbers:
        parts = [part for line in numbers for part in (" ", (line.start, line.end))][1:]
        result.append(Row(None, parts))
        result[-1].gap = True
    for line in lines:
        if line.direction != main:
            result.append(Row(line))
            result[-1].gap = True
    return result


def _with_grids(lines: list[Line], found: Glyphs, main: tuple[int, int]) -> list[Line]:
    """``lines`` with a line that stands for each ruled table in place of those in it."""
    import numpy

    straight = [vector for vector in found.vectors if vector.is_rect]
    if len(straight) < _FEWEST_LINES:
        return lines
    extents = turned(numpy.array([vector.box for vector in straight]), main).tolist()
    found_grids = rules.grids(extents, [vector.is_stroked for vector in straight])
    if not found_grids:
        return lines
    boxes = turned(found.boxes, main)
    block = max(line.block for line in lines)
    for grid in found_grids:
        filled = grids.fill(grid, lines, boxes)
        if filled is None:
            continue
        block += 1
        stand_in = Line(block, main, 0, 0, "")
        stand_in.grid, inside = filled
        stand_in.u0, stand_in.u1, stand_in.v0, stand_in.v1 = grid.xs[0], grid.xs[-1], grid.ys[0], grid.ys[-1]
        gone = set(map(id, inside))
        lines = [line for line in lines if id(line) not in gone]
        lines.append(stand_in)
    return lines


def _without_line_numbers(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines, and apart from them the numbers beside them that count the lines of the page."""
    numbers = [line for line in lines if line.text.strip().isdecimal() and len(line.text.strip()) < 5]
    if len(numbers) < _NUMBERED:
        return lines, []
    numbers.sort(key=lambda line: line.v0)
    values = [int(line.text) for line in numbers]
    start = 0  # a page number above them is none of them
    while start + 1 < len(values) and values[start + 1] - values[start] != values[-2] - values[-3]:
        start += 1
    end = start + 1
    while end < len(values) and values[end] - values[end - 1] == values[start + 1] - values[start]:
        end += 1
    numbers = numbers[start:end]
    if len(numbers) < _NUMBERED or values[start + 1] <= values[start]:
        return lines, []
    chosen = set(map(id, numbers))
    others = [line for line in lines if id(line) not in chosen]
    low, high = min(line.u0 for line in numbers), max(line.u1 for line in numbers)
    beside = [line for line in others if numbers[0].v0 <= line.v0 <= numbers[-1].v1]
    pitches = [below.v0 - above.v0 for above, below in pairwise(numbers)]
    if (
        high - low > 4 * numbers[0].height
        or max(pitches) > 1.2 * min(pitches)
        or not (all(line.u0 >= high for line in beside) or all(line.u1 <= low for line in beside))
    ):
        return lines, []
    places = [at for at, line in enumerate(lines) if id(line) in chosen]
    if len(numbers) < _NUMBERED_APART and places[-1] - places[0] >= len(numbers):
        return lines, []
    return others, numbers


def _expanded(rows: list[Row]) -> list[Row]:
    """Ruled tables written out, row by row; tables are numbered in order."""
    result: list[Row] = []
    count = 0
    last = 0
    for row in rows:
        grid = row.lines[0].grid if row.lines else None
        if grid is None:
            if row.table:
                count += row.table != last
                last, row.table = row.table, count
            else:
                last = 0
            result.append(row)
            continue
        last = 0
        for number, table in enumerate(grid):
            count += 1
            for at, parts in enumerate(table.rows):
                written = Row(None, parts)
                written.table = count
                written.is_header = at < table.header
                written.gap = row.gap and number == at == 0
                result.append(written)
    return result
