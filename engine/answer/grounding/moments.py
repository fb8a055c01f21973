"""Whether the evidence has the numbers of a sentence under the dates that the sentence gives them."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.grounding.claims import dating
from engine.answer.grounding.claims.dates import Moment
from engine.answer.grounding.claims.quantities import Quantity
from engine.answer.grounding.facts import Fact
from engine.answer.grounding.support import Clause, Index
from engine.normalise import normalise


@dataclass(frozen=True, slots=True)
class Dated:
    """Places among a sentence's details: ``right`` are numbers and dates that the evidence has together,
    ``wrong`` are dates of which it has a number under another one; the number, where the date is right for
    another number. ``of`` is the date that each number is given."""

    right: frozenset[int]
    wrong: frozenset[int]
    of: dict[int, Moment]

    def excludes(self, at: int, number: Quantity, clause: Clause) -> bool:
        """Whether a clause of the evidence has numbers of this one's kind under other dates only."""
        wanted = self.of.get(at)
        return wanted is not None and all(
            held.is_of(wanted) is False
            for other, held in zip(clause.quantities, clause.datings, strict=True)
            if other.same_measure(number)
        )


def compared(text: str, details: Sequence[Fact], index: Index) -> Dated:
    """What the evidence says to the numbers and dates of a sentence."""
    normal = normalise(text)
    numbers = {at: f.value for at, f in enumerate(details) if isinstance(f.value, Quantity)}
    moments = {at: f.value for at, f in enumerate(details) if isinstance(f.value, Moment)}
    if not numbers or not moments:
        return Dated(frozenset(), frozenset(), {})
    right, wrong, of = set[int](), list[tuple[int, int]](), dict[int, Moment]()
    found = dating.datings(normal, list(numbers.values()), list(moments.values()))
    for (at, number), given in zip(numbers.items(), found, strict=True):
        if given.moment is None or not dating.is_close(normal, number, given.moment):
            continue
        of[at] = given.moment
        date = next(place for place, moment in moments.items() if moment is given.moment)
        said = {held.is_of(given.moment) for held in index.datings(details[at])}
        if True in said:
            right |= {at, date}
        elif said == {False}:
            wrong.append((date, at))
    return Dated(frozenset(right), frozenset(n if d in right else d for d, n in wrong), of)
