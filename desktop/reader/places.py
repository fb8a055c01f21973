"""Where a person has been in the reader, to go back and forward as in a browser."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.answers import Citation
from engine.documents import SearchHit

Source = SearchHit | Citation
_MOST = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A passage, and the page of its document (index from 0) that was read; None: the passage's own."""

    source: Source
    page: int | None = None


@dataclass(slots=True)
class Places:
    """``beside`` are the other citations of the answer that the passage now shown was opened from."""

    beside: Sequence[Source] = ()
    _places: list[Place] = field(default_factory=list)
    _at: int = -1

    @property
    def now(self) -> Place | None:
        return self._places[self._at] if self._places else None

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at + 1 < len(self._places)

    def visit(self, place: Place) -> None:
        """Go to a new place; those that lay ahead are forgotten."""
        if place != self.now:
            self._places = [*self._places[: self._at + 1], place][-_MOST:]
            self._at = len(self._places) - 1

    def leave(self, page: int | None) -> None:
        """Note which page of the present place is read, to come back to it."""
        if self.now is not None:
            self._places[self._at] = Place(self.now.source, page)

    def step(self, by: int) -> Place | None:
        """Go back (-1) or forward (1); None where there is nothing."""
        if not 0 <= self._at + by < len(self._places):
            return None
        self._at += by
        return self.now

    def neighbour(self, by: int) -> Source | None:
        """The next (1) or previous (-1) citation of the answer; None at either end."""
        at = self.number
        if at is None or not 0 <= at - 1 + by < len(self.beside):
            return None
        return self.beside[at - 1 + by]

    @property
    def number(self) -> int | None:
        """Which of the citations beside it the present place is, from 1."""
        if self.now is None or self.now.source not in self.beside:
            return None
        return self.beside.index(self.now.source) + 1
