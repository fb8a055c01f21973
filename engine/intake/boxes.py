"""Where each character of a page stands, packed small enough to keep for every page.

Four little-endian uint16 a character (x0, y0, x1, y1 in 1/65535 of the page's displayed width and
height), zlib-compressed. All zero means: no glyph (a line break or a blank that was put in).
"""

import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points of the page as displayed, origin at the top left."""

_FULL = 65535
_BYTES = 8
_NEAR = 1.0
"""Glyphs of one line may stand this many of their own sizes apart before a new rectangle starts."""


def pack(boxes: Iterable[Sequence[float]], size: tuple[float, float]) -> bytes:
    """The codec's form of ``boxes``, one a character, clipped to the page."""
    import numpy

    table = numpy.asarray(boxes if hasattr(boxes, "__len__") else list(boxes), dtype=float).reshape(-1, 4)
    scale = numpy.array([_FULL / size[0], _FULL / size[1]] * 2)
    scaled = table * scale
    # Outwards, so that a rectangle never cuts its own glyph; the tiny slack undoes rounding errors.
    scaled[:, :2] = numpy.floor(scaled[:, :2] + 1e-3)
    scaled[:, 2:] = numpy.ceil(scaled[:, 2:] - 1e-3)
    return zlib.compress(numpy.clip(scaled, 0, _FULL).astype("<u2").tobytes(), 6)


def append(first: bytes, gap: int, second: bytes, since: int) -> bytes:
    """Boxes of a text that goes on after ``gap`` characters with the second text from ``since`` on."""
    tail = zlib.decompress(second)[since * _BYTES :]
    return zlib.compress(zlib.decompress(first) + bytes(gap * _BYTES) + tail, 6)


def unpack(data: bytes, size: tuple[float, float]) -> list[Rect]:
    """One rectangle in points for each character; all zero where there is no glyph."""
    values = array("H")
    values.frombytes(zlib.decompress(data))
    if sys.byteorder == "big":
        values.byteswap()
    width, height = size[0] / _FULL, size[1] / _FULL
    flat = iter(values)
    return [
        (x0 * width, y0 * height, x1 * width, y1 * height)
        for x0, y0, x1, y1 in zip(flat, flat, flat, flat, strict=True)
    ]


def rects(data: bytes, size: tuple[float, float], spans: Iterable[tuple[int, int]]) -> list[Rect]:
    """One rectangle a visual line that covers exactly the glyphs of ``spans`` ([start, end))."""
    return [rect for lines in rects_of_each(data, size, spans) for rect in lines]


def rects_of_each(
    data: bytes, size: tuple[float, float], spans: Iterable[tuple[int, int]]
) -> list[list[Rect]]:
    """The rectangles of each of the spans."""
    glyphs = unpack(data, size)
    return [lines(glyphs[max(0, start) : end]) for start, end in spans]


def lines(glyphs: Iterable[Rect]) -> list[Rect]:
    """One rectangle a visual line that covers exactly these glyphs."""
    result: list[Rect] = []
    line: list[Rect] = []
    for box in glyphs:
        is_blank = not box[2] and not box[3]
        if line and (is_blank or not _continues(line, box)):
            result.append(_union(line))
            line = []
        if not is_blank:
            line.append(box)
    if line:
        result.append(_union(line))
    return result


def _continues(line: list[Rect], box: Rect) -> bool:
    """Whether ``box`` goes on in the direction that ``line`` has so far."""
    last = line[-1]
    if len(line) == 1:
        return _follows(last, box, 0) or _follows(last, box, 1)
    axis = 0 if abs(last[0] - line[0][0]) >= abs(last[1] - line[0][1]) else 1
    return _follows(last, box, axis)


def _follows(last: Rect, box: Rect, axis: int) -> bool:
    """Whether both stand on one line along ``axis`` (0 is x), next to each other, either way round."""
    across = 1 - axis
    shared = min(last[across + 2], box[across + 2]) - max(last[across], box[across])
    thickness = min(last[across + 2] - last[across], box[across + 2] - box[across])
    if shared < thickness / 2:
        return False
    gap = max(box[axis] - last[axis + 2], last[axis] - box[axis + 2])
    return gap <= _NEAR * max(last[across + 2] - last[across], box[axis + 2] - box[axis])


def _union(line: list[Rect]) -> Rect:
    return (
        min(box[0] for box in line),
        min(box[1] for box in line),
        max(box[2] for box in line),
        max(box[3] for box in line),
    )
