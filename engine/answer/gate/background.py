"""What is shipped to judge a search by: how rare terms are in general, how general text scores.

A figure that is scaled by the library alone does not travel: in a library of eight documents every term is
rare and every score unusual. So what the library says is mixed with what holds for text in general, with the
weight that its size deserves (a prior of a fixed number of passages).
``tests/quality/gate/background.py`` makes the file and names its sources.
"""

import math
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.index import lexical
from engine.index.embedding import Vectors
from resources import path

FILE = path("gate", "background.npz")

RAREST = 10.0
"""−log of the share of passages, at most."""

_UNKNOWN_BIGRAM, _LONE_CHARACTER, _SHORT_NUMBER, _NUMBER = 9.0, 3.0, 4.0, 6.5
_STEPS = 25
"""Steps of the stored rarity for one natural logarithm."""

TERM_PRIOR, SCORE_PRIOR = 500, 300
"""Passages of general text that the library's own are added to."""


def term_keys(terms: Sequence[str]) -> NDArray[np.uint32]:
    """What a term is filed under. Two terms of one key are possible and harmless: 1 in 20,000."""
    return np.array([zlib.crc32(term.encode()) for term in terms], np.uint32)


class Background:
    """The shipped table and the first two moments of the cohort's vectors."""

    def __init__(self) -> None:
        with np.load(FILE) as stored:
            self._keys = stored["keys"]
            self._rarity = stored["rarity"].astype(np.float64) / _STEPS
            self._mean = stored["mean"].astype(np.float64)
            self._covariance = stored["covariance"].astype(np.float64)
            self.model = str(stored["model"])

    def rarity(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """−log of the share of general passages that hold each term."""
        keys = term_keys(terms)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        known = self._keys[at] == keys
        return np.array([
            _rarity_by_form(term) if fixed is None else fixed
            for term, fixed in zip(
                terms, (self._rarity[i] if is_known else None for i, is_known in zip(at, known, strict=True)),
                strict=True,
            )
        ])  # fmt: skip

    def rarity_here(
        self, terms: Sequence[str], frequency: Mapping[str, int], passages: int
    ) -> NDArray[np.float64]:
        """The same with the library's own ``passages`` added; always positive."""
        expected = TERM_PRIOR * np.exp(-self.rarity(terms))
        held = np.array([frequency[term] for term in terms])
        positive: NDArray[np.float64] = np.maximum(-np.log((expected + held) / (TERM_PRIOR + passages)), 0.01)
        return positive

    def scores(self, query: Vectors) -> tuple[float, float]:
        """Mean and deviation of the query's cosine with passages in general."""
        vector = query.astype(np.float64)
        return float(vector @ self._mean), math.sqrt(max(vector @ self._covariance @ vector, 1e-9))

    def scores_here(self, query: Vectors, moments: tuple[int, float, float]) -> tuple[float, float]:
        """The same with the library's own scores added: count, sum and sum of squares."""
        count, total, squares = moments
        mean, deviation = self.scores(query)
        everything = SCORE_PRIOR + count
        joint = (SCORE_PRIOR * mean + total) / everything
        square = (SCORE_PRIOR * (deviation * deviation + mean * mean) + squares) / everything
        return joint, math.sqrt(max(square - joint * joint, 1e-9))


def _rarity_by_form(term: str) -> float:
    """Of a term that the table does not hold."""
    if lexical.is_han(term):
        return _UNKNOWN_BIGRAM if len(term) > 1 else _LONE_CHARACTER
    if term.isdigit():
        return _NUMBER if len(term) > 2 else _SHORT_NUMBER
    return RAREST


@lru_cache(maxsize=1)
def load() -> Background:
    """The background, read once."""
    return Background()
