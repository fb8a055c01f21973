"""The figures of retrieval and of the gate."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

CUTOFFS = (1, 3, 5, 10)

CURVE_POINTS = 50
"""Most points of a ROC curve."""

BINS = 20
"""Bars of a distribution of probabilities."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One question's hits in order.

    ``right`` is for each hit whether it is the first one of a right document, ``wanted`` how many right
    documents there are. ``all_evidence``: whether the first five hold every sentence of the evidence, None
    where none is given. ``passages`` (``pages``): for each cut-off whether a passage with evidence or answer
    (of a right page) is among the hits, empty where that is not known.
    """

    right: tuple[bool, ...]
    wanted: int
    all_evidence: bool | None = None
    passages: tuple[bool, ...] = ()
    pages: tuple[bool, ...] = ()


def retrieval(ranked: Sequence[Ranked]) -> dict[str, float | None]:
    """Hit@k, recall@5, all evidence@5, MRR@10 and nDCG@10 over documents; passage and page hits.

    All evidence@5 goes by the evidence's sentences where a question has some, else by its documents.
    """
    found = [(sum(item.right[:5]), max(1, item.wanted)) for item in ranked]
    figures: dict[str, float | None] = {
        f"hit@{k}": share([any(item.right[:k]) for item in ranked]) for k in CUTOFFS
    }
    figures["recall@5"] = mean([count / wanted for count, wanted in found])
    figures["all_evidence@5"] = share(
        [
            count >= wanted if item.all_evidence is None else item.all_evidence
            for item, (count, wanted) in zip(ranked, found, strict=True)
        ]
    )
    figures["mrr@10"] = mean([_reciprocal_rank(item.right[:10]) for item in ranked])
    figures["ndcg@10"] = mean([_ndcg(item.right[:10], item.wanted) for item in ranked])
    for name, column in (("passage", "passages"), ("page", "pages")):
        known = [values for item in ranked if (values := getattr(item, column))]
        for position, k in enumerate(CUTOFFS):
            figures[f"{name}_hit@{k}"] = share([values[position] for values in known])
    return figures


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Area under the ROC curve (Mann–Whitney U with ties counted half); None without both kinds."""
    if not positive or not negative:
        return None
    ordered = sorted({*positive, *negative})
    position = {value: rank for rank, value in enumerate(ordered)}
    below = [0] * (len(ordered) + 1)
    for value in negative:
        below[position[value] + 1] += 1
    for left, right in pairwise(range(len(below))):
        below[right] += below[left]
    wins = 0.0
    for value in positive:
        rank = position[value]
        wins += below[rank] + (below[rank + 1] - below[rank]) / 2
    return wins / (len(positive) * len(negative))


def share(values: Sequence[bool]) -> float | None:
    """Share of true values; None of nothing."""
    return sum(values) / len(values) if values else None


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None of nothing."""
    return sum(values) / len(values) if values else None


def curve(positive: Sequence[float], negative: Sequence[float]) -> list[dict[str, float]]:
    """Both rates of a gate that refuses below a threshold, at no more than ``CURVE_POINTS`` thresholds.

    Thresholds are scores that occur, evenly spread over them, from refusing nothing to refusing all but the
    best; empty without both kinds.
    """
    if not positive or not negative:
        return []
    wanted, unwanted = sorted(positive), sorted(negative)
    scores = sorted({*positive, *negative})
    last = len(scores) - 1
    steps = min(CURVE_POINTS - 1, last)
    places = [round(step * last / steps) for step in range(steps + 1)] if steps else [0]
    return [
        {
            "threshold": round(scores[place], 6),
            "refused_unanswerable": round(bisect_left(unwanted, scores[place]) / len(unwanted), 6),
            "refused_answerable": round(bisect_left(wanted, scores[place]) / len(wanted), 6),
        }
        for place in places
    ]


def distribution(values: Sequence[float]) -> list[int]:
    """How many of the probabilities fall into each of ``BINS`` equal parts of [0, 1]."""
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, max(0, int(value * BINS)))] += 1
    return counts


def _reciprocal_rank(hits: Sequence[bool]) -> float:
    return next((1 / rank for rank, hit in enumerate(hits, start=1) if hit), 0.0)


def _ndcg(hits: Sequence[bool], wanted: int) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits, start=1) if hit)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(max(1, wanted), 10) + 1))
    return gain / ideal
