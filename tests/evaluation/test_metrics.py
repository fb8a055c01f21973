import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation import metrics
from engine.evaluation.metrics import Ranked

DOCUMENTS = {
    *("hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "all_evidence@5", "mrr@10", "ndcg@10"),
}


def ranked(*right: bool, wanted: int = 1) -> Ranked:
    return Ranked(right, wanted)


def test_retrieval_by_hand() -> None:
    # One question found at once, one at the fourth place with two wanted, one not at all.
    figures = metrics.retrieval(
        [
            ranked(True, False),
            ranked(False, False, False, True, False, True, wanted=2),
            ranked(*[False] * 10),
        ]
    )
    second = (1 / math.log2(5) + 1 / math.log2(7)) / (1 + 1 / math.log2(3))
    assert {name: figures[name] for name in DOCUMENTS} == pytest.approx(
        {
            "hit@1": 1 / 3, "hit@3": 1 / 3, "hit@5": 2 / 3, "hit@10": 2 / 3,
            "recall@5": (1 + 1 / 2 + 0) / 3, "all_evidence@5": 1 / 3,
            "mrr@10": (1 + 1 / 4 + 0) / 3, "ndcg@10": (1 + second + 0) / 3,
        }
    )  # fmt: skip


def test_what_stands_below_the_tenth_place_does_not_count() -> None:
    figures = metrics.retrieval([ranked(*[False] * 10, True)])
    assert {figures[name] for name in DOCUMENTS} == {0.0}


def test_a_short_list_is_no_excuse_for_what_it_lacks() -> None:
    figures = metrics.retrieval([ranked(True, wanted=3)])
    assert figures["recall@5"] == pytest.approx(1 / 3)
    assert figures["all_evidence@5"] == 0
    assert figures["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3) + 1 / 2))
    assert metrics.retrieval([ranked()])["ndcg@10"] == 0


def test_no_questions_give_no_figures() -> None:
    figures = metrics.retrieval([])
    assert list(figures) == list(metrics.retrieval([ranked(True)]))
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


def test_all_evidence_goes_by_sentences_where_they_are_known() -> None:
    figures = metrics.retrieval(
        [Ranked((True,), 1, all_evidence=False), Ranked((False,), 1, all_evidence=True), ranked(True)]
    )
    assert figures["all_evidence@5"] == pytest.approx(2 / 3)
    assert figures["recall@5"] == pytest.approx(2 / 3)


def test_passages_and_pages_count_where_they_are_known() -> None:
    figures = metrics.retrieval(
        [
            Ranked((True,), 1, passages=(False, True, True, True)),
            Ranked((True,), 1, passages=(True,) * 4, pages=(False, False, False, True)),
            ranked(True),
        ]
    )
    assert [figures[f"passage_hit@{k}"] for k in (1, 3)] == [0.5, 1]
    assert [figures[f"page_hit@{k}"] for k in (5, 10)] == [0, 1]


def test_the_curve_by_hand() -> None:
    points = metrics.curve([0.9, 0.4], [0.4, 0.1])
    assert [tuple(point.values()) for point in points] == [(0.1, 0, 0), (0.4, 0.5, 0), (0.9, 1, 0.5)]
    assert metrics.curve([], [0.1]) == metrics.curve([0.1], []) == []
    assert len(metrics.curve([0.5], [0.5])) == 1


@given(st.integers(1, 400), st.integers(1, 400))
def test_a_curve_has_few_points_from_end_to_end_and_never_falls(wanted: int, unwanted: int) -> None:
    points = metrics.curve([n / wanted for n in range(wanted)], [n / unwanted / 2 for n in range(unwanted)])
    assert 1 <= len(points) <= metrics.CURVE_POINTS
    assert points[0]["refused_answerable"] == points[0]["refused_unanswerable"] == 0
    for name in ("threshold", "refused_answerable", "refused_unanswerable"):
        values = [point[name] for point in points]
        assert values == sorted(values)


def test_a_distribution_holds_every_value_once() -> None:
    counts = metrics.distribution([0.0, 0.049, 0.05, 1.0, 1.2, -0.1])
    assert (counts[0], counts[1], counts[-1], sum(counts)) == (3, 1, 2, 6)
