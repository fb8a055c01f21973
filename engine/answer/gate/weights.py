"""The fitted model: one logistic regression with both lanes, one for searches by words alone.

``tests/quality/gate/fit.py`` makes ``resources/gate/weights.json`` and names the sets in it.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from resources import read_text

LOWEST, HIGHEST = -12.0, 3.0
"""Levels of a library beyond these say no more. Passages that repeat each other reach any height, and would
then have refused what a library asked together with theirs holds."""

_QUANTILE = 0.9
"""Of the self-made questions' scores: those that come nearest to being let through are what counts. 0.5 and
0.75 were tried."""


def level(scores: Sequence[float]) -> float:
    """How high questions without an answer score in a library; log-odds within LOWEST and HIGHEST."""
    return min(max(float(np.quantile(scores, _QUANTILE)), LOWEST), HIGHEST)


def logistic(score: float) -> float:
    """The probability of log-odds."""
    # Beyond 30 the exponential tells nothing more apart, and soon overflows.
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight for each figure, and the least probability by mode.

    ``share`` is how much of a library's level above ``centre`` is taken off a score.
    """

    weights: Mapping[str, float]
    bias: float
    thresholds: Mapping[str, float]
    share: float = 0.0
    centre: float = 0.0

    def score(self, figures: Mapping[str, float]) -> float:
        """The log-odds before any correction."""
        return self.bias + sum(weight * figures[name] for name, weight in self.weights.items())

    def shift(self, level: float) -> float:
        """The correction for a library where questions without an answer score ``level``."""
        return self.share * (level - self.centre)

    def probability(self, figures: Mapping[str, float], shift: float = 0.0) -> float:
        """That the passages hold the answer."""
        return logistic(self.score(figures) - shift)


@lru_cache(maxsize=1)
def load() -> dict[str, Weights]:
    """By the lanes there are: ``hybrid`` and ``lexical``."""
    stored = json.loads(read_text("gate", "weights.json"))
    return {name: Weights(**stored[name]) for name in ("hybrid", "lexical")}
