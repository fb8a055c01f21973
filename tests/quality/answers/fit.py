"""Fit the weights of the reading verdict and print the leave-one-set-out tables.

    python -m tests.quality.answers.fit READ.jsonl… [--margins can has …] [--write]

READ.jsonl is what ``collect`` wrote for one model. In a table each set is judged by weights and
thresholds that no question of it, nor of a set about the same texts, had a part in. Every set weighs
the same, its answerable questions as much as the others, and absent documents as much as near misses.
``--write`` puts the weights fitted on all sets of a language into resources/reading/weights.json.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.answer.gate import weights as gate_weights
from engine.answer.reading import weights
from engine.answer.reading.weights import log_odds
from engine.evaluation.metrics import auc
from resources import path
from tests.quality import fitting
from tests.quality.fitting import Model, Numbers

FALSE_REFUSALS = {"strict": 0.08, "balanced": 0.03, "loose": 0.01}
"""Mean share over the sets of the answerable questions that pass the gate and are refused by reading. Of both
together it is no bound: where the gate alone refuses more, reading would refuse nothing."""

SAME_TEXTS = {"expmrc_zh": "cmrc2018", "expmrc_en": "xquad_en"}

_RIDGE = 0.01

Record = Mapping[str, Any]


def fit(records: Sequence[Record], names: Sequence[str]) -> Model:
    """Weights of the margins in the order of ``names`` and of the gate's log-odds, and the bias."""
    wanted = np.array([float(record["condition"] == "with") for record in records])
    return fitting.logistic(matrix(records, names), wanted, np.array(shares(records)), _RIDGE)


def shares(records: Sequence[Record]) -> list[float]:
    """What each record weighs: sets alike, answerable and not alike, the two kinds of absence alike."""
    sets = {record["set"] for record in records}

    def share(record: Record) -> float:
        same = [other["condition"] for other in records if other["set"] == record["set"]]
        kinds = len({condition for condition in same if condition != "with"})
        half = 0.5 if record["condition"] == "with" else 0.5 / kinds
        return half / same.count(record["condition"]) / len(sets)

    return [share(record) for record in records]


def matrix(records: Sequence[Record], names: Sequence[str]) -> Numbers:
    """Shape (records, names + 1): the margins and the gate's log-odds."""
    return np.array([[*(r["margins"][name] for name in names), log_odds(r["gate"])] for r in records])


def probabilities(records: Sequence[Record], names: Sequence[str], model: Model) -> Numbers:
    """Of each record."""
    if not records:
        return np.zeros(0)
    return fitting.likely(matrix(records, names), model)


def after_gate(records: Sequence[Record], names: Sequence[str], model: Model, mode: str) -> Numbers:
    """Of each record, below any threshold where the gate refuses in this mode before the model is asked."""
    least = gate_weights.load()["hybrid"].thresholds[mode]
    passed = np.array([record["gate"] is None or record["gate"] >= least for record in records], bool)
    return np.where(passed, probabilities(records, names, model), -1.0)


def thresholds(records: Sequence[Record], names: Sequence[str], model: Model) -> dict[str, float]:
    """The least probability of each mode."""
    sets = sorted({record["set"] for record in records})
    found = {}
    for mode, allowed in FALSE_REFUSALS.items():
        every = [after_gate(_those(records, name, "with"), names, model, mode) for name in sets]
        right = [passed for values in every if len(passed := values[values >= 0])]
        found[mode] = fitting.least_probability(right, allowed)
    return found


def left_out(records: Sequence[Record], names: Sequence[str]) -> dict[str, dict[str, float]]:
    """For each set the figures of a model that knows nothing of it."""
    table = {}
    for name in sorted({record["set"] for record in records}):
        others = without_texts_of(records, name)
        model = fit(others, names)
        least = thresholds(others, names, model)["balanced"]
        right, absent, near = (
            probabilities(_those(records, name, condition), names, model)
            for condition in ("with", "without", "near")
        )
        decided = (
            after_gate(_those(records, name, each), names, model, "balanced")
            for each in ("with", "without", "near")
        )
        refused = [_below(values, least) for values in decided]
        own = float(np.quantile(right, 0.05)) if len(right) else np.nan
        table[name] = {
            "questions": float(len(right) + len(absent) + len(near)),
            "AUC absent": auc(right.tolist(), absent.tolist()) or np.nan,
            "AUC near": auc(right.tolist(), near.tolist()) or np.nan,
            "absent refused": refused[1],
            "near refused": refused[2],
            "falsely": refused[0],
            "absent at own 5 %": _below(absent, own),
            "near at own 5 %": _below(near, own),
        }
    return table


def without_texts_of(records: Sequence[Record], name: str) -> list[Record]:
    """Those of other sets about other texts."""
    return [r for r in records if SAME_TEXTS.get(r["set"], r["set"]) != SAME_TEXTS.get(name, name)]


def shipped_margins(model: str, language: str) -> list[str]:
    """The names of the questions that a model is asked; none where it has no weights."""
    found = weights.find(model, language)
    return [] if found is None else list(found.margins)


def shipped_model(model: str, language: str) -> Model:
    """The weights as they ship, in the order of :func:`shipped_margins` and with the gate's last."""
    found = weights.find(model, language)
    assert found is not None
    return np.array([*found.margins.values(), found.gate]), found.bias


def shipped_thresholds(model: str, language: str) -> Mapping[str, float]:
    """The least probability of each mode as it ships."""
    found = weights.find(model, language)
    assert found is not None
    return found.thresholds


def _those(records: Sequence[Record], name: str, condition: str) -> list[Record]:
    return [r for r in records if r["set"] == name and r["condition"] == condition]


def _below(values: Numbers, least: float) -> float:
    return float(np.mean(values < least)) if len(values) else np.nan


def shipped(records: Sequence[Record], names: Sequence[str]) -> dict[str, Any]:
    """The weights of one model and language."""
    fitted, bias = model = fit(records, names)
    return {
        "margins": {name: round(float(weight), 4) for name, weight in zip(names, fitted[:-1], strict=True)},
        "gate": round(float(fitted[-1]), 4),
        "bias": round(bias, 4),
        "thresholds": thresholds(records, names, model),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.answers.fit", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="READ.jsonl")
    parser.add_argument("--margins", nargs="+", help="names of the questions used; default: all")
    parser.add_argument(
        "--thresholds-only", action="store_true", help="keep the weights that ship and fit their thresholds"
    )
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    target = path("reading", "weights.json")
    content = json.loads(target.read_text(encoding="utf-8"))
    for file in options.files:
        everything = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for language in sorted({record["language"] for record in everything}):
            records = [record for record in everything if record["language"] == language]
            model = records[0]["model"]
            if options.thresholds_only:
                names = shipped_margins(model, language)
                least = thresholds(records, names, shipped_model(model, language))
                print(f"{model}, {language}: {least}")
                content["models"][model][language]["thresholds"] = least
                continue
            names = options.margins or list(records[0]["margins"])
            table = fitting.as_text(left_out(records, names), counted=("questions",))
            print(f"\n{model}, {language}: {', '.join(names)}\n\n{table}")
            fitted = shipped(records, names)
            print(json.dumps(fitted))
            content["models"].setdefault(model, {})[language] = fitted
            sets = {*content.get("fitted_on", []), *(record["set"] for record in records)}
            content |= {"fitted_on": sorted(sets), "made_by": "tests/quality/answers/fit.py"}
    if options.write:
        target.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
