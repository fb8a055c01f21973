import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation import metrics


def test_retrieval_by_hand() -> None:
    # One question found at once, one at the fourth place with two wanted, one not at all.
    figures = metrics.retrieval(
        [([True, False], 1), ([False, False, False, True, False, True], 2), ([False] * 10, 1)]
    )
    second = (1 / math.log2(5) + 1 / math.log2(7)) / (1 + 1 / math.log2(3))
    assert figures == pytest.approx(
        {
            "hit@1": 1 / 3, "hit@3": 1 / 3, "hit@5": 2 / 3, "hit@10": 2 / 3,
            "recall@5": (1 + 1 / 2 + 0) / 3, "all_evidence@5": 1 / 3,
            "mrr@10": (1 + 1 / 4 + 0) / 3, "ndcg@10": (1 + second + 0) / 3,
        }
    )  # fmt: skip


def test_what_stands_below_the_tenth_place_does_not_count() -> None:
    figures = metrics.retrieval([([False] * 10 + [True], 1)])
    assert set(figures.values()) == {0.0}


def test_a_short_list_is_no_excuse_for_what_it_lacks() -> None:
    figures = metrics.retrieval([([True], 3)])
    assert figures["recall@5"] == pytest.approx(1 / 3)
    assert figures["all_evidence@5"] == 0
    assert figures["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3) + 1 / 2))
    assert metrics.retrieval([([], 1)])["ndcg@10"] == 0


def test_no_questions_give_no_figures() -> None:
    figures = metrics.retrieval([])
    assert list(figures) == list(metrics.retrieval([([True], 1)]))
    assert set(figures.values()) == {None}


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [
        ([0.9, 0.8], [0.1, 0.2], 1.0),
        ([0.1], [0.9], 0.0),
        ([0.5], [0.5], 0.5),
        ([0.9, 0.4], [0.5, 0.4], (1 + 1 + 0 + 0.5) / 4),
        ([], [0.1], None),
        ([0.1], [], None),
    ],
)
def test_auc_by_hand(positive: list[float], negative: list[float], expected: float | None) -> None:
    assert metrics.auc(positive, negative) == expected


scores = st.lists(st.integers(0, 6).map(lambda n: n / 6), min_size=1, max_size=12)


@given(scores, scores)
def test_auc_is_the_share_of_pairs_in_order(positive: list[float], negative: list[float]) -> None:
    pairs = [(p > n) + (p == n) / 2 for p in positive for n in negative]
    assert metrics.auc(positive, negative) == pytest.approx(sum(pairs) / len(pairs))


def test_share() -> None:
    assert metrics.share([True, False, True, True]) == 0.75
    assert metrics.share([]) is None
