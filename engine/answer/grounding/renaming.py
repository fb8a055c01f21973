"""Another name in the place of that of the evidence: a clause, or a whole sentence, beside what says it."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from engine.answer.grounding.claims import alignment, repeated, slots
from engine.answer.grounding.statement import Part, Statement
from engine.answer.grounding.support import Scores
from engine.answers import Flag
from engine.normalise import normalise_with_offsets

ALIGNED = 0.35
"""Share of a clause's terms from which a place says the same thing, so that the two can be compared."""

MOSTLY = 0.6
"""Share of a sentence's characters from which the evidence says it in the same order."""

_NEAREST, _CLAUSES = 3, 12
"""Sentences that are laid beside a clause, and clauses among which they are sought."""

_COMPARED, _COMPARED_WITH = 300, 600
"""Characters of a clause and of a sentence that are laid side by side, which takes their product in time."""


def renamed(statement: Statement, parts: Sequence[Part]) -> Iterator[Flag]:
    """Where a clause, or the whole sentence, puts another name in the place of that of the evidence."""
    whole = statement.cover(None)
    for part in parts:
        if float(part.cover.max(initial=0.0)) >= ALIGNED and not statement.is_verbatim(part.number):
            yield from _refilled(statement, part.start, part.end, (part.cover, whole))
    spans = range(len(statement.spans))
    if len(spans) > 1 and not all(statement.is_verbatim(at) for at in spans):
        yield from _refilled(statement, 0, len(statement.text), (whole,), least=MOSTLY)


def _refilled(
    statement: Statement, start: int, end: int, covers: Sequence[Scores], least: float = 0.0
) -> Iterator[Flag]:
    normal, origin = compared(statement, start, end)
    nearest = _nearest(statement, covers, normal)
    if least and alignment.shared(normal, nearest) < least * len(normal):
        return

    def is_named(first: int, last: int) -> bool:
        return any(
            fact.kind == "name" and fact.start < origin[last] and origin[first] < fact.end
            for fact in statement.details
        )

    side = slots.Side(
        statement.is_known,
        is_named,
        lambda words: _is_proper(statement, words),
        lambda at: statement.text[origin[at]].isupper(),
        statement.asked_for,
    )
    for first, last in slots.refilled(normal, nearest, side):
        words = normal[first:last]
        if not repeated.is_repeated(words, statement.asked_for, statement.is_known):
            why: Literal["elsewhere", "absent"] = "elsewhere" if slots.is_name_like(words) else "absent"
            begin, stop = origin[first], origin[last]
            yield Flag("name", statement.text[begin:stop], begin, stop, why)


def compared(statement: Statement, start: int, end: int) -> tuple[str, list[int]]:
    """A piece of the sentence, normalised, and where each character stands in the sentence; of a long one
    the clauses at the beginning."""
    if end - start > _COMPARED:
        whole = [stop for first, stop in statement.spans if start <= first and stop - start <= _COMPARED]
        end = max(whole, default=start + _COMPARED)
    normal, origin = normalise_with_offsets(statement.text[start:end])
    return normal, [start + at for at in (*origin, end - start)]


def _nearest(statement: Statement, covers: Sequence[Scores], clause: str) -> str:
    """The sentence of the evidence that says most of a clause in the same order: by its terms alone the one
    that holds the clause's name comes first, whatever it says of it."""
    of = statement.index.clauses
    best: dict[int, int] = {}
    for cover in covers:
        order = np.argsort(-cover, kind="stable").tolist()
        found = list(dict.fromkeys(of[at].sentence for at in order[:_CLAUSES]))[:_NEAREST]
        for at in order[:_CLAUSES]:
            if of[at].sentence in found:
                best.setdefault(of[at].sentence, at)
    texts = [statement.index.sentence(at)[:_COMPARED_WITH] for at in best.values()]
    return max(texts, key=lambda text: alignment.shared(clause, text))


def _is_proper(statement: Statement, words: str) -> bool:
    """Whether the evidence writes latin words as a name, most of them and most often with a capital."""
    spelt = r"\s+".join(map(re.escape, words.split()))
    pattern = re.compile(rf"\b{spelt}\b", re.I)
    found = [
        word
        for block in statement.index.blocks
        for match in pattern.finditer(block.evidence.text)
        for word in re.findall(r"(?!(?:the|and)\b)[^\W\d_]{3,}", match.group(), re.I)
    ]
    capitals = [word for word in found if word[0].isupper()]
    return len(capitals) * 2 > len(found)
