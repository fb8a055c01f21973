"""Fit the gate's weights and print the leave-one-set-out table.

    python -m tests.quality.gate.fit FIGURES.jsonl [--write]

FIGURES.jsonl is what ``collect`` wrote. In the table each set is judged by weights and by a threshold that no
question of it, nor of a set about the same texts, had a part in. ``--write`` makes
resources/gate/weights.json from all sets. Every set weighs the same, with its document and without it alike.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.answer.gate.figures import AGAINST, DENSE, LEXICAL
from engine.answer.gate.weights import level
from engine.evaluation.metrics import auc
from resources import path
from tests.quality import fitting
from tests.quality.fitting import Model, Numbers

FALSE_REFUSALS = {"strict": 0.06, "balanced": 0.025, "loose": 0.01}
"""Mean share over the sets of answerable questions that a mode refuses."""

MODELS = {"hybrid": (*(name for name in LEXICAL if name != "first"), *DENSE), "lexical": LEXICAL}
"""``first`` gets no weight beside ``together``."""
SAME_TEXTS = {"expmrc_zh": "cmrc2018", "xquad_zh": "xquad", "xquad_en": "xquad", "rageval_zh": "rageval",
              "rageval_en": "rageval"}  # fmt: skip
SHARES = {"hybrid": 0.35, "lexical": 0.2}
"""Of the difference between libraries; by words alone more would refuse rgb_zh's own questions."""

_RIDGE = 1e-3

Sets = Mapping[str, Mapping[str, Sequence[Mapping[str, float]]]]


def read(file: Path) -> Sets:
    """By set and kind (``with``, ``without``, ``near_miss``) the figures of each question."""
    found: dict[str, dict[str, list[Mapping[str, float]]]] = defaultdict(lambda: defaultdict(list))
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found[record["set"]][record["kind"]].append(record["figures"])
    return found


def fit(sets: Sets, names: Sequence[str]) -> Model:
    """Weights and bias: ridge logistic regression, each weight of the sign that its figure may have."""
    blocks, truth, share = [], [], []
    for kinds in sets.values():
        for kind in ("with", "without"):
            blocks.append(matrix(kinds[kind], names))
            truth.append(np.full(len(kinds[kind]), float(kind == "with")))
            share.append(np.full(len(kinds[kind]), 0.5 / len(kinds[kind]) / len(sets)))
    figures, wanted, weight = (np.concatenate(parts) for parts in (blocks, truth, share))
    sign = np.array([-1.0 if name in AGAINST else 1.0 for name in names])
    return fitting.logistic(figures, wanted, weight, _RIDGE, sign)


def matrix(records: Sequence[Mapping[str, float]], names: Sequence[str]) -> Numbers:
    """Shape (records, names)."""
    return np.array([[record[name] for name in names] for record in records]).reshape(-1, len(names))


def levels(sets: Sets, names: Sequence[str], model: Model) -> dict[str, float]:
    """How high the self-made questions score, of the sets that have some."""
    found = {}
    for name, kinds in sets.items():
        if kinds["self_made"]:
            scores = matrix(kinds["self_made"], names) @ model[0] + model[1]
            found[name] = level(scores.tolist())
    return found


def thresholds(sets: Sets, names: Sequence[str], model: Model, share: float) -> dict[str, float]:
    """The least probability of each mode."""
    shift = shifts(levels(sets, names, model), share)
    right = [probabilities(kinds["with"], names, model, shift(name)) for name, kinds in sets.items()]
    return {mode: fitting.least_probability(right, allowed) for mode, allowed in FALSE_REFUSALS.items()}


def shifts(known: Mapping[str, float], share: float) -> Callable[[str], float]:
    """The correction of a set, 0 for one that has no level."""
    centre = float(np.mean(list(known.values()))) if known else 0.0
    return lambda name: share * (known[name] - centre) if name in known else 0.0


def probabilities(
    records: Sequence[Mapping[str, float]], names: Sequence[str], model: Model, shift: float
) -> Numbers:
    """Of each record."""
    return fitting.likely(matrix(records, names), model, shift)


def left_out(sets: Sets, names: Sequence[str], share: float) -> dict[str, dict[str, float]]:
    """For each set the figures of a model that knows nothing of it."""
    table = {}
    for name, kinds in sets.items():
        others = {
            n: k for n, k in sets.items()
            if k["without"] and SAME_TEXTS.get(n, n) != SAME_TEXTS.get(name, name)
        }  # fmt: skip
        model = fit(others, names)
        threshold = thresholds(others, names, model, share)["balanced"]
        known = levels(others, names, model)
        centre = float(np.mean(list(known.values()))) if known else 0.0
        shift = share * (levels({name: kinds}, names, model).get(name, centre) - centre)
        right, absent = (probabilities(kinds[kind], names, model, shift) for kind in ("with", "without"))
        near = probabilities(kinds["near_miss"], names, model, shift)
        own = np.quantile(right, 0.03)
        table[name] = {
            "AUC": area(right, absent),
            "refused": share_of(absent < threshold),
            "falsely": share_of(right < threshold),
            "refused at own 3 %": share_of(absent < own),
            "near miss: AUC": area(right, near),
            "refused near miss": share_of(near < threshold),
        }
    return table


def area(right: Numbers, wrong: Numbers) -> float:
    """Under the ROC curve; NaN without questions of either kind."""
    return float(found) if (found := auc(right.tolist(), wrong.tolist())) is not None else np.nan


def share_of(refused: NDArray[np.bool_]) -> float:
    """NaN without questions."""
    return float(refused.mean()) if len(refused) else np.nan


def shipped(sets: Sets) -> dict[str, Any]:
    """The content of resources/gate/weights.json."""
    sets = {name: kinds for name, kinds in sets.items() if kinds["without"]}
    content: dict[str, Any] = {"fitted_on": sorted(sets), "made_by": "tests/quality/gate/fit.py"}
    for lanes, names in MODELS.items():
        weights, bias = model = fit(sets, names)
        known = levels(sets, names, model)
        content[lanes] = {
            "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
            "bias": round(bias, 4),
            "thresholds": thresholds(sets, names, model, SHARES[lanes]),
            "share": SHARES[lanes],
            "centre": round(float(np.mean(list(known.values()))), 4) if known else 0.0,
        }
    return content


def main(file: Path, *, write: bool) -> None:
    """Print the tables; write the weights when asked to."""
    sets = read(file)
    for lanes, share in ((name, share) for name in MODELS for share in (SHARES[name], 0.0)):
        table = fitting.as_text(left_out(sets, MODELS[lanes], share))
        print(f"\n{lanes}, calibration {share}\n\n{table}")
    content = shipped(sets)
    print(json.dumps(content, indent=2))
    if write:
        target = path("gate", "weights.json")
        target.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), write="--write" in sys.argv)
