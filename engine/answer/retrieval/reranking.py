"""Reranking: the best candidates of a search, looked at more closely and put in a better order.

The seam is :class:`Reranker`. What ships looks at words only: how much of the question a passage holds, how
much of it in one place, and whether the question names the document. Three weights beside the fused score,
fitted on other sets than they are reported on (tests/quality/reranking.py), kept in resources/reranking.json.
"""

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from engine.answer.gate import missing
from engine.answer.retrieval.lanes import Key
from engine.index import aliases, lexical
from engine.index.designations import designations
from engine.index.library import Library
from engine.normalise import normalise
from resources import read_text

CANDIDATES = 20
"""Chunks that are looked at; the right passage is among them in 99.9 % of the development sets' questions."""

FEATURES = ("near", "held", "named")

_NEAR = 80
"""Characters that are one place: two sentences. 40, 80 and 160 differ by less than half a point."""

_SHORTEST_TITLE = 2
_OCCURRENCES = 10
"""Of one term in one passage; more say nothing new."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What a reranker sees of a chunk."""

    text: str
    title: str = ""
    section: tuple[str, ...] = ()


class Reranker(Protocol):
    """Says how well each passage answers a question; the higher, the better.

    The scores are added to the fused ones, which are deviations from a library's mean. A cross-encoder that
    somebody has (``bge-reranker``) fits in here: it scores pairs of question and passage.
    """

    def score(self, question: str, passages: Sequence[Passage]) -> Sequence[float]:
        """One number a passage, comparable among these passages only."""
        ...


class WordReranker:
    """Weighted :func:`features`; 20 passages of 400 characters take 3 to 5 ms."""

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        """``weights`` by name of the feature; default: those that ship."""
        self._weights = shipped_weights() if weights is None else weights

    def score(self, question: str, passages: Sequence[Passage]) -> list[float]:
        return [
            sum(self._weights[name] * value for name, value in found.items())
            for found in features(question, passages)
        ]


def raise_best(
    question: str,
    fused: Mapping[Key, float],
    libraries: Sequence[Library],
    reranker: Reranker | None = None,
) -> dict[Key, float]:
    """The fused scores, with those of the reranker added to the best ``CANDIDATES``.

    Where a reranker goes below zero, its lowest score counts as zero: none of the best falls behind one that
    was not looked at.
    """
    # Equal scores in order of the key, so that the result is the same every time.
    best = heapq.nsmallest(CANDIDATES, fused, key=lambda key: (-fused[key], key))
    passages: dict[Key, Passage] = {}
    for at, library in enumerate(libraries):
        stored = library.chunks([row for position, row in best if position == at])
        for row, each in stored.items():
            passages[at, row] = Passage(each.chunk.text, each.title, each.chunk.section)
    if not passages:
        return dict(fused)
    scores = (reranker or WordReranker()).score(question, list(passages.values()))
    lowest = min(0.0, *scores)
    raised = {key: fused[key] + score - lowest for key, score in zip(passages, scores, strict=True)}
    return {**fused, **raised}


def features(question: str, passages: Sequence[Passage]) -> list[dict[str, float]]:
    """For each passage, each from 0 to 1:

    * held: share of the question's terms (words that only ask left out) that stand in passage, title or
      section;
    * near: the same for the best stretch of ``_NEAR`` characters of the passage instead of all of it;
    * named: 1 if the document's title stands in the question.

    All terms count alike: weighting them by rarity, in the library or among the candidates, was no better
    and would cost a query a term.
    """
    asked = normalise(question)
    wanted = lexical.query_terms(missing.named(question)) or lexical.query_terms(question)
    for other in aliases.synonyms(asked):
        wanted += [term for term in lexical.query_terms(missing.named(other)) if term not in wanted]
    return [_of_passage(asked, wanted, passage) for passage in passages]


@lru_cache(maxsize=1)
def shipped_weights() -> Mapping[str, float]:
    """The weights in resources/reranking.json."""
    found: dict[str, float] = json.loads(read_text("reranking.json"))["weights"]
    return found


def _of_passage(asked: str, wanted: Sequence[str], passage: Passage) -> dict[str, float]:
    title = normalise(passage.title)
    named = len(title) >= _SHORTEST_TITLE and title in asked
    if not wanted:
        return {"near": 0.0, "held": 0.0, "named": float(named)}
    text, heading = normalise(passage.text), normalise("\n".join((passage.title, *passage.section)))
    # A number in another writing has no place of its own in the text.
    elsewhere = {term for term in wanted if _stands(term, heading)} | set(designations(text)).intersection(
        wanted
    )
    places = sorted(
        (place, term) for term in wanted if term not in elsewhere for place in _places(term, text)
    )
    held = len(elsewhere) + len({term for _, term in places})
    near = len(elsewhere) + _most_in_one_place(places)
    return {"near": near / len(wanted), "held": held / len(wanted), "named": float(named)}


def _stands(term: str, text: str) -> bool:
    return next(_places(term, text), None) is not None


def _places(term: str, text: str) -> Iterator[int]:
    """Where a term begins in a normalised text; a latin word only where a word begins."""
    is_han = lexical.is_han(term)
    start = text.find(term)
    found = 0
    while start >= 0 and found < _OCCURRENCES:
        if is_han or not start or not text[start - 1].isalnum():
            found += 1
            yield start
        start = text.find(term, start + 1)


def _most_in_one_place(places: Sequence[tuple[int, str]]) -> int:
    """The most different terms that begin within ``_NEAR`` characters of each other."""
    inside: dict[str, int] = {}
    best = first = 0
    for place, term in places:
        inside[term] = inside.get(term, 0) + 1
        while places[first][0] < place - _NEAR:
            gone = places[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        best = max(best, len(inside))
    return best
