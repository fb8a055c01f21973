"""A clause and a sentence of the evidence laid side by side, word by word: what is the same, what is not.

A latin word counts as a whole, a Han character by itself: ``att`` is in ``attorney`` and in ``that tells``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from engine.answer.gate.figures import stem

_TOKEN = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+|\S")
_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]{4,}")
"""A latin word that is enough to be the same by itself: no article, no preposition."""

_LEAST_SHARED = 2
"""Characters or words on a side that must be the same, unless the clause begins or ends there."""

_CLOSING = " .。!！?？;；,，:：、"


@dataclass(frozen=True, slots=True)
class Gap:
    """``[start, end)`` of the clause stands where the evidence says ``other``.

    ``at_start`` and ``at_end``: nothing before or behind it is the same, so that the clause begins or ends
    there, and ``other`` reaches to the beginning or end of the evidence.
    """

    start: int
    end: int
    other: str
    at_start: bool
    at_end: bool


def gaps(clause: str, evidence: str) -> Iterator[Gap]:
    """The places where a (normalised) clause differs from the evidence, in order."""
    mine, theirs = _tokens(clause.rstrip(_CLOSING)), _tokens(evidence.rstrip(_CLOSING))
    edges = [(0, 0, 0), *_blocks(clause, mine, evidence, theirs), (len(mine), len(theirs), 0)]
    for (a, b, size), (next_a, next_b, following) in pairwise(edges):
        if a + size < next_a:
            start, end = mine[a + size][0], mine[next_a - 1][1]
            other = evidence[theirs[b + size][0] : theirs[next_b - 1][1]] if b + size < next_b else ""
            yield Gap(start, end, other, at_start=not size, at_end=not following)


def shared(clause: str, evidence: str) -> int:
    """Characters of a clause that stand in the evidence in the same order, in pieces."""
    mine, theirs = _tokens(clause), _tokens(evidence)
    return sum(mine[a + size - 1][1] - mine[a][0] for a, _, size in _blocks(clause, mine, evidence, theirs))


def trimmed(clause: str, start: int, end: int, other: str) -> tuple[int, int, str]:
    """A gap without the words that both sides of it begin or end with."""
    mine, theirs = list(_tokens(clause[start:end])), list(_tokens(other))
    for at in (0, -1):
        while mine and theirs:
            (a, b), (c, d) = mine[at], theirs[at]
            if clause[start + a : start + b] != other[c:d]:
                break
            del mine[at], theirs[at]
    if not mine:
        return start, start, other
    rest = other[theirs[0][0] : theirs[-1][1]] if theirs else ""
    return start + mine[0][0], start + mine[-1][1], rest


Spans = tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)
def _tokens(text: str) -> Spans:
    return tuple(match.span() for match in _TOKEN.finditer(text))


def _blocks(clause: str, mine: Spans, evidence: str, theirs: Spans) -> list[tuple[int, int, int]]:
    """What is the same: its place in both, and its length, in tokens."""
    said, held = ([stem(text[a:b]) for a, b in spans] for text, spans in ((clause, mine), (evidence, theirs)))
    matcher = SequenceMatcher(None, said, held, autojunk=False)
    return [
        (a, b, size)
        for a, b, size in matcher.get_matching_blocks()
        if size >= _LEAST_SHARED or (size and _WORD.fullmatch(said[a]))
    ]
