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
from numpy.typing import NDArray

from engine.answer.gate import weights as gate_weights
from engine.answer.reading import weights
from engine.answer.reading.weights import log_odds
from engine.evaluation.metrics import auc
from resources import path

FALSE_REFUSALS = {"strict": 0.08, "balanced": 0.03, "loose": 0.01}
"""Mean share over the sets of answerable questions that gate and reading together refuse."""

SAME_TEXTS = {"expmrc_zh": "cmrc2018", "expmrc_en": "xquad_en"}

_RIDGE, _STEPS = 0.01, 60

Numbers = NDArray[np.float64]
Record = Mapping[str, Any]


def fit(records: Sequence[Record], names: Sequence[str]) -> tuple[Numbers, float]:
    """Weights of the margins in the order of ``names`` and of the gate's log-odds, and the bias."""
    figures = matrix(records, names)
    wanted = np.array([float(record["condition"] == "with") for record in records])
    weight = np.array(shares(records))
    mean, deviation = figures.mean(axis=0), figures.std(axis=0) + 1e-9
    inputs = np.column_stack([(figures - mean) / deviation, np.ones(len(figures))])
    ridge = np.diag([*[2 * _RIDGE] * len(mean), 0.0])
    now = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):  # Newton's method; the ridge keeps it from running away
        likely = 1 / (1 + np.exp(-(inputs @ now)))
        gradient = inputs.T @ (weight * (likely - wanted)) + ridge @ now
        curvature = (inputs * (weight * likely * (1 - likely))[:, None]).T @ inputs + ridge
        now = now - np.linalg.solve(curvature + 1e-9 * np.eye(len(now)), gradient)
    slopes = now[:-1] / deviation
    return slopes, float(now[-1] - slopes @ mean)


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


def probabilities(records: Sequence[Record], names: Sequence[str], model: tuple[Numbers, float]) -> Numbers:
    """Of each record."""
    if not records:
        return np.zeros(0)
    return np.asarray(1 / (1 + np.exp(-matrix(records, names) @ model[0] - model[1])))


def after_gate(
    records: Sequence[Record], names: Sequence[str], model: tuple[Numbers, float], mode: str
) -> Numbers:
    """Of each record, below any threshold where the gate refuses in this mode before the model is asked."""
    least = gate_weights.load()["hybrid"].thresholds[mode]
    passed = np.array([record["gate"] is None or record["gate"] >= least for record in records], bool)
    return np.where(passed, probabilities(records, names, model), -1.0)


def thresholds(
    records: Sequence[Record], names: Sequence[str], model: tuple[Numbers, float]
) -> dict[str, float]:
    """The least probability of each mode."""
    sets = sorted({record["set"] for record in records})
    steps = np.arange(0.005, 1, 0.005)
    found = {}
    for mode, allowed in FALSE_REFUSALS.items():
        right = [after_gate(_those(records, name, "with"), names, model, mode) for name in sets]
        refused = np.array([np.mean([np.mean(values < step) for values in right]) for step in steps])
        found[mode] = round(float(steps[max(0, np.searchsorted(refused, allowed, side="right") - 1)]), 3)
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


def _those(records: Sequence[Record], name: str, condition: str) -> list[Record]:
    return [r for r in records if r["set"] == name and r["condition"] == condition]


def _below(values: Numbers, least: float) -> float:
    return float(np.mean(values < least)) if len(values) else np.nan


def as_text(table: Mapping[str, Mapping[str, float]]) -> str:
    """A Markdown table with the means in its last line."""
    columns = list(next(iter(table.values())))
    means = {c: float(np.nanmean([row[c] for row in table.values()])) for c in columns}
    means["questions"] = sum(row["questions"] for row in table.values())
    lines = [f"| set | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, row in {**table, "mean": means}.items():
        cells = (
            "–" if np.isnan(row[c]) else f"{row[c]:.0f}" if c == "questions" else f"{row[c]:.3f}"
            for c in columns
        )
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


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
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    target = path("reading", "weights.json")
    content = json.loads(target.read_text(encoding="utf-8"))
    for file in options.files:
        everything = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for language in sorted({record["language"] for record in everything}):
            records = [record for record in everything if record["language"] == language]
            names = options.margins or list(records[0]["margins"])
            model = records[0]["model"]
            print(f"\n{model}, {language}: {', '.join(names)}\n\n{as_text(left_out(records, names))}")
            fitted = shipped(records, names)
            print(json.dumps(fitted))
            content["models"].setdefault(model, {})[language] = fitted
            sets = {*content.get("fitted_on", []), *(record["set"] for record in records)}
            content |= {"fitted_on": sorted(sets), "made_by": "tests/quality/answers/fit.py"}
    if options.write:
        target.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
