"""The straight lines of a scanned form or table, found in the picture."""

from engine.intake.loaders.pdf.glyphs import Vector
from engine.intake.ocr.drawing import Picture

_SHORTEST = 14.0
"""Points: longer than any stroke of a usual character, shorter than the side of a usual cell."""
_BRIDGED = 1.5
"""Holes that noise eats into a line, in points."""
_DARK = 170
"""Grey level: thin lines of a soft scan are not black."""
_MOST = 2_000
"""More straight pieces than this are a drawing or a photo."""


def find_rules(picture: Picture, zoom: tuple[float, float], skew: float) -> list[Vector]:
    """Level and upright lines in points of the straightened page; ``skew`` is the sheet's, in radians."""
    import cv2
    import numpy

    height, width = picture.shape[:2]
    ink = (picture[:, :, 0] < _DARK).astype(numpy.uint8)
    if skew:
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), numpy.degrees(skew), 1.0)
        ink = cv2.warpAffine(ink, matrix, (width, height), flags=cv2.INTER_NEAREST)
    result: list[Vector] = []
    for axis in (0, 1):
        long, hole = (max(3, round(length * zoom[axis])) for length in (_SHORTEST, _BRIDGED))
        closed = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, _bar(hole, axis))
        kept = cv2.morphologyEx(closed, cv2.MORPH_OPEN, _bar(long, axis))
        count, _, found, _ = cv2.connectedComponentsWithStats(kept, connectivity=8)
        if count > _MOST:
            return []
        for x, y, across, down, _ in found[1:].tolist():
            box = (x / zoom[0], y / zoom[1], (x + across) / zoom[0], (y + down) / zoom[1])
            result.append(Vector(box, is_rect=True, is_stroked=False))
    return result


def _bar(length: int, axis: int) -> Picture:
    import cv2

    return cv2.getStructuringElement(cv2.MORPH_RECT, (length, 1) if axis == 0 else (1, length))
