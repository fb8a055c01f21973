"""The fitted model of a chat model's margins: one logistic regression for each model file and language.

``python -m tests.quality.answers.fit`` makes ``resources/reading/weights.json`` and names the sets in it.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.answer.gate.weights import logistic
from resources import read_text

LOWEST, HIGHEST = -4.0, 0.0
"""Log-odds of the gate beyond which it says no more. Near misses look like answers to it, so it only speaks
against one: without bounds the AUC of the Chinese sets in tests/quality is 0.847 instead of 0.861."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight for each margin asked for, one for the gate's log-odds, and the least probability by mode."""

    margins: Mapping[str, float]
    gate: float
    bias: float
    thresholds: Mapping[str, float]

    def probability(self, margins: Mapping[str, float], gate: float | None) -> float:
        """That the evidence holds the answer; ``gate`` is the gate's probability, None where it had none."""
        score = self.bias + self.gate * log_odds(gate)
        score += sum(weight * margins[name] for name, weight in self.margins.items())
        return logistic(score)


def log_odds(probability: float | None) -> float:
    """Of the gate's probability, within LOWEST and HIGHEST; HIGHEST for None."""
    if probability is None or probability >= 0.5:
        return HIGHEST
    return max(LOWEST, math.log(probability / (1 - probability))) if probability > 0 else LOWEST


def find(model_id: str, language: str) -> Weights | None:
    """Those of a model file in a language; None where reading is off for it."""
    return _load().get((model_id, language))


def are_known(model_id: str) -> bool:
    """Whether reading is on for a model file, in one language at least."""
    return any(model == model_id for model, _ in _load())


@lru_cache(maxsize=1)
def _load() -> dict[tuple[str, str], Weights]:
    stored = json.loads(read_text("reading", "weights.json"))["models"]
    return {
        (model, language): Weights(**weights)
        for model, languages in stored.items()
        for language, weights in languages.items()
    }
