"""The figures of one search, and what it is seen against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.answer.gate import background
from engine.answer.gate.figures import Held, gathered, of_meaning, of_words
from engine.documents import SearchHit
from engine.index.embedding import Vectors

TERMS = 96
"""As many as the lexical lane looks for."""

_CHARACTERS = 400
"""Of a long question, what the longest shared run is looked for in."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the hits stand out from: the libraries' size, in how many passages each term occurs, and, where
    meaning counts, the question's vector with count, sum and sum of squares of its scores."""

    passages: int
    frequency: Mapping[str, int]
    query: Vectors | None = None
    moments: tuple[int, float, float] = (0, 0.0, 0.0)


def figures_of(
    asked: str, wanted: Sequence[str], hits: Sequence[SearchHit], held: Held, around: Surroundings
) -> dict[str, float]:
    """The figures that are weighed: of words and places; of meaning too where ``around`` has the question's
    vector."""
    general = background.load()
    rarity = general.rarity_here(wanted, around.frequency, around.passages)
    figures = of_words(asked[:_CHARACTERS], wanted, rarity, held)
    figures["gathered"] = gathered(hits, around.passages)
    if around.query is None or all(hit.dense is None for hit in hits):
        return figures
    cosines = np.array([-1.0 if hit.dense is None else hit.dense for hit in hits])
    shares = np.maximum(held.shares(rarity), lexical_shares(hits, wanted, around))
    here = general.scores_here(around.query, around.moments)
    return figures | of_meaning(cosines, shares, general.scores(around.query), here)


def lexical_shares(
    hits: Sequence[SearchHit], wanted: Sequence[str], around: Surroundings
) -> NDArray[np.float64]:
    """BM25 of each hit over what a passage of average length with every term once would score.

    It sees what the share of terms does not: how often they occur, and where. In a library of a few passages
    it is near zero, since no term is rare there.
    """
    frequency = np.array([around.frequency[term] for term in wanted], np.float64)
    # FTS5's own inverse document frequency, with its least value.
    inverse = np.log((np.maximum(around.passages - frequency, 0) + 0.5) / (frequency + 0.5))
    scores = np.array([hit.lexical or 0.0 for hit in hits])
    share: NDArray[np.float64] = scores / np.maximum(inverse, 1e-6).sum()
    return share
