"""What readers of text are given to show: a page of it with its marks and headings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.documents import Heading


@dataclass(frozen=True, slots=True)
class TextPart:
    """A page's text and the spans marked in it; ``heading`` stands above it when there are several.

    ``spans`` are what is cited, ``passage`` what stands around it. ``headings`` are lines of ``text``.
    """

    text: str
    spans: Sequence[tuple[int, int]] = ()
    heading: str = ""
    passage: Sequence[tuple[int, int]] = ()
    headings: Sequence[Heading] = ()
    location: Mapping[str, Any] | None = None


Occurrence = tuple[int, int, int]
"""Number of a part (from 0) and [start, end) in its text."""


class TextReader(Protocol):
    """A widget that shows parts."""

    def show_parts(self, parts: Sequence[TextPart]) -> None:
        """Show them, marked, and go to the first mark."""
        ...

    def show_found(self, found: Sequence[Occurrence], now: int | None) -> None:
        """Mark places of words that were looked for, and go to the one numbered ``now``."""
        ...

    def go_to(self, part: int, offset: int) -> None:
        """Scroll to a place."""
        ...

    def marked_texts(self) -> list[str]:
        """What is marked as cited now, for people who read with a screen reader and for tests."""
        ...
