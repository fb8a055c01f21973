"""Where the pages of a document lie in one long column: plain arithmetic, no widgets.

Lengths are logical pixels. ``scale`` is pixels per point; 100 % is 96 pixels to the inch.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

GAP = 12
MARGIN = 16
FULL_SIZE = 96 / 72
SMALLEST, LARGEST = 0.25, 4.0


@dataclass(frozen=True, slots=True)
class PageLayout:
    """``sizes`` are widths and heights in points as displayed."""

    sizes: Sequence[tuple[float, float]]
    scale: float
    tops: Sequence[int] = field(init=False)
    width: int = field(init=False)
    height: int = field(init=False)

    def __post_init__(self) -> None:
        tops: list[int] = []
        top = MARGIN
        for _, height in self.sizes:
            tops.append(top)
            top += round(height * self.scale) + GAP
        object.__setattr__(self, "tops", tops)
        object.__setattr__(self, "height", top - GAP + MARGIN if tops else 0)
        widest = max((width for width, _ in self.sizes), default=0.0)
        object.__setattr__(self, "width", round(widest * self.scale) + 2 * MARGIN)

    def page_rect(self, index: int, column_width: int) -> tuple[int, int, int, int]:
        """x, y, width, height of a page, centred in a column of ``column_width``."""
        width, height = (round(length * self.scale) for length in self.sizes[index])
        left = max(MARGIN, (max(column_width, self.width) - width) // 2)
        return left, self.tops[index], width, height

    def page_at(self, y: int) -> int:
        """Index of the page at height ``y`` (the gap below a page belongs to it)."""
        return max(0, bisect_right(self.tops, y) - 1)

    def visible(self, top: int, bottom: int) -> range:
        """Indexes of the pages between two heights."""
        if not self.sizes:
            return range(0)
        return range(self.page_at(top), self.page_at(bottom) + 1)


def fit_scale(page: tuple[float, float], room: tuple[int, int | None]) -> float:
    """The scale at which a page fills ``room`` with its margins; a height of None has no say.

    ``page`` is in points, ``room`` in pixels.
    """
    pairs = [(length, space) for length, space in zip(page, room, strict=True) if space is not None]
    wanted = min(((space - 2 * MARGIN) / length for length, space in pairs if length > 0), default=FULL_SIZE)
    return min(max(wanted, SMALLEST * FULL_SIZE), LARGEST * FULL_SIZE)
