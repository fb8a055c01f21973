"""The details of a statement that can be compared with its evidence: numbers, dates, names.

Everything is compared after normalisation and by value, so that 十年 meets 10 年 and 2024-03-01 meets
2024年3月1日. A detail keeps its place in the statement as it was written.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from engine.answer.grounding.claims import names
from engine.answer.grounding.claims.dates import Moment, dates, in_context
from engine.answer.grounding.claims.quantities import Quantity, quantities
from engine.normalise import normalise, normalise_with_offsets

_BARE_YEAR = Decimal(1000)


@dataclass(frozen=True, slots=True)
class Fact:
    """One detail: its comparable value, the text it was written as and its place in the statement.

    ``whole_end`` is the end of a number's unit.
    """

    kind: Literal["number", "date", "name"]
    value: Quantity | Moment | str
    text: str
    start: int
    end: int
    whole_end: int


def facts(statement: str, is_known: Callable[[str], bool] = lambda piece: False) -> list[Fact]:
    """The details of a statement, in order; ``is_known`` as for :func:`claims.names.names`."""
    normal, origin = normalise_with_offsets(statement)
    origin = [*origin, len(statement)]
    found: list[Fact] = []

    def add(
        kind: Literal["number", "date"], value: Quantity | Moment, start: int, end: int, whole: int
    ) -> None:
        first, last = origin[start], origin[end]
        found.append(Fact(kind, value, statement[first:last].strip(), first, last, origin[whole]))

    named = names.names(statement, is_known)
    designations = [name for name in named if name.is_designation]
    moments = [m for m in dates(normal) if not any(n.start <= origin[m.start] < n.end for n in designations)]
    for moment in moments:
        add("date", moment, moment.start, moment.end, moment.end)
    for quantity in quantities(normal):
        inside_date = any(moment.start <= quantity.start < moment.end for moment in moments)
        at = origin[quantity.start]
        inside_name = any(name.start <= at < name.end for name in named)
        if not (inside_date or inside_name):
            add("number", quantity, quantity.start, quantity.end, quantity.unit_end)
    for name in named:
        if not any(name.start < fact.end and fact.start < name.end for fact in found if fact.kind == "date"):
            found.append(Fact("name", squeezed(name.text), name.text, name.start, name.end, name.end))
    return sorted(found, key=lambda fact: fact.start)


@dataclass(frozen=True, slots=True)
class Held:
    """What a piece of evidence holds, asked fact by fact. ``text`` is squeezed."""

    text: str
    quantities: tuple[Quantity, ...]
    moments: tuple[Moment, ...]
    scales: tuple[int, ...] = ()
    """What bare numbers may stand for: the head of a table says 万元 once for all of them."""

    @classmethod
    def of(cls, evidence: str) -> "Held":
        """Read a whole text."""
        normal = normalise(evidence)
        text = squeezed(evidence)
        moments = tuple(in_context(dates(normal)))
        return cls(text, tuple(undated(quantities(normal, every=True), moments)), moments, scales(text))

    def __contains__(self, fact: Fact) -> bool:
        if isinstance(fact.value, str):
            return fact.value in self.text
        return self.holds(fact.value, self.quantities, self.moments)

    def holds(
        self, wanted: Quantity | Moment, quantities: Sequence[Quantity], moments: Sequence[Moment]
    ) -> bool:
        """Whether a number or date is among those of a piece of the evidence; a year may be either."""
        if isinstance(wanted, Moment):
            return any(wanted.within(each) for each in moments) or (
                _is_bare_year(wanted) and any(each.value == wanted.year for each in quantities)
            )
        if _is_year(wanted):
            return any(self.is_same(wanted, each) for each in quantities) or any(
                each.year == wanted.value for each in moments
            )
        return any(self.is_same(wanted, each) and not is_year_of(each, moments) for each in quantities)

    def is_same(self, wanted: Quantity, found: Quantity) -> bool:
        """Whether two numbers are one, also in the scale that this evidence names for all its numbers."""
        if wanted.same(found):
            return True
        return not found.unit and any(wanted.value == found.value * scale for scale in self.scales)


def undated(found: Iterable[Quantity], moments: Sequence[Moment]) -> list[Quantity]:
    """The numbers that belong to no date: 8月 is no 8个月."""
    within = [moment for moment in moments if moment.month is not None]
    return [each for each in found if not any(m.start <= each.start < m.end for m in within)]


def _is_bare_year(moment: Moment) -> bool:
    """Whether a date is no more than a number of four digits."""
    return moment.year is not None and moment.month is None


def _is_year(quantity: Quantity) -> bool:
    """Whether a number may be a year."""
    return quantity.unit in ("", "年") and quantity.value >= _BARE_YEAR


def is_year_of(quantity: Quantity, moments: Sequence[Moment]) -> bool:
    """Whether a number is the year of a date: 2024年 is no number of years, and 1994 no 1994 %."""
    return quantity.unit in ("", "年") and any(m.start <= quantity.start < m.end for m in moments)


def scales(text: str) -> tuple[int, ...]:
    """The scales that a squeezed text names beside its numbers."""
    return tuple(
        scale
        for words, scale in ((("万元", "万人", "万美元"), 10**4), (("亿元", "亿美元"), 10**8),
                             (("千元", "inthousands"), 1000), (("inmillions", "百万元"), 10**6))
        if any(word in text for word in words)
    )  # fmt: skip


def between(sorted_starts: Sequence[int], start: int, end: int) -> slice:
    """Which of the details that begin at ``sorted_starts`` begin in ``[start, end)``."""
    return slice(bisect_right(sorted_starts, start - 1), bisect_right(sorted_starts, end - 1))


def squeezed(text: str) -> str:
    """Normalised and without blanks, for comparing wordings across line breaks."""
    return re.sub(r"\s+", "", normalise(text))
