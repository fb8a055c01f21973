"""From a page's picture to its lines of text: where each stands, which way it runs, what it says."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine.intake.ocr.drawing import DPI, Picture, grey
from engine.intake.ocr.models import Models
from engine.intake.ocr.seals import is_on, seals_of

_FIND_SHARE = 82 / DPI
"""Lines are found in a picture of 82 dpi: at 110 characters were as often wrong and lines, cut closer, took a
tenth longer to read; at 60 small print suffered, at 72 digits and final stops began to [measured]."""
_FIND_LEAST, _FIND_MOST = 640, 1664
"""Pixels of the longer side; the peak of an A0 sheet is 880 MB so, at 1951 it was 1050 [measured]."""

_HEIGHT = 48
"""The reading network's height of a line in pixels. Reading takes nine tenths of the time and is in
proportion to the width, but narrowed lines lose digits: at 0.75 of the width every fortieth character of a
page of amounts was gone, most of them a repeated 0 or 1, at 0.85 every two hundredth [measured]."""

_LONGEST = 120
"""Heights of the line; a drawn rule taken for text could be a thousand."""
_HALF_WIDTH = 0.55
"""Of Latin letters and digits, in widths of a Han character."""

_LEAST_CONFIDENCE, _LEAST_ALONE = 0.5, 0.8
"""Below these a line, or a character that stands alone, is dropped. What was read below 0.5 of the worst
faxes was wrong; scribbles, codes and logos gave up to 0.4, a few lines 0.8 [measured]."""
_TALL = 1.5
"""From this ratio of height to width on, a piece of text runs from top to bottom or the other way."""
_VOTERS, _SURE = 9, 0.9

Quad = Any
"""numpy float, 4 x 2: the corners in pixels, from the start of the line clockwise as it is read."""


@dataclass(slots=True)
class Found:
    """A line. ``turns`` are quarter turns clockwise of its reading direction from left-to-right.

    ``edges`` are the start and end of each character along the line, as shares of the quad's length from
    0 to 1.
    """

    quad: Quad
    turns: int
    text: str
    edges: list[tuple[float, float]]
    confidence: float


def find_lines(coloured: Picture, models: Models) -> list[Found]:
    """The lines of a page (RGB), in no special order."""
    picture = grey(coloured)
    found = _find(picture, models, lambda quad: True)
    seals = seals_of(coloured)
    if seals is None:
        return found
    beneath = _find(seals.without, models, lambda quad: is_on(seals, quad))
    # Where a line stands under a seal, what was read of both together is not it.
    return [line for line in found if not any(_overlap(line.quad, below.quad) for below in beneath)] + beneath


def _find(picture: Picture, models: Models, wanted: Callable[[Quad], bool]) -> list[Found]:
    height, width = picture.shape[:2]
    models.find.limit_side_len = int(min(max(max(height, width) * _FIND_SHARE, _FIND_LEAST), _FIND_MOST))
    quads = models.find(picture).boxes
    wide: list[Quad] = []
    tall: list[Quad] = []
    for quad in [] if quads is None else quads.astype("float32"):
        if wanted(quad):
            (tall if _length(quad, 1) >= _TALL * _length(quad, 0) else wide).append(quad)
    result: list[Found] = []
    for group, turns in ((wide, 0), (tall, 1)):
        if not group:
            continue
        turned = [_turn(quad, turns) for quad in group]
        if _upside_down(picture, turned, models):
            turns += 2
            turned = [_turn(quad, 2) for quad in turned]
        result += [found for quad in turned if (found := _read(picture, quad, turns, models)) is not None]
    return result


def _overlap(one: Quad, other: Quad) -> bool:
    """Whether the hulls of two lines share a third of the smaller."""
    low, high = one.min(axis=0), one.max(axis=0)
    others_low, others_high = other.min(axis=0), other.max(axis=0)
    across, down = (float(min(high[n], others_high[n]) - max(low[n], others_low[n])) for n in (0, 1))
    if across <= 0 or down <= 0:
        return False
    smaller = min(float((high - low).prod()), float((others_high - others_low).prod()))
    return across * down > smaller / 3


def _length(quad: Quad, side: int) -> float:
    """Of the top (0) or right (1) side."""
    import numpy

    return float(numpy.linalg.norm(quad[side + 1] - quad[side]))


def _turn(quad: Quad, turns: int) -> Quad:
    """The same corners, beginning where a line that is turned clockwise begins."""
    import numpy

    return numpy.roll(quad, -turns, axis=0)


def _crop(picture: Picture, quad: Quad) -> Picture:
    """The line upright, as high as the network wants it."""
    import cv2
    import numpy

    ratio = max(_length(quad, 0), 1.0) / max(_length(quad, 1), 1.0)
    width = round(_HEIGHT * min(max(ratio, 0.2), _LONGEST))
    target = numpy.array([[0, 0], [width, 0], [width, _HEIGHT], [0, _HEIGHT]], "float32")
    matrix = cv2.getPerspectiveTransform(quad, target)
    return cv2.warpPerspective(
        picture, matrix, (width, _HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _upside_down(picture: Picture, quads: list[Quad], models: Models) -> bool:
    """Whether most of the longest lines stand on their heads, and the longest is better read the other way.

    One line alone is too often mistaken, and reading both ways is dear, so each checks the other.
    """
    longest = sorted(quads, key=lambda quad: _length(quad, 0), reverse=True)[:_VOTERS]
    votes = models.turned([_crop(picture, quad) for quad in longest]).cls_res
    if 2 * sum(1 for label, score in votes if "180" in label and score > _SURE) <= len(longest):
        return False
    as_found, the_other_way = (_read(picture, _turn(longest[0], turns), turns, models) for turns in (0, 2))
    if as_found is None or the_other_way is None:
        return as_found is None
    return the_other_way.confidence > as_found.confidence


def _read(picture: Picture, quad: Quad, turns: int, models: Models) -> Found | None:
    from rapidocr.ch_ppocr_rec import TextRecInput

    read = models.read(TextRecInput(img=[_crop(picture, quad)], return_word_box=True))
    raw, seen = read.txts[0], read.word_results[0]
    if not raw.strip():
        return None
    text = " ".join(raw.split())
    # Blanks are kept even between Han characters: 25 of the 26 that it saw there were printed [measured].
    # Their own confidence is low and says nothing.
    sure = [share for char, share in zip(raw, seen.confs, strict=True) if not char.isspace()]
    confidence = sum(sure) / len(sure)
    if confidence < (_LEAST_CONFIDENCE if len(text) > 1 else _LEAST_ALONE) or _is_mere_marks(text):
        return None
    middles = [(column + 0.5) / seen.line_txt_len for word in seen.word_cols for column in word]
    edges = _edges(text, middles, _length(quad, 1) / max(_length(quad, 0), 1.0))
    return Found(quad, turns, text, edges, confidence)


def _is_mere_marks(text: str) -> bool:
    """Specks and rules read as punctuation; ticks and crosses in a form are symbols and say something."""
    return all(unicodedata.category(char)[0] in "PZ" for char in text)


def _is_full(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _edges(text: str, middles: list[float], em: float) -> list[tuple[float, float]]:
    """Where each character begins and ends, from the ``middles`` of those that are not blank.

    ``em`` is the height of the line as a share of its length: no character is wider.
    """
    widths = [1.0 if _is_full(char) else _HALF_WIDTH for char in text if char != " "]
    starts = [max(0.0, middle - width * em / 2) for middle, width in zip(middles, widths, strict=True)]
    ends = [min(1.0, middle + width * em / 2) for middle, width in zip(middles, widths, strict=True)]
    for at, (middle, following) in enumerate(pairwise(middles)):
        border = middle + (following - middle) * widths[at] / (widths[at] + widths[at + 1])
        ends[at] = min(ends[at], border)
        starts[at + 1] = max(starts[at + 1], border)
    result: list[tuple[float, float]] = []
    at = 0
    for char in text:
        if char == " ":  # fills what its neighbours leave, so that a mark is not torn there
            result.append((ends[at - 1], starts[at]))
        else:
            result.append((starts[at], ends[at]))
            at += 1
    return result
