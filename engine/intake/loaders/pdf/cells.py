"""The text in the cells of one drawn row of a table: its lines, the rows that it really says, its writing."""

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from engine.intake.loaders.pdf.headers import is_number
from engine.intake.loaders.pdf.lines import Part

_WORD_GAP = 0.1
_CELL_GAP = 1.5
"""Blank inside a cell, in heights of the line, that says that a column's border is not drawn."""
_FILLED = 0.7
"""A cell that is wrapped is filled to this share by its longest line."""
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")


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


Band = list[Piece]
"""Pieces of a cell side by side."""


def bands_of(pieces: list[Piece]) -> list[Band]:
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


def is_parted(bands: list[Band]) -> bool:
    return any(
        right.u0 - left.u1 > _CELL_GAP * (left.v1 - left.v0)
        for band in bands
        for left, right in pairwise(band)
    )


def parted(row: list[list[Band]], widths: list[float]) -> list[list[list[Band]]]:
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


def written(row: list[list[Band]]) -> list[Part]:
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
