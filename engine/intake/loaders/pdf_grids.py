"""Ruled tables to rows: text goes to its cell, wrapped cells are joined, merged ones said once."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from engine.intake.loaders.pdf_layout import Line, Part
from engine.intake.loaders.pdf_rules import Grid

_SLACK = 2.0
"""Text may stand out of its table by this, in points."""
_WORD_GAP = 0.1
_CELL_GAP = 1.5
"""Blank inside a cell, in heights of the line, that says that a column's border is not drawn."""
_UNDRAWN = 0.2
"""With a larger share of such cells the grid is not the table's."""
_FILLED = 0.7
_LONGEST_CELL = 1_500
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")
_NUMBER = re.compile(
    r"[-+(（−–—]?\s*[¥$￥€£]?\s*(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s*[%％‰)）]*"
    r"|[-–—/]{1,2}|N/?A|不适用|[ivxl]+",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_LABEL = 40


@dataclass(slots=True)
class Piece:
    """Glyphs ``[start, end)`` of one line that stand in one cell."""

    start: int
    end: int
    u0: float
    u1: float
    v0: float
    v1: float
    text: str

    @property
    def middle(self) -> float:
        return (self.v0 + self.v1) / 2


@dataclass(slots=True)
class FilledTable:
    """The rows of a table as they are written; the first ``header`` of them are its header."""

    rows: list[list[Part]]
    header: int


Band = list[Piece]
"""Pieces of a cell side by side."""


@dataclass(slots=True)
class _Row:
    """The cells of a row and the number of the drawn row that they stand in."""

    cells: list[list[Band]]
    drawn: int

    def said(self) -> list[str]:
        return ["".join(piece.text for band in cell for piece in band).strip() for cell in self.cells]


def fill(grid: Grid, lines: Sequence[Line], boxes: Any) -> tuple[list[FilledTable], list[Line]] | None:
    """The tables that ``lines`` make in ``grid`` and those of them that it holds, or None for no table.

    ``boxes`` are the page's glyph boxes in reading coordinates.
    """
    inside = [line for line in lines if line.grid is None and _holds(grid, line)]
    cells: dict[int, list[Piece]] = {}
    for line in inside:
        for owner, piece in _pieces(grid, line, boxes):
            cells.setdefault(owner, []).append(piece)
    bands = {owner: _bands(pieces) for owner, pieces in cells.items()}
    if not bands or max(sum(len(piece.text) for piece in cell) for cell in cells.values()) > _LONGEST_CELL:
        return None
    if sum(map(_is_parted, bands.values())) > _UNDRAWN * len(bands):
        return None
    rows: list[_Row] = []
    seen: set[int] = set()
    for number, owners in enumerate(grid.owner):
        row = []
        for owner in owners:
            row.append([] if owner in seen else bands.get(owner, []))
            seen.add(owner)
        rows += [_Row(part, number) for part in _parted(row, _widths(grid, owners)) if any(part)]
    if sum(sum(map(bool, row.cells)) > 1 for row in rows) < 2:
        return None
    return [_table(grid, part) for part in _tables(rows)], inside


def _widths(grid: Grid, owners: list[int]) -> list[float]:
    """How wide the cell of each column is."""
    total: dict[int, float] = {}
    for owner, left, right in zip(owners, grid.xs, grid.xs[1:], strict=False):
        total[owner] = total.get(owner, 0.0) + right - left
    return [total[owner] for owner in owners]


def _tables(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Tables that share a border: each begins with a title over the whole width and names of columns."""
    said = [row.said() for row in rows]
    start = 0
    for number in range(1, len(rows) - 1):
        if sum(map(bool, said[number])) == 1 and said[number][0] and is_header(said[number + 1 :]):
            yield rows[start:number]
            start = number
    yield rows[start:]


def _table(grid: Grid, rows: list[_Row]) -> FilledTable:
    owners = [grid.owner[row.drawn] for row in rows]
    # Borders of another table in the same grid are no columns of this one.
    columns = [at for at in range(len(owners[0])) if at == 0 or any(own[at] != own[at - 1] for own in owners)]
    for row in rows:
        row.cells = [row.cells[at] for at in columns]
    return FilledTable([_written(row.cells) for row in rows], _header(grid, rows))


def _holds(grid: Grid, line: Line) -> bool:
    return (
        grid.ys[0] - 1 <= (line.v0 + line.v1) / 2 <= grid.ys[-1] + 1
        and line.u0 >= grid.xs[0] - _SLACK - line.height
        and line.u1 <= grid.xs[-1] + _SLACK + line.height
        and grid.xs[0] <= (line.u0 + line.u1) / 2 <= grid.xs[-1]
    )


def _pieces(grid: Grid, line: Line, boxes: Any) -> list[tuple[int, Piece]]:
    """The line's words, those in one cell together. A word belongs where its middle stands."""
    row = _slot(grid.ys, (line.v0 + line.v1) / 2)
    owners = grid.owner[row]
    first, last = _slot(grid.xs, line.u0 + _SLACK), _slot(grid.xs, line.u1 - _SLACK)
    if owners[first] == owners[last] or len(line.text) < 2:
        middle = owners[_slot(grid.xs, (line.u0 + line.u1) / 2)]
        return [(middle, Piece(line.start, line.end, line.u0, line.u1, line.v0, line.v1, line.text))]
    places = boxes[line.start : line.end, [0, 2]].tolist()
    words: list[tuple[int, int]] = []
    start = 0
    for at in range(1, len(places)):
        if line.text[at - 1] == " " or places[at][0] - places[at - 1][1] > _WORD_GAP * line.height:
            words.append((start, at))
            start = at
    words.append((start, len(places)))
    result: list[tuple[int, Piece]] = []
    for start, end in words:
        text = line.text[start:end].rstrip()
        if not text:
            continue
        end = start + len(text)
        u0, u1 = min(place[0] for place in places[start:end]), max(place[1] for place in places[start:end])
        owner = owners[_slot(grid.xs, (u0 + u1) / 2)]
        if result and result[-1][0] == owner:
            piece = result[-1][1]
            piece.end, piece.u1 = line.start + end, u1
            piece.text = line.text[piece.start - line.start : end]
        else:
            piece = Piece(line.start + start, line.start + end, u0, u1, line.v0, line.v1, text)
            result.append((owner, piece))
    return result


def _slot(borders: list[float], at: float) -> int:
    return min(max(bisect_right(borders, at) - 1, 0), len(borders) - 2)


def _bands(pieces: list[Piece]) -> list[Band]:
    result: list[Band] = []
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if result:
            above = result[-1][0]
            shared = min(above.v1, piece.v1) - max(above.v0, piece.v0)
            if shared > 0.5 * min(above.v1 - above.v0, piece.v1 - piece.v0):
                result[-1].append(piece)
                continue
        result.append([piece])
    for band in result:
        band.sort(key=lambda piece: piece.u0)
    return result


def _is_parted(bands: list[Band]) -> bool:
    return any(
        right.u0 - left.u1 > _CELL_GAP * (left.v1 - left.v0)
        for band in bands
        for left, right in pairwise(band)
    )


def _parted(row: list[list[Band]], widths: list[float]) -> list[list[list[Band]]]:
    """A drawn row as the rows that it says: some tables have no lines between most rows."""
    anchors = _anchors(row, widths)
    if anchors is None:
        return [row]
    result: list[list[list[Band]]] = [[[] for _ in row] for _ in anchors]
    for column, cell in enumerate(row):
        for band in cell:
            nearest = min(range(len(anchors)), key=lambda at: abs(anchors[at] - band[0].middle))
            result[nearest][column].append(band)
    return result


def _anchors(row: list[list[Band]], widths: list[float]) -> list[float] | None:
    """Where the rows inside a drawn row stand, if several columns agree that there are some."""
    columns = [(cell, width) for cell, width in zip(row, widths, strict=True) if len(cell) > 1]
    numbers = [cell for cell, _ in columns if all(is_number(_said(band)) for band in cell)]
    names = [cell for cell, width in columns if len(cell) > 2 and not _is_wrapped(cell, width)]
    for cell in sorted(numbers or names, key=len, reverse=True):
        agreeing = [pair for pair in columns if pair[0] is not cell and _agree(cell, pair[0])]
        if agreeing and (numbers or any(not _is_wrapped(*pair) for pair in agreeing)):
            return [band[0].middle for band in cell]
    return None


def _agree(cell: list[Band], other: list[Band]) -> bool:
    """Whether each line of ``cell`` has a line of ``other`` beside it."""
    return all(
        any(abs(band[0].middle - beside[0].middle) < 0.3 * (band[0].v1 - band[0].v0) for beside in other)
        for band in cell
    )


def _is_wrapped(cell: list[Band], width: float) -> bool:
    """Whether all lines but the last fill the cell."""
    widths = [band[-1].u1 - band[0].u0 for band in cell]
    return median(widths[:-1]) >= 0.8 * max(widths) and max(widths) >= _FILLED * width


def _said(band: Band) -> str:
    return "".join(piece.text for piece in band).strip()


def is_number(text: str) -> bool:
    """Whether a cell says a number (or that there is none) rather than a name."""
    return _NUMBER.fullmatch(text) is not None


def _written(row: list[list[Band]]) -> list[Part]:
    last = max(number for number, cell in enumerate(row) if cell)
    result: list[Part] = []
    for number, cell in enumerate(row[: last + 1]):
        if number:
            result.append(" | ")
        before: Piece | None = None
        for band in cell:
            for piece in band:
                if before is not None:
                    result.append(_joint(before, piece))
                result.append((piece.start, piece.end))
                before = piece
    return [part for part in result if part]


def _joint(before: Piece, piece: Piece) -> str:
    if before.middle < piece.v0:  # a wrap
        if before.text.endswith(("-", "/")):
            return ""
        return "" if _WIDE.match(before.text[-1:]) or _WIDE.match(piece.text[:1]) else " "
    return " " if piece.u0 - before.u1 > _WORD_GAP * (piece.v1 - piece.v0) else ""


def _header(grid: Grid, rows: list[_Row]) -> int:
    """How many rows at the top name the columns."""
    said = [row.said() for row in rows]
    first = 0
    while first < len(said) - 1 and sum(map(bool, said[first])) < 2:
        first += 1  # a title over the whole width
    if first > 2 or not is_header(said[first:]):
        return 0
    # Names that stand beside two rows of names bind both.
    names = set(grid.owner[rows[first].drawn])
    bottom = max(number for number, owners in enumerate(grid.owner) if names.intersection(owners))
    count = sum(row.drawn <= bottom for row in rows)
    return count if count < len(said) and not any(map(_counts, said[first + 1 : count])) else first + 1


def is_header(said: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of ``said`` names the columns of the others."""
    head, body = said[0], said[1:]
    if not body or sum(map(bool, head)) < 2 or _counts(head) or max(map(len, head)) > _LONGEST_LABEL:
        return False
    if any(map(_counts, body)):
        return True
    # Without numbers below it could be a pair of name and value.
    lengths = [len(cell) for row in body for cell in row if cell]
    return (
        len(head) > 2 and all(head) and max(map(len, head)) <= 12 and median(lengths) > median(map(len, head))
    )


def _counts(row: Sequence[str]) -> bool:
    return any(is_number(cell) and not _YEAR.fullmatch(cell) for cell in row)
