"""Ruled tables to rows: text goes to its cell, wrapped cells are joined, merged ones said once."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.intake.loaders.pdf.cells import Band, Piece, bands_of, is_parted, parted, written
from engine.intake.loaders.pdf.headers import counts, is_header
from engine.intake.loaders.pdf.lines import Line, Part
from engine.intake.loaders.pdf.rules import Grid

_SLACK = 2.0
"""Text may stand out of its table by this, in points."""
_WORD_GAP = 0.1
_UNDRAWN = 0.2
"""With a larger share of cells that hold several columns the grid is not the table's."""
_LONGEST_CELL = 1_500


@dataclass(slots=True)
class FilledTable:
    """The rows of a table as they are written; the first ``header`` of them are its header."""

    rows: list[list[Part]]
    header: int


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
    bands = {owner: bands_of(pieces) for owner, pieces in cells.items()}
    if not bands or max(sum(len(piece.text) for piece in cell) for cell in cells.values()) > _LONGEST_CELL:
        return None
    if sum(map(is_parted, bands.values())) > _UNDRAWN * len(bands):
        return None
    rows: list[_Row] = []
    seen: set[int] = set()
    for number, owners in enumerate(grid.owner):
        row = []
        for owner in owners:
            row.append([] if owner in seen else bands.get(owner, []))
            seen.add(owner)
        rows += [_Row(part, number) for part in parted(row, _widths(grid, owners)) if any(part)]
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
    return FilledTable([written(row.cells) for row in rows], _header(grid, rows))


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
    return count if count < len(said) and not any(map(counts, said[first + 1 : count])) else first + 1
