"""The fitted model: one logistic regression with both lanes, one for searches by words alone.

``tests/quality/gate/fit.py`` makes ``resources/gate/weights.json`` and names the sets in it.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from resources import read_text

LOWEST, HIGHEST = -9.0, 0.0
"""Levels of a library beyond these say no more: passages that repeat word for word would."""


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
        return self.share * (min(max(level, LOWEST), HIGHEST) - self.centre)

    def probability(self, figures: Mapping[str, float], shift: float = 0.0) -> float:
        """That the passages hold the answer."""
        # Beyond 30 the exponential tells nothing more apart, and soon overflows.
        return 1 / (1 + math.exp(-min(max(self.score(figures) - shift, -30.0), 30.0)))


@lru_cache(maxsize=1)
def load() -> dict[str, Weights]:
    """By the lanes there are: ``hybrid`` and ``lexical``."""
    stored = json.loads(read_text("gate", "weights.json"))
    return {name: Weights(**stored[name]) for name in ("hybrid", "lexical")}
