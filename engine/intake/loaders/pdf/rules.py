"""The ruled grids of a page: straight lines that meet, and the cells between them.

Coordinates are reading coordinates (see :mod:`engine.intake.loaders.pdf.lines`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_THIN = 3.0
"""A rectangle not thicker than this is a line, in points."""
_NEAR = 3.0
"""Lines so near to each other meet, or are one (double borders, dashes)."""
_SHORTEST = 8.0
_COVERED = 0.6
"""A border stands where a line covers this share of a cell's side."""
_MOST = 4_000
_MOST_CELLS = 20_000
"""Pages with more lines than this, after joining dashes, and grids with more cells are drawings."""

Rule = tuple[float, float, float]
"""Place across its direction, start and end along it."""


@dataclass(slots=True)
class Grid:
    """``xs`` and ``ys`` are the borders of columns and rows, ``owner[row][column]`` names the cell.

    Merged cells have one owner.
    """

    xs: list[float]
    ys: list[float]
    owner: list[list[int]]

    @property
    def area(self) -> float:
        return (self.xs[-1] - self.xs[0]) * (self.ys[-1] - self.ys[0])


def grids(boxes: Sequence[Sequence[float]], stroked: Sequence[bool]) -> list[Grid]:
    """Grids of at least two rows and two columns, the smallest first.

    ``boxes`` are rectangles u0, v0, u1, v1; of a rectangle that is ``stroked`` the four sides are lines.
    """
    level: list[Rule] = []
    upright: list[Rule] = []
    for (u0, v0, u1, v1), is_stroked in zip(boxes, stroked, strict=True):
        flat, narrow = v1 - v0 <= _THIN, u1 - u0 <= _THIN
        if flat:
            level.append(((v0 + v1) / 2, u0, u1))
        if narrow:
            upright.append(((u0 + u1) / 2, v0, v1))
        if is_stroked and not flat and not narrow:
            level += [(v0, u0, u1), (v1, u0, u1)]
            upright += [(u0, v0, v1), (u1, v0, v1)]
    level, upright = _joined(level), _joined(upright)
    if len(level) < 2 or not upright or len(level) + len(upright) > _MOST:
        return []
    found = [_grid(*part) for part in _parts(level, upright)]
    return sorted((grid for grid in found if grid is not None), key=lambda grid: grid.area)


def _joined(rules: list[Rule]) -> list[Rule]:
    """Dashes and pieces in one line made one; what stays short goes."""
    rules.sort()
    result: list[Rule] = []
    at = 0
    while at < len(rules):
        group = [rules[at]]
        while at + len(group) < len(rules) and rules[at + len(group)][0] - group[0][0] <= 1.0:
            group.append(rules[at + len(group)])
        at += len(group)
        group.sort(key=lambda rule: rule[1])
        across, start, end = group[0]
        for _, next_start, next_end in group[1:]:
            if next_start <= end + _NEAR:
                end = max(end, next_end)
            else:
                result.append((across, start, end))
                start, end = next_start, next_end
        result.append((across, start, end))
    return [rule for rule in result if rule[2] - rule[1] >= _SHORTEST]


def _parts(level: list[Rule], upright: list[Rule]) -> Iterable[tuple[list[Rule], list[Rule]]]:
    """Lines that meet, directly or over others."""
    import numpy

    flat, tall = numpy.array(level), numpy.array(upright)
    meet = (
        (tall[None, :, 0] >= flat[:, None, 1] - _NEAR)
        & (tall[None, :, 0] <= flat[:, None, 2] + _NEAR)
        & (flat[:, None, 0] >= tall[None, :, 1] - _NEAR)
        & (flat[:, None, 0] <= tall[None, :, 2] + _NEAR)
    )
    left = set(range(len(level)))
    while left:
        rows, columns = {left.pop()}, set[int]()
        fresh = set(rows)
        while fresh:
            met = set(numpy.flatnonzero(meet[sorted(fresh)].any(axis=0)).tolist()) - columns
            columns |= met
            fresh = set(numpy.flatnonzero(meet[:, sorted(met)].any(axis=1)).tolist()) - rows if met else set()
            rows |= fresh
        left -= rows
        if len(rows) > 1 and columns:
            yield [level[row] for row in sorted(rows)], [upright[column] for column in sorted(columns)]


def _grid(level: list[Rule], upright: list[Rule]) -> Grid | None:
    # Many tables are open at the sides: the ends of the lines are borders too.
    xs = _clusters([*(rule[0] for rule in upright), min(r[1] for r in level), max(r[2] for r in level)])
    ys = _clusters([*(rule[0] for rule in level), min(r[1] for r in upright), max(r[2] for r in upright)])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > _MOST_CELLS:
        return None
    walls, floors = _by_place(upright, xs), _by_place(level, ys)
    parent = list(range(rows * columns))
    for row in range(rows):
        for column in range(columns):
            here = row * columns + column
            if column + 1 < columns and not _covers(walls[column + 1], ys[row], ys[row + 1]):
                _unite(parent, here, here + 1)
            if row + 1 < rows and not _covers(floors[row + 1], xs[column], xs[column + 1]):
                _unite(parent, here, here + columns)
    owner = [[_root(parent, row * columns + column) for column in range(columns)] for row in range(rows)]
    return Grid(xs, ys, owner)


def _clusters(values: Iterable[float]) -> list[float]:
    result: list[list[float]] = []
    for value in sorted(values):
        if result and value - result[-1][-1] <= _NEAR:
            result[-1].append(value)
        else:
            result.append([value])
    return [sum(group) / len(group) for group in result]


def _by_place(rules: list[Rule], places: list[float]) -> list[list[Any]]:
    result: list[list[Any]] = [[] for _ in places]
    for across, start, end in rules:
        nearest = min(range(len(places)), key=lambda at: abs(places[at] - across))
        result[nearest].append((start, end))
    return result


def _covers(spans: list[Any], start: float, end: float) -> bool:
    total = sum(max(0.0, min(end, high) - max(start, low)) for low, high in spans)
    return bool(total >= _COVERED * (end - start))


def _root(parent: list[int], at: int) -> int:
    while parent[at] != at:
        parent[at] = parent[parent[at]]
        at = parent[at]
    return at


def _unite(parent: list[int], one: int, other: int) -> None:
    first, second = sorted((_root(parent, one), _root(parent, other)))
    parent[second] = first
