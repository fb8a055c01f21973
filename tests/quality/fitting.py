"""Logistic regression on figures of questions, and the tables of what was fitted."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Model = tuple[Numbers, float]
"""Weights and bias."""

_STEPS = 4_000


def logistic(
    figures: Numbers, wanted: Numbers, weight: Numbers, ridge: float, sign: Numbers | None = None
) -> Model:
    """Ridge logistic regression on standardised figures, each weight of its ``sign`` where one is given.

    ``figures`` has the shape (records, names), ``wanted`` is 0 or 1, ``weight`` what each record weighs.
    """
    mean, deviation = figures.mean(axis=0), figures.std(axis=0) + 1e-9
    inputs = np.column_stack([(figures - mean) / deviation, np.ones(len(figures))])
    now: Numbers = np.zeros(inputs.shape[1])
    before = now
    # Accelerated projected gradient (Beck and Teboulle 2009); inputs are standardised, so that a quarter of
    # the number of columns bounds the curvature.
    rate = 1 / (0.25 * inputs.shape[1] + 2 * ridge)
    for step in range(1, _STEPS):
        ahead = now + (step - 1) / (step + 2) * (now - before)
        error = weight * (1 / (1 + np.exp(-(inputs @ ahead))) - wanted)
        gradient = inputs.T @ error + 2 * ridge * np.append(ahead[:-1], 0)
        before, now = now, ahead - rate * gradient
        if sign is not None:
            now[:-1] = sign * np.maximum(sign * now[:-1], 0)
    weights = now[:-1] / deviation
    return weights, float(now[-1] - weights @ mean)


def likely(figures: Numbers, model: Model, shift: float = 0.0) -> Numbers:
    """The probability of each record; shape (records,)."""
    return np.asarray(1 / (1 + np.exp(shift - figures @ model[0] - model[1])))


def least_probability(right: Sequence[Numbers], allowed: float) -> float:
    """The highest threshold below which, averaged over the sets, no more than ``allowed`` of them lies."""
    steps = np.arange(0.005, 1, 0.005)
    refused = np.array([np.mean([np.mean(values < step) for values in right]) for step in steps])
    return round(float(steps[max(0, int(np.searchsorted(refused, allowed, side="right")) - 1)]), 3)


def as_text(table: Mapping[str, Mapping[str, float]], counted: Sequence[str] = ()) -> str:
    """A Markdown table with the means, of ``counted`` columns the sums, in its last line."""
    columns = list(next(iter(table.values())))
    last = {c: float(np.nanmean([row[c] for row in table.values()])) for c in columns}
    last |= {c: sum(row[c] for row in table.values()) for c in counted}
    lines = [f"| set | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, row in {**table, "mean": last}.items():
        cells = ("–" if np.isnan(row[c]) else f"{row[c]:.{0 if c in counted else 3}f}" for c in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
