"""Which line ends of a laid-out page are only wraps of a paragraph, judged by where the lines stand.

Conservative: an unsure break stays. A missed join costs a line break inside a sentence; a wrong one
would tie two statements together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from engine.intake.boxes import Rect

_ENDS = frozenset("。！？!?；;：:….")
_NO_END = frozenset("，、,（(《“\"'—-/")
_MARKER = re.compile(
    r"\s*(?:[-•·●○■□◆◇※▪*]\s?|[（(]?[一二三四五六七八九十百]{1,3}[)）、.．]"
    r"|第[一二三四五六七八九十百零〇\d]{1,5}[章条节款编部篇]|[（(]?\d{1,3}[)）.．、](?!\d)|[①-⑳]|[A-Za-z][.)]\s)"
)
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")
_SHORTEST = 10
"""A line of less than so many character heights is a heading, a cell or a label."""
_NEARLY_FULL = 0.75
_WIDEST = 2.2
"""Lines further apart than so many heights belong to different things."""


@dataclass(frozen=True, slots=True)
class LineBox:
    """Extent of a line in reading coordinates (see :mod:`engine.intake.loaders.pdf.lines`).

    ``place`` is the same on the page as displayed, in points.
    """

    text: str
    u0: float
    u1: float
    v0: float
    v1: float
    first_word: float
    place: Rect

    @property
    def size(self) -> float:
        return self.v1 - self.v0


def line_boxes(text: str, glyphs: Sequence[Rect], lines: Sequence[tuple[int, int]]) -> list[LineBox | None]:
    """The extents of ``lines`` ([start, end) in ``text``); None for a line without glyphs."""
    drawn = [
        [glyphs[at] for at in range(start, end) if glyphs[at][3] and not text[at].isspace()]
        for start, end in lines
    ]
    turn = _turn(drawn)
    result: list[LineBox | None] = []
    for (start, end), boxes in zip(lines, drawn, strict=True):
        if not boxes:
            result.append(None)
            continue
        place = _place(boxes)
        turned = boxes if turn == (1, 0) else [_turned(box, turn) for box in boxes]
        words = text[start:end].split(maxsplit=1)
        first = 1 if _WIDE.match(words[0]) else len(words[0])
        head = turned[: max(1, first)]
        u0, v0, u1, v1 = place if turn == (1, 0) else _place(turned)
        width = max(box[2] for box in head) - min(box[0] for box in head)
        result.append(LineBox(text[start:end], u0, u1, v0, v1, width, place))
    return result


def _place(boxes: Sequence[Rect]) -> Rect:
    """What the boxes cover from left to right, and the height that most of them have."""
    return (
        min(box[0] for box in boxes),
        median([box[1] for box in boxes]),
        max(box[2] for box in boxes),
        median([box[3] for box in boxes]),
    )


def usual_gap(lines: Sequence[LineBox | None]) -> float:
    """The blank between most lines of a page that follow each other, in heights of a line."""
    gaps = [
        (below.v0 - above.v1) / above.size
        for above, below in pairwise(line for line in lines if line is not None)
        if 0 < below.v0 - above.v1 < _WIDEST * above.size
    ]
    return median(gaps) if gaps else 0.0


def is_wrap(
    above: LineBox, below: LineBox, column: Sequence[LineBox | None], *, apart: bool, gap: float = 0.0
) -> bool:
    """Whether the break between two lines is only a wrap.

    ``column`` are lines around ``above``, of its page; ``apart`` says that the lines do not touch: they are
    the end and the start of two columns or pages. ``gap`` is the page's :func:`usual_gap`.
    """
    if not _reads_on(above, below):
        return False
    if not apart:
        distance = below.v0 - above.v1
        if not -0.5 * above.size <= distance <= max(0.9, 1.3 * gap) * above.size:
            return False
        if below.u0 > above.u0 + 0.8 * above.size:
            return False
    right, left = above.u1, above.u0
    for line in column:
        if line is not None and _share_column(line, above):
            right = max(right, line.u1)
            left = min(left, line.u0)
    rest = right - above.u1
    if above.u1 - above.u0 < _SHORTEST * above.size * 0.6:
        return False
    if _WIDE.match(above.text.rstrip()[-1:]) or _WIDE.match(below.text.lstrip()[:1]):
        return rest <= 1.6 * above.size or above.u1 - above.u0 >= _NEARLY_FULL * (right - left)
    return rest <= below.first_word + 0.6 * above.size


def joint(above: str, below: str) -> str:
    """What stands between two joined lines: nothing next to Chinese, else a blank."""
    if above.endswith((" ", "\t", "-", "/")):
        return ""
    return "" if _WIDE.match(above[-1:]) or _WIDE.match(below[:1]) else " "


def is_hyphenated(above: str, below: str) -> bool:
    """Whether a word was broken at the end of the line with a hyphen."""
    return (
        len(above) > 1
        and above[-1] in "-\u2010\u00ad"
        and above[-2].isalpha()
        and not _WIDE.match(above[-2])
        and below[:1].isalpha()
        and below[:1].islower()
    )


def _reads_on(above: LineBox, below: LineBox) -> bool:
    first, second = above.text.rstrip(), below.text.strip()
    if not first or not second or first[-1] in _ENDS or " | " in first or " | " in second:
        return False
    if "……" in second or "....." in second:  # leaders of a table of contents
        return False
    if _MARKER.match(second) and first[-1] not in _NO_END:
        return False
    return abs(above.size - below.size) <= 0.15 * max(above.size, below.size)


def _share_column(line: LineBox, other: LineBox) -> bool:
    shared = min(line.u1, other.u1) - max(line.u0, other.u0)
    return shared > 0.5 * min(line.u1 - line.u0, other.u1 - other.u0)


def _turn(lines: Sequence[Sequence[Rect]]) -> tuple[int, int]:
    """The direction in which most lines of the page run."""
    across = down = 0.0
    for boxes in lines:
        if len(boxes) > 1:
            dx, dy = boxes[-1][0] - boxes[0][0], boxes[-1][1] - boxes[0][1]
            if abs(dx) >= abs(dy):
                across += dx
            else:
                down += dy
    if abs(across) >= abs(down):
        return (1 if across >= 0 else -1, 0)
    return (0, 1 if down >= 0 else -1)


def _turned(box: Rect, turn: tuple[int, int]) -> Rect:
    x0, y0, x1, y1 = box
    if turn == (1, 0):
        return box
    if turn == (-1, 0):
        return -x1, -y1, -x0, -y0
    if turn == (0, 1):
        return y0, -x1, y1, -x0
    return -y1, x0, -y0, x1
