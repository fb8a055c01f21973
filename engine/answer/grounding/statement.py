"""A sentence taken apart: its details, its clauses, and how near each clause of the evidence is to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from engine.answer.grounding import clauses, moments
from engine.answer.grounding.claims import fillers, terms
from engine.answer.grounding.claims.dates import dates
from engine.answer.grounding.claims.quantities import quantities
from engine.answer.grounding.facts import Fact, facts, squeezed
from engine.answer.grounding.support import Index, Scores, coverage, plain
from engine.normalise import normalise

_AROUND, _ASKED, _ASKED_OF_LONG = 0.35, 0.35, 0.09
"""What terms of the sentence's other clauses and of the question count beside those of the clause."""

_REPEATED = 0.35
"""What terms of the question count in what a clause claims."""

ENOUGH = 12.0
"""Weight of terms from which a clause, or a sentence, says by itself what a detail in it is about."""

_VERBATIM = 12
"""Characters of two clauses that are nobody else's when they stand in the evidence word by word."""

_DETAIL = 6.0
"""What another detail of the clause counts: as a rare word."""


@dataclass(frozen=True, slots=True)
class Part:
    """A clause ``[start, end)`` of the sentence, the ``number``-th, what it weighs, and how near each clause
    of the evidence is.

    ``support`` is how near the best of them is to what it claims, which weighs ``claimed``: words that are
    the question's own weigh less there, as an answer repeats them and the evidence may say them otherwise.
    """

    number: int
    start: int
    end: int
    weight: float
    cover: Scores
    claimed: float
    support: float


class Statement:
    """One sentence before its evidence: what it holds, and where the evidence holds it."""

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
        is_long = sum(sum(each.values()) for each in self.words) >= ENOUGH
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
        is_alone = clause is not None and sum(self.words[clause].values()) >= ENOUGH
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
                claims = [weight * (_REPEATED if term in self.asked else 1.0) for term, weight in own.items()]
                claims += [_DETAIL] * len(inside)
                support = float(coverage(table, claims).max(initial=0.0))
                cover = coverage(table, weights)
                yield Part(at, start, end, float(sum(weights)), cover, float(sum(claims)), support)

    def is_verbatim(self, clause: int | None) -> bool:
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
