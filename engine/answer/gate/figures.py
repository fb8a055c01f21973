"""The figures of one search that the gate weighs: five of words, one of places, two of meaning.

Each is a share (most as its logarithm, since what matters is by how many times it is larger), a mean or a
standardised score, and each can only speak for an answer when it rises (``codes_missing``: against), which
keeps the fitted weights from learning the habits of one set.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.documents import SearchHit
from engine.index import lexical
from engine.normalise import normalise

LEXICAL = ("first", "window", "run", "codes_missing", "rare", "gathered")
DENSE = ("general", "together")
AGAINST = ("codes_missing",)

_WINDOW = 100
"""Characters within which words speak of one thing."""

_LEAST_SHARE, _LEAST_TOGETHER = 0.05, 0.01
"""Below these a figure says no more: its logarithm would fall without end."""

_FARTHEST, _MOST_HELD = 9.0, 2.0
"""Deviations, and a passage's share of the question, beyond which nothing is added."""

_LONGEST_RUN = 12
"""A shared run of more characters says no more."""

_NEAR, _LOOKED_AT = 8, 5
"""Passages of a document before and behind one that are about the same, and hits that are looked at."""

_PLACES = 6
"""Occurrences of one term in one passage that are looked at."""

_ENDINGS = ("ing", "ed", "es", "s", "ly", "al", "ion", "e")


@dataclass(frozen=True, slots=True)
class Held:
    """Which terms of a question each passage holds.

    ``matrix`` has a row for each passage and a column for each term, ``texts`` are the passages with title
    and section in searchable form, ``terms`` all that any of them holds.
    """

    matrix: NDArray[np.bool_]
    texts: tuple[str, ...]
    terms: frozenset[str]

    @classmethod
    def of(cls, wanted: Sequence[str], hits: Sequence[SearchHit]) -> "Held":
        """Look the terms up; English words are compared without their endings."""
        stems = [stem(term) for term in wanted]
        texts = tuple(normalise(" ".join((hit.text, hit.title, *hit.section, hit.document))) for hit in hits)
        rows, everything = [], set()
        for text in texts:
            found = set(lexical.terms(text))
            # A lone character is a term of its own in a question only; in a passage it is part of bigrams.
            found |= {character for term in found if lexical.is_han(term) for character in term}
            everything |= found
            found |= {stem(term) for term in found}
            rows.append([term in found for term in stems])
        return cls(np.array(rows, bool), texts, frozenset(everything))

    def shares(self, rarity: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each passage, the share of the question's terms that it holds, each as rare as it is."""
        held: NDArray[np.float64] = (self.matrix @ rarity) / rarity.sum()
        return held

    def missing(self, wanted: Sequence[str]) -> list[str]:
        """The terms that no passage holds."""
        return [term for at, term in enumerate(wanted) if not self.matrix[:, at].any()]


def stem(term: str) -> str:
    """An English word without its ending, roughly; anything else as it is."""
    if len(term) > 4 and term.isascii() and term.isalpha():
        for ending in _ENDINGS:
            if term.endswith(ending) and len(term) - len(ending) >= 4:
                return term[: -len(ending)]
    return term


def of_words(asked: str, wanted: Sequence[str], rarity: NDArray[np.float64], held: Held) -> dict[str, float]:
    """Figures of :data:`LEXICAL` but for ``gathered``; ``rarity`` is that of each of the ``wanted`` terms.

    ``rare`` is how rare they are on average: a share of rare words says more than the same of common ones.
    """
    window = max(
        _within_window(text, [(wanted[i], float(rarity[i])) for i in np.flatnonzero(row).tolist()])
        for text, row in zip(held.texts, held.matrix, strict=True)
    )
    codes = np.array([not lexical.is_han(term) for term in wanted])
    lacking = np.all(~held.matrix, axis=0)[codes]
    return {
        "first": log_share(float(held.shares(rarity)[0])),
        "window": log_share(window / float(rarity.sum())),
        "run": max(longest_run(asked, "".join(text.split())) for text in held.texts) / _LONGEST_RUN,
        "codes_missing": float(lacking.mean()) if codes.any() else 0.0,
        "rare": float(rarity.mean()),
    }


def gathered(hits: Sequence[SearchHit], passages: int) -> float:
    """The share of the best hits that stand in one place of one document with another of them, 0 to 1.

    Where something is told, the passages around it are found too; what resembles a question that nothing
    answers is scattered. ``passages`` is how many there are: in a library so small that any two stand near
    each other it is 0. A document's passages have row ids that follow each other.
    """
    best = hits[:_LOOKED_AT]
    chance = (2 * _NEAR + 1) / max(passages, 1)
    if len(best) < 2 or chance >= 1:
        return 0.0
    near = max(
        sum(
            (other.library, other.document) == (hit.library, hit.document)
            and abs(other.row - hit.row) <= _NEAR
            for other in best
        )
        for hit in best
    )
    return max(0.0, ((near - 1) / (len(best) - 1) - chance) / (1 - chance))


def of_meaning(
    cosines: NDArray[np.float64],
    shares: NDArray[np.float64],
    general: tuple[float, float],
    here: tuple[float, float],
) -> dict[str, float]:
    """Figures of :data:`DENSE`; ``cosines`` and ``shares`` of the question held are those of each passage.

    * general: how far the best cosine stands out from those of text in general;
    * together: the greatest product of both lanes in one passage: how far its cosine stands out with the
      library's own added, and its share of the question. Either alone is what a near subject has too.
    """
    far = np.clip((cosines - here[0]) / here[1], 0, _FARTHEST) / _FARTHEST
    product = float((far * np.clip(shares, 0, _MOST_HELD)).max())
    return {
        "general": (float(cosines.max()) - general[0]) / general[1],
        "together": math.log(max(product, _LEAST_TOGETHER)),
    }


def log_share(share: float) -> float:
    """The logarithm of a share from 0 to 1."""
    return math.log(max(share, _LEAST_SHARE))


def _within_window(text: str, terms: Sequence[tuple[str, float]]) -> float:
    """The greatest total rarity of distinct terms that begin within :data:`_WINDOW` characters."""
    places: list[tuple[int, str]] = []
    rarity: Mapping[str, float] = dict(terms)
    for term, _ in terms:
        at = text.find(stem(term))
        for _ in range(_PLACES):
            if at < 0:
                break
            places.append((at, term))
            at = text.find(stem(term), at + 1)
    places.sort()
    best = total = 0.0
    inside: dict[str, int] = {}
    first = 0
    for at, term in places:
        if not inside.get(term):
            total += rarity[term]
        inside[term] = inside.get(term, 0) + 1
        while at - places[first][0] > _WINDOW:
            gone = places[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                total -= rarity[gone]
            first += 1
        best = max(best, total)
    return best


def longest_run(asked: str, text: str) -> int:
    """Characters of the longest piece of ``asked`` in ``text``, at most :data:`_LONGEST_RUN`."""
    length = at = 0
    while length < _LONGEST_RUN and at + length < len(asked):
        if asked[at : at + length + 1] in text:
            length += 1
        else:
            at += 1
    return length
