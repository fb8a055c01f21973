"""The figures of retrieval and of the gate."""

import math
from collections.abc import Sequence
from itertools import pairwise

CUTOFFS = (1, 3, 5, 10)


def retrieval(ranked: Sequence[tuple[Sequence[bool], int]]) -> dict[str, float | None]:
    """Hit@k, recall@5, all evidence@5, MRR@10 and nDCG@10.

    One entry a question: for each hit in order whether it is the first one of a right document, and how
    many right documents there are.
    """
    if not ranked:
        return dict.fromkeys(
            (*(f"hit@{k}" for k in CUTOFFS), "recall@5", "all_evidence@5", "mrr@10", "ndcg@10")
        )
    figures: dict[str, float | None] = {
        f"hit@{k}": _mean([float(any(hits[:k])) for hits, _ in ranked]) for k in CUTOFFS
    }
    found = [(sum(hits[:5]), max(1, wanted)) for hits, wanted in ranked]
    figures["recall@5"] = _mean([count / wanted for count, wanted in found])
    figures["all_evidence@5"] = _mean([float(count >= wanted) for count, wanted in found])
    figures["mrr@10"] = _mean([_reciprocal_rank(hits[:10]) for hits, _ in ranked])
    figures["ndcg@10"] = _mean([_ndcg(hits[:10], wanted) for hits, wanted in ranked])
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


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _reciprocal_rank(hits: Sequence[bool]) -> float:
    return next((1 / rank for rank, hit in enumerate(hits, start=1) if hit), 0.0)


def _ndcg(hits: Sequence[bool], wanted: int) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits, start=1) if hit)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(max(1, wanted), 10) + 1))
    return gain / ideal
