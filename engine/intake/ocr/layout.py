"""The lines that OCR found on a page, put in reading order and written as a page of text.

The order is the text layer's own (:mod:`engine.intake.loaders.pdf.tables`): columns, tables ruled or aligned.
"""

from collections.abc import Sequence
from math import atan2, cos, pi, sin
from statistics import median
from typing import Any

from engine.documents import Page, RecognisedLine
from engine.intake import boxes
from engine.intake.loaders.pdf.glyphs import Glyphs
from engine.intake.loaders.pdf.lines import Line, place
from engine.intake.loaders.pdf.tables import rows_of
from engine.intake.loaders.pdf.written import placed, write
from engine.intake.ocr.drawing import Picture
from engine.intake.ocr.lines import Found
from engine.intake.ocr.rules import find_rules

_LEAST_SKEW = 0.2
"""Degrees below which a sheet counts as straight; a hull of a full line grows by two points there."""
_TELLING = 8
"""Characters of a line from which on its slope says something."""

_DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def page_of(number: int, size: tuple[float, float], picture: Picture, found: Sequence[Found]) -> Page:
    """``size`` in points as displayed, of which ``picture`` is the whole."""
    import numpy

    if not found:
        return Page(number, "", from_ocr=True, size=size, boxes=boxes.pack([], size))
    zoom = picture.shape[1] / size[0], picture.shape[0] / size[1]
    quads = [line.quad / numpy.array(zoom) for line in found]
    skew = _skew(quads, found)
    straight = [_rotated(quad, -skew, size) for quad in quads]
    places = _places(quads, found)
    glyphs = _glyphs(found, _places(straight, found) if skew else places)
    glyphs.vectors = find_rules(picture, zoom, skew)
    written = write(rows_of(glyphs), glyphs.text)
    return Page(
        number,
        written.text,
        from_ocr=True,
        size=size,
        boxes=boxes.pack(placed(written.index, places), size),
        tables=written.tables,
        recognised=_recognised(written.index.tolist(), found),
    )


def _skew(quads: Sequence[Any], found: Sequence[Found]) -> float:
    """By how much the sheet lay crooked, in radians clockwise: the median of its longer lines."""
    angles = []
    for quad, line in zip(quads, found, strict=True):
        across, down = quad[1] - quad[0]
        if len(line.text) >= _TELLING:
            angle = atan2(down, across) - line.turns * pi / 2
            angles.append((angle + pi) % (2 * pi) - pi)
    skew = median(angles) if angles else 0.0
    return skew if abs(skew) >= _LEAST_SKEW * pi / 180 else 0.0


def _rotated(quad: Any, turn: float, size: tuple[float, float]) -> Any:
    """The corners after the page is turned by ``turn`` radians clockwise about its middle."""
    import numpy

    x, y = quad[:, 0] - size[0] / 2, quad[:, 1] - size[1] / 2
    across, down = x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)
    return numpy.stack([across + size[0] / 2, down + size[1] / 2], axis=1)


def _places(quads: Sequence[Any], found: Sequence[Found]) -> Any:
    """A row x0, y0, x1, y1 for each character of all lines: the hull of its piece of the line's quad."""
    import numpy

    pieces = []
    for quad, line in zip(quads, found, strict=True):
        share = numpy.array(line.edges)[:, :, None]
        top = quad[0] + share * (quad[1] - quad[0])
        bottom = quad[3] + share * (quad[2] - quad[3])
        corners = numpy.concatenate([top, bottom], axis=1)
        pieces.append(numpy.concatenate([corners.min(1), corners.max(1)], axis=1))
    return numpy.concatenate(pieces)


def _glyphs(found: Sequence[Found], places: Any) -> Glyphs:
    """The page as the text layer's layout takes it, line after line down the page."""
    lines: list[Line] = []
    start = 0
    for line in found:
        lines.append(Line(0, _DIRECTIONS[line.turns], start, start + len(line.text), line.text))
        start += len(line.text)
    place(lines, places)
    return Glyphs("".join(line.text for line in found), places, _top_down(lines))


def _top_down(lines: list[Line]) -> list[Line]:
    """Line after line down the page, the pieces of one from its start to its end."""
    result: list[Line] = []
    row: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.direction, line.v0 + line.v1)):
        if row and not _is_level(row[0], line):
            result += sorted(row, key=lambda piece: piece.u0)
            row = []
        row.append(line)
    return result + sorted(row, key=lambda piece: piece.u0)


def _is_level(one: Line, other: Line) -> bool:
    """Whether both stand on one line: each one's middle is within the other."""
    if one.direction != other.direction:
        return False
    middle, others = (one.v0 + one.v1) / 2, (other.v0 + other.v1) / 2
    return other.v0 < middle < other.v1 and one.v0 < others < one.v1


def _recognised(index: Sequence[int], found: Sequence[Found]) -> tuple[RecognisedLine, ...]:
    """Where on the page each line stands; one that runs through several cells has a piece in each."""
    owners = [number for number, line in enumerate(found) for _ in line.text]
    result: list[RecognisedLine] = []
    start = 0
    for end in range(1, len(index) + 1):
        last = index[end - 1]
        if end < len(index) and last >= 0 and index[end] == last + 1 and owners[last] == owners[last + 1]:
            continue
        if last >= 0:
            result.append(RecognisedLine(start, end, round(found[owners[last]].confidence, 3)))
        start = end
    return tuple(result)
