"""One sentence against the evidence: which of its details are held, and by what speaks of the same thing.

A number that occurs in the evidence may be that of another subject, row or year. So the place that holds it
is compared with the best place that holds another value instead: where that one fits the words around the
detail better, the detail was taken from somewhere else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from engine.answer import clauses, moments
from engine.answer.claims import directions, enumerations, fillers, polarity, repeated, slots, terms
from engine.answer.claims.dates import Moment, dates
from engine.answer.claims.quantities import Quantity, quantities
from engine.answer.facts import Fact, facts, squeezed
from engine.answer.support import Index, Scores, coverage, plain
from engine.answers import Flag
from engine.normalise import normalise, normalise_with_offsets

# Fitted on the sets that tests/quality/README.md names, under "Checks of answers".
NUMBER_MARGIN, CELL_MARGIN, NAME_MARGIN = 0.08, 0.04, 0.2
"""How much better the place of another value must fit before a detail counts as taken from elsewhere. Two
cells of one row differ in the head of their columns only."""

BRIEF_MARGIN = 0.25
"""The same for an answer of a number only (36.8°C), about which the question alone speaks."""

ALIGNED = 0.35
"""Share of a clause's terms from which a place says the same thing, so that opposites can be compared."""

PLAIN = 0.75
"""Share of a clause's terms from which a place says it nearly word for word."""

_AROUND, _ASKED, _ASKED_OF_LONG = 0.35, 0.35, 0.09
"""What terms of the sentence's other clauses and of the question count beside those of the clause."""

_ENOUGH = 12.0
"""Weight of terms from which a clause, or a sentence, says by itself what a detail in it is about."""

_VERBATIM = 12
"""Characters of two clauses that are nobody else's when they stand in the evidence word by word."""

_DETAIL = 6.0
"""What another detail of the clause counts: as a rare word."""

_COMPARED, _COMPARED_WITH = 300, 600
"""Characters of a clause and of a sentence that are laid side by side, which takes their product in time."""

Span = tuple[int, int]
Found = tuple[Literal["negation", "name"], Literal["opposite", "elsewhere", "absent"], int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A clause ``[start, end)`` of the sentence, what it weighs, and how near each clause of the
    evidence is."""

    start: int
    end: int
    weight: float
    cover: Scores


@dataclass(frozen=True, slots=True)
class Judged:
    """``fit`` is how near each clause of the evidence is to the whole sentence, ``support`` the weighted mean
    of the best of each part, 0 to 1."""

    flags: tuple[Flag, ...]
    fit: Scores
    parts: tuple[Part, ...]
    support: float

    @property
    def speaks_for_itself(self) -> bool:
        """Whether the sentence says enough for its wording to show what it is about."""
        return sum(part.weight for part in self.parts) >= _ENOUGH


def judge(sentence: str, index: Index, question: str = "") -> Judged:
    """Compare one sentence, without citation marks, with all evidence; ``index`` has at least one clause."""
    statement = _Statement(sentence, index, question)
    parts = tuple(statement.parts())
    strangers = list(statement.strangers())
    flags = [
        *(flag for flag in strangers if flag.kind != "name"),
        *chain.from_iterable(statement.opposites(part) for part in parts),
        # Behind the names that stand in the place of another one, which says more than that they are absent.
        *(flag for flag in strangers if flag.kind == "name"),
    ]
    total = sum(part.weight for part in parts)
    best = sum(part.weight * _max(part.cover) for part in parts)
    kept = sorted(_distinct(flags), key=lambda flag: flag.start)
    return Judged(tuple(kept), statement.cover(None), parts, best / total if total else 0.0)


class _Statement:
    """A sentence taken apart: its details, its clauses, and how near the evidence is to each of its terms."""

    def __init__(self, sentence: str, index: Index, question: str) -> None:
        self.text = fillers.blanked(sentence)
        self.index = index
        self.asked_for = squeezed(question)
        self.given = quantities(normalise(question), every=True)
        self.given_dates = dates(normalise(question))
        self.details = facts(self.text, self.is_known)
        blank = _without(self.text, self.details)
        self.spans = list(clauses.split(blank))
        self.words = [terms.weighted(blank[start:end]) for start, end in self.spans]
        asked = terms.weighted(question) if question else {}
        is_long = sum(sum(each.values()) for each in self.words) >= _ENOUGH
        share = _ASKED_OF_LONG if is_long else _ASKED
        self.asked = {term: weight * share for term, weight in asked.items()}
        vocabulary = dict.fromkeys(chain(*self.words, asked))
        self.place = {term: at for at, term in enumerate(vocabulary)}
        self.rows = index.rows(vocabulary)
        self.holders = [index.holders(fact) for fact in self.details]
        self.near = [index.near(each) for each in self.holders]
        self.clause_of = [self._clause_of(fact) for fact in self.details]
        self.dated = moments.compared(self.text, self.details, index)

    def is_known(self, piece: str) -> bool:
        """Whether any evidence holds a piece of text."""
        wanted = squeezed(piece)
        return any(wanted in block.held.text for block in self.index.blocks)

    def cover(self, clause: int | None, *, without: int | None = None, name: str = "") -> Scores:
        """How near each clause of the evidence is, seen from one clause of the sentence or from all.

        ``without`` leaves one of the details out, ``name`` the terms of a name.
        """
        weights = np.zeros(len(self.place))
        for term, weight in self.asked.items():
            weights[self.place[term]] = weight
        is_alone = clause is not None and sum(self.words[clause].values()) >= _ENOUGH
        for at, each in enumerate(self.words):
            share = 1.0 if at == clause or not is_alone else _AROUND
            for term, weight in each.items():
                if term not in name:
                    weights[self.place[term]] = max(weights[self.place[term]], weight * share)
        beside = [
            (self.near[at], _DETAIL if clause is None or self.clause_of[at] == clause else _DETAIL * _AROUND)
            for at, fact in enumerate(self.details)
            if at != without and fact.kind != "name"
        ]
        table = np.vstack([self.rows, *(row for row, _ in beside)]) if beside else self.rows
        return coverage(table, [*weights.tolist(), *(weight for _, weight in beside)])

    def parts(self) -> Iterator[Part]:
        """The clauses that say something."""
        for at, ((start, end), own) in enumerate(zip(self.spans, self.words, strict=True)):
            inside = [
                self.near[d] for d, fact in enumerate(self.details)
                if self.clause_of[d] == at and fact.kind != "name"
            ]  # fmt: skip
            weights = [*own.values(), *[_DETAIL] * len(inside)]
            if weights:
                table = np.vstack([self.rows[[self.place[term] for term in own]], *inside])
                yield Part(start, end, float(sum(weights)), coverage(table, weights))

    def strangers(self) -> Iterator[Flag]:
        """The details that no evidence holds, or none that speaks of the same thing."""
        for at, fact in enumerate(self.details):
            if self._is_counted(fact):
                continue
            if not self.holders[at]:
                if not self._is_given(fact):
                    yield self._absent(at, fact)
            elif at in self.dated.wrong or self._is_from_elsewhere(at, fact):
                yield Flag(fact.kind, fact.text, fact.start, fact.end, "elsewhere")

    def opposites(self, part: Part) -> Iterator[Flag]:
        """Where a clause says the opposite of what is nearest to it, or puts another name in its place."""
        at = next(at for at, (start, _) in enumerate(self.spans) if start == part.start)
        if _max(part.cover) < ALIGNED or self._is_verbatim(at):
            return
        aligned = int(part.cover.argmax())
        end = min(part.end, part.start + _COMPARED)
        normal, origin = normalise_with_offsets(self.text[part.start : end])
        origin = [part.start + at for at in (*origin, end - part.start)]
        evidence, clause = self.index.sentence(aligned), self.index.clauses[aligned].text

        def is_named(first: int, last: int) -> bool:
            return any(
                fact.kind == "name" and fact.start < origin[last] and origin[first] < fact.end
                for fact in self.details
            )

        refilled = slots.refilled(normal, evidence[:_COMPARED_WITH], self.is_known, is_named)
        found: list[Found] = [("negation", "opposite", *span) for span in polarity.opposed(normal, evidence)]
        found += [("negation", "opposite", *span) for span in directions.opposed(normal, clause, evidence)]
        for span in refilled:
            words = normal[slice(*span)]
            if not self._is_repeated(words):
                found.append(("name", "elsewhere" if slots.is_name_like(words) else "absent", *span))
        for kind, why, first, last in found:
            start, stop = origin[first], origin[last]
            yield Flag(kind, self.text[start:stop], start, stop, why)

    def _is_given(self, fact: Fact) -> bool:
        """Whether a detail comes with the question: a name that the evidence has in another form (阿根廷队,
        阿根廷), or how many things are asked for."""
        value = fact.value
        if isinstance(value, str):
            return repeated.is_plural(value, self.is_known) or self._is_repeated(value)
        return isinstance(value, Quantity) and value.counts and any(value.same(each) for each in self.given)

    def _is_repeated(self, words: str) -> bool:
        return repeated.is_repeated(words, self.asked_for, self.is_known)

    def _is_counted(self, fact: Fact) -> bool:
        """Whether a number says how many things the sentence goes on to name."""
        value = fact.value
        return (
            isinstance(value, Quantity)
            and (value.counts or not value.unit)
            and value.value > 1
            and value.value == enumerations.length(self.text[fact.end :])
        )

    def _absent(self, at: int, fact: Fact) -> Flag:
        """A detail that is nowhere; only its unit is wrong where its number stands in the right place."""
        value = fact.value
        if isinstance(value, Quantity) and value.unit:
            same = [
                each for each, clause in enumerate(self.index.clauses)
                if any(value.value == other.value for other in clause.quantities)
            ]  # fmt: skip
            cover = self.cover(self.clause_of[at], without=at)
            if same and _max(cover[same]) >= _max(cover[self.index.rivals(fact)]):
                whole = self.text[fact.start : fact.whole_end]
                return Flag("unit", whole, fact.start, fact.whole_end, "absent")
        return Flag(fact.kind, fact.text, fact.start, fact.end, "absent")

    def _is_from_elsewhere(self, at: int, fact: Fact) -> bool:
        clause, holders = self.clause_of[at], self.holders[at]
        held = set(holders)
        if isinstance(fact.value, str):
            cover = self.cover(clause, name=fact.value)
            rivals = [each for each in range(len(self.index.clauses)) if each not in held]
            margin = NAME_MARGIN
        else:
            if self._is_verbatim(clause) or (at in self.dated.right and fact.kind == "date"):
                return False
            cover = self.cover(clause, without=at)
            rivals = [
                each for each in self.index.rivals(fact) if each not in held and not (
                    isinstance(fact.value, Quantity)
                    and self.dated.excludes(at, fact.value, self.index.clauses[each])
                )
            ]  # fmt: skip
            is_cell = bool(rivals) and self.index.is_cell(rivals[int(cover[rivals].argmax())])
            margin = CELL_MARGIN if is_cell else NUMBER_MARGIN
            if not any(self.words):
                margin = BRIEF_MARGIN
            if self.index.stands_alone(holders) and _max(cover[rivals]) < PLAIN:
                return False  # the date under a letter says nothing about itself
            if self._is_asked_date(fact) and self._is_said_without_date(cover, rivals):
                return False
        return bool(rivals) and _max(cover[rivals]) - _max(cover[holders]) > margin

    def _is_asked_date(self, fact: Fact) -> bool:
        return isinstance(fact.value, Moment) and any(fact.value.within(each) for each in self.given_dates)

    def _is_said_without_date(self, cover: Scores, dated: Sequence[int]) -> bool:
        """Whether what says most of the sentence has no date of its own: that of the heading is meant."""
        best = int(cover.argmax())
        sentence = self.index.clauses[best].sentence
        return best not in dated and all(
            cover[best] > cover[at] for at in dated if self.index.clauses[at].sentence == sentence
        )

    def _is_verbatim(self, clause: int | None) -> bool:
        """Whether the evidence holds a clause word by word together with the one before or behind it, however
        it writes the numbers. Short ones take a third one along."""
        if clause is None:
            return False
        for first in (clause - 1, clause):
            begin, last = max(0, first), min(len(self.spans), first + 2) - 1
            piece = self._plain(begin, last)
            if len(piece) < _VERBATIM and last + 1 < len(self.spans):
                piece = self._plain(begin, last + 1)
            if len(piece) >= _VERBATIM and any(piece in block.plain for block in self.index.blocks):
                return True
        return False

    def _plain(self, first: int, last: int) -> str:
        return plain(normalise(self.text[self.spans[first][0] : self.spans[last][1]])).rstrip("。.;；")

    def _clause_of(self, fact: Fact) -> int | None:
        """The clause that a detail stands in, or the one behind it; None for a sentence of details only."""
        for at, (start, end) in enumerate(self.spans):
            if fact.start < end or start > fact.start:
                return at
        return len(self.spans) - 1 if self.spans else None


def _without(text: str, details: Sequence[Fact]) -> str:
    """The text with its numbers and dates blanked."""
    characters = list(text)
    for fact in details:
        if fact.kind != "name":
            characters[fact.start : fact.whole_end] = " " * (fact.whole_end - fact.start)
    return "".join(characters)


def _distinct(flags: Sequence[Flag]) -> list[Flag]:
    found: list[Flag] = []
    for flag in flags:
        if not any(flag.start < other.end and other.start < flag.end for other in found):
            found.append(flag)
    return found


def _max(scores: Scores) -> float:
    return float(scores.max()) if len(scores) else 0.0
