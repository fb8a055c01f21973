"""The figures of one search that the gate weighs: five of words, two of meaning.

Each is a share or a standardised score, and each can only speak for an answer when it rises
(``codes_missing``: against), which keeps the fitted weights from learning the habits of one set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.documents import SearchHit
from engine.index import lexical
from engine.normalise import normalise

LEXICAL = ("first", "rarest", "window", "run", "codes_missing")
DENSE = ("general", "here")
AGAINST = ("codes_missing",)

_WINDOW = 100
"""Characters within which words speak of one thing."""

_LONGEST_RUN = 12
"""A shared run of more characters says no more."""

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
    """Figures of :data:`LEXICAL`; ``rarity`` is that of each of the ``wanted`` terms."""
    share = float(rarity[held.matrix[0]].sum() / rarity.sum())
    # The third power makes the one or two rarest terms count for almost everything.
    steep = rarity**3
    codes = np.array([not lexical.is_han(term) for term in wanted])
    lacking = np.all(~held.matrix, axis=0)[codes]
    return {
        "first": share,
        "rarest": float((held.matrix @ steep).max() / steep.sum()),
        "window": max(
            _within_window(text, [(wanted[i], float(rarity[i])) for i in np.flatnonzero(row).tolist()])
            for text, row in zip(held.texts, held.matrix, strict=True)
        ) / float(rarity.sum()),
        "run": max(longest_run(asked, "".join(text.split())) for text in held.texts) / _LONGEST_RUN,
        "codes_missing": float(lacking.mean()) if codes.any() else 0.0,
    }  # fmt: skip


def of_meaning(best: float, general: tuple[float, float], here: tuple[float, float]) -> dict[str, float]:
    """Figures of :data:`DENSE`: the best cosine against text in general, and with the library's own added."""
    return {"general": (best - general[0]) / general[1], "here": (best - here[0]) / here[1]}


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
