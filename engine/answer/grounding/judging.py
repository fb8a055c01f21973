"""One sentence against the evidence: which of its details are held, and by what speaks of the same thing.

A number that occurs in the evidence may be that of another subject, row or year. So the place that holds it
is compared with the best place that holds another value instead: where that one fits the words around the
detail better, the detail was taken from somewhere else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from engine.answer.grounding import renaming
from engine.answer.grounding.claims import beside, directions, enumerations, polarity, repeated
from engine.answer.grounding.claims.dates import Moment, dates
from engine.answer.grounding.claims.quantities import Quantity
from engine.answer.grounding.facts import Fact, squeezed
from engine.answer.grounding.statement import ENOUGH, Part, Statement
from engine.answer.grounding.support import Index, Scores
from engine.answers import Flag
from engine.index import lexical
from engine.normalise import normalise

# Fitted on the sets that tests/quality/README.md names, under "Checks of answers".
NUMBER_MARGIN, CELL_MARGIN, NAME_MARGIN = 0.08, 0.04, 0.2
"""How much better the place of another value must fit before a detail counts as taken from elsewhere. Two
cells of one row differ in the head of their columns only."""

BRIEF_MARGIN = 0.25
"""The same for an answer of a number only (36.8°C), about which the question alone speaks."""

_ADVERBIAL = 4
"""Characters beside a date that make no statement: in, on the, 于, 截至."""

_REST = 2
"""Characters behind a name that make it a longer one."""

PLAIN = 0.75
"""Share of a clause's terms from which a place says it nearly word for word."""


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
        return sum(part.weight for part in self.parts) >= ENOUGH


def judge(sentence: str, index: Index, question: str = "") -> Judged:
    """Compare one sentence, without citation marks, with all evidence; ``index`` has at least one clause."""
    statement = Statement(sentence, index, question)
    parts = tuple(statement.parts())
    strangers = list(_strangers(statement))
    flags = [
        *(flag for flag in strangers if flag.kind != "name"),
        *chain.from_iterable(_opposites(statement, part) for part in parts),
        *renaming.renamed(statement, parts),
        # Behind the names that stand in the place of another one, which says more than that they are absent.
        *(flag for flag in strangers if flag.kind == "name"),
    ]
    total = sum(part.claimed for part in parts)
    best = sum(part.claimed * part.support for part in parts)
    kept = sorted(_distinct(flags), key=lambda flag: flag.start)
    return Judged(tuple(kept), statement.cover(None), parts, best / total if total else 0.0)


def _strangers(statement: Statement) -> Iterator[Flag]:
    """The details that no evidence holds, or none that speaks of the same thing."""
    for at, fact in enumerate(statement.details):
        if _is_counted(statement, fact):
            continue
        if not statement.holders[at]:
            if not _is_given(statement, fact):
                yield _absent(statement, at, fact)
        elif at in statement.dated.wrong or _is_from_elsewhere(statement, at, fact):
            yield Flag(fact.kind, fact.text, fact.start, fact.end, "elsewhere")


def _opposites(statement: Statement, part: Part) -> Iterator[Flag]:
    """Where a clause says the opposite of what is nearest to it."""
    if _max(part.cover) < renaming.ALIGNED or statement.is_verbatim(part.number):
        return
    aligned = int(part.cover.argmax())
    normal, origin = renaming.compared(statement, part.start, part.end)
    evidence, clause = statement.index.sentence(aligned), statement.index.clauses[aligned].text
    found = list(polarity.opposed(normal, evidence)) + list(directions.opposed(normal, clause, evidence))
    for first, last in found:
        longer = normal[first : last + 1]
        if lexical.is_han(longer[last - first :]) and statement.index.is_titled(aligned, longer):
            continue  # 拒绝矿山安全监督 does not deny the law of that name
        start, stop = origin[first], origin[last]
        yield Flag("negation", statement.text[start:stop], start, stop, "opposite")


def _is_given(statement: Statement, fact: Fact) -> bool:
    """Whether a detail comes with the question: a name that the evidence has in another form (阿根廷队,
    阿根廷), a date that it says in pieces (10月31日…29日), or how many things are asked for."""
    value = fact.value
    if isinstance(value, str):
        return repeated.is_plural(value, statement.is_known) or _is_repeated(statement, value)
    if isinstance(value, Moment):
        return _is_asked_date(statement, fact) and _is_said_in_pieces(statement, value)
    return isinstance(value, Quantity) and value.counts and any(value.same(each) for each in statement.given)


def _is_repeated(statement: Statement, words: str) -> bool:
    return repeated.is_repeated(words, statement.asked_for, statement.is_known)


def _is_counted(statement: Statement, fact: Fact) -> bool:
    """Whether a number says how many things the sentence goes on to name."""
    value = fact.value
    return (
        isinstance(value, Quantity)
        and (value.counts or not value.unit)
        and value.value > 1
        and value.value == enumerations.length(statement.text[fact.end :])
    )


def _absent(statement: Statement, at: int, fact: Fact) -> Flag:
    """A detail that is nowhere; only its unit is wrong where its number stands in the right place."""
    value = fact.value
    if isinstance(value, Quantity) and value.unit:
        same = [
            each for each, clause in enumerate(statement.index.clauses)
            if any(value.value == other.value for other in clause.quantities)
        ]  # fmt: skip
        cover = statement.cover(statement.clause_of[at], without=at)
        if same and _max(cover[same]) >= _max(cover[statement.index.rivals(fact)]):
            whole = statement.text[fact.start : fact.whole_end]
            return Flag("unit", whole, fact.start, fact.whole_end, "absent")
    return Flag(fact.kind, fact.text, fact.start, fact.end, "absent")


def _is_from_elsewhere(statement: Statement, at: int, fact: Fact) -> bool:
    clause, holders = statement.clause_of[at], statement.holders[at]
    held = set(holders)
    if isinstance(fact.value, str):
        if _is_part_of_asked(statement, fact):
            return False
        cover = statement.cover(clause, name=fact.value)
        rivals = [each for each in range(len(statement.index.clauses)) if each not in held]
        margin = NAME_MARGIN
    else:
        if statement.is_verbatim(clause) or (at in statement.dated.right and fact.kind == "date"):
            return False
        cover = statement.cover(clause, without=at)
        rivals = [
            each for each in statement.index.rivals(fact) if each not in held and not (
                isinstance(fact.value, Quantity)
                and statement.dated.excludes(at, fact.value, statement.index.clauses[each])
            )
        ]  # fmt: skip
        is_cell = bool(rivals) and statement.index.is_cell(rivals[int(cover[rivals].argmax())])
        margin = CELL_MARGIN if is_cell else NUMBER_MARGIN
        if not any(statement.words):
            margin = BRIEF_MARGIN
        if statement.index.stands_alone(holders) and _max(cover[rivals]) < PLAIN:
            return False  # the date under a letter says nothing about itself
        if _is_asked_date(statement, fact):
            rivals = [each for each in rivals if not _is_said_as_well(statement, at, each)]
            if _is_said_without_date(statement, cover, rivals):
                return False
    held_by = holders if isinstance(fact.value, str) else [*holders, *_leading(statement.index, holders)]
    nearer = [each for each in rivals if cover[each] - _max(cover[held_by]) > margin]
    if not nearer:
        return False
    return isinstance(fact.value, str) or not _is_said_beside(statement, fact, holders, nearer)


def _is_part_of_asked(statement: Statement, fact: Fact) -> bool:
    """Whether a name begins a longer one of the question that the evidence has: 上海 of 上海漫唐堂."""
    longer = squeezed(statement.text[fact.start : fact.end + _REST])
    return len(longer) > len(fact.text) and longer in statement.asked_for and statement.is_known(longer)


def _leading(index: Index, holders: Sequence[int]) -> Iterator[int]:
    """What a detail with a clause to itself leads: In July 1960, they announced the program."""
    for at in holders:
        clause = index.clauses[at]
        said = clause.text
        for moment in reversed(dates(said)):
            said = said[: moment.start] + said[moment.end :]
        if len(re.sub(r"\W", "", said)) <= _ADVERBIAL:
            yield from index.behind(at)


def _is_said_beside(statement: Statement, fact: Fact, holders: Sequence[int], rivals: Sequence[int]) -> bool:
    clauses, text = statement.index.clauses, statement.text
    return beside.is_said_of(
        normalise(fact.text),
        normalise(text[: fact.start]),
        normalise(text[fact.end :]),
        (clauses[at].text for at in holders),
        (clauses[at].text for at in rivals),
    )


def _is_asked_date(statement: Statement, fact: Fact) -> bool:
    return isinstance(fact.value, Moment) and any(fact.value.within(each) for each in statement.given_dates)


def _is_said_in_pieces(statement: Statement, moment: Moment) -> bool:
    return moment.day is not None and any(
        re.search(rf"(?<![\d月]){moment.day}日", block.plain)
        and any(
            (held.month, held.year or moment.year) == (moment.month, moment.year or held.year)
            for held in block.held.moments
        )
        for block in statement.index.blocks
    )


def _is_said_as_well(statement: Statement, at: int, rival: int) -> bool:
    """Whether the sentence says all dates of a clause besides its own ``at``, as 2023年…的2021年冠军 does."""
    others = [fact.value for number, fact in enumerate(statement.details) if number != at]
    return all(
        any(isinstance(other, Moment) and moment.within(other) for other in others)
        for moment in statement.index.clauses[rival].moments
    )


def _is_said_without_date(statement: Statement, cover: Scores, dated: Sequence[int]) -> bool:
    """Whether what says most of the sentence has no date of its own: that of the heading is meant."""
    best = int(cover.argmax())
    sentence = statement.index.clauses[best].sentence
    return best not in dated and all(
        cover[best] > cover[at] for at in dated if statement.index.clauses[at].sentence == sentence
    )


def _distinct(flags: Sequence[Flag]) -> list[Flag]:
    found: list[Flag] = []
    for flag in flags:
        if not any(flag.start < other.end and other.start < flag.end for other in found):
            found.append(flag)
    return found


def _max(scores: Scores) -> float:
    return float(scores.max()) if len(scores) else 0.0
