"""Red seals, which are put on top of the very lines that matter: company, signature, date.

Seen in red light alone a seal fades like the paper, and what is printed under it stays black.
"""

from dataclasses import dataclass

from engine.intake.ocr.drawing import Picture

_RED_ABOVE = 50
"""By how much red ink is lighter in red than in green and blue (of 255); JPEG leaves less on black text."""
_LEAST_RED = 0.0004
"""Share of the page: a seal of 2 cm; red pen marks are below it."""
_ON_SEAL = 0.02
"""Share of a line's own area that is red: one that a seal only touches was read well without it."""


@dataclass(frozen=True, slots=True)
class Seals:
    """``without`` is the page in red light, ``red`` says where the red ink is (0 or 1 a pixel)."""

    without: Picture
    red: Picture


def seals_of(coloured: Picture) -> Seals | None:
    """What a page (RGB) looks like without its red ink, or None if it has none to speak of."""
    import cv2
    import numpy

    red, green, blue = cv2.split(coloured)
    others = cv2.max(green, blue)
    mask = (cv2.subtract(red, others) > _RED_ABOVE).astype(numpy.uint8)
    if cv2.countNonZero(mask) < _LEAST_RED * mask.size:
        return None
    return Seals(cv2.cvtColor(red, cv2.COLOR_GRAY2BGR), mask)


def is_on(seals: Seals, quad: Picture) -> bool:
    """Whether the line (corners in pixels) stands on red ink."""
    x0, y0 = (max(0, int(value)) for value in quad.min(axis=0))
    x1, y1 = (int(value) + 1 for value in quad.max(axis=0))
    piece = seals.red[y0:y1, x0:x1]
    return bool(piece.size) and float(piece.mean()) >= _ON_SEAL
