"""The lines of a PDF page, and the rows that lines side by side make.

Works in reading coordinates: ``u`` runs along the lines, ``v`` from one line to the next, whatever
way round the page is drawn.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.intake.loaders.pdf.grids import FilledTable

Box = tuple[float, float, float, float]
Direction = tuple[int, int]
Part = str | tuple[int, int]
"""Text that is put in, or a range of the page's glyphs."""

_CELL_GAP = 1.0
"""Blank between two pieces of a row, in heights of the line, from which they count as cells."""
_WORD_GAP = 0.15
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
