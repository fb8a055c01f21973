from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import native
from engine.errors import IndexDamaged, IndexMismatch
from engine.index import store as store_module
from engine.index.embedding import Vectors
from engine.index.store import FlatStore, HalfStore
from engine.index.vector_store import Ids

D = 8


def vectors(count: int, seed: int = 1, dimension: int = D) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


KINDS = [FlatStore, HalfStore]


def filled(count: int, kind: type[FlatStore] = FlatStore) -> FlatStore:
    store = kind(D)
    store.add([100 + n for n in range(count)], vectors(count))
    return store


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("k", [1, 5, 50])
def test_short_results_are_not_padded(count: int, k: int) -> None:
    ids, scores = filled(count).search(vectors(1, seed=9)[0], k)
    assert len(ids) == len(scores) == len(set(ids.tolist())) == min(k, count)
    assert all(100 <= found < 100 + count for found in ids)
    assert list(scores) == sorted(scores, reverse=True)


def test_nothing_is_found_for_no_hits_at_all() -> None:
    assert [len(part) for part in filled(3).search(vectors(1)[0], 0)] == [0, 0]


def test_search_is_the_exact_order_of_inner_products() -> None:
    store, query = filled(40), vectors(1, seed=5)[0]
    products = vectors(40) @ query
    ids, scores = store.search(query, 7)
    assert ids.tolist() == [100 + n for n in np.argsort(-products)[:7]]
    assert np.allclose(scores, np.sort(products)[::-1][:7], atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 39), unique=True, max_size=40), st.integers(0, 1000))
def test_moments_are_those_of_all_vectors(removed: list[int], seed: int) -> None:
    store, query = filled(40), vectors(1, seed=seed)[0]
    store.remove([100 + n for n in removed])
    left = np.delete(vectors(40), removed, axis=0).astype(np.float64) @ query
    count, total, squares = store.moments(query)
    assert count == 40 - len(removed)
    assert total == pytest.approx(left.sum(), abs=1e-5)
    assert squares == pytest.approx((left**2).sum(), abs=1e-5)


def test_removed_ids_are_gone_and_unknown_ones_ignored() -> None:
    store = filled(3)
    store.remove([101, 7, -1])
    assert store.ids().tolist() == [100, 102]
    assert np.array_equal(store.vectors(np.array([102], np.int64))[0], vectors(3)[2])


def test_scores_are_of_those_that_are_there() -> None:
    store, query = filled(3), vectors(1, seed=9)[0]
    store.remove([101])
    ids, scores = store.scores(query, [7, 100, 101, 102])
    assert ids.tolist() == [100, 102]
    assert np.allclose(scores, vectors(3)[[0, 2]] @ query, atol=1e-6)
    assert [len(part) for part in store.scores(query, [])] == [0, 0]
    with pytest.raises(KeyError):
        store.vectors([100, 101])


def test_more_scores_than_are_looked_up_at_a_time_with_a_gap_in_each_block() -> None:
    store, query = filled(5000), vectors(1, seed=9)[0]
    wanted = np.arange(0, 7000, dtype=np.int64)
    ids, scores = store.scores(query, wanted)
    assert ids.tolist() == list(range(100, 5100))
    assert np.allclose(scores, vectors(5000) @ query, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 30), unique=True, max_size=12)), max_size=12)
)
def test_adding_and_removing_in_any_order_gives_what_is_left(
    kind: type[FlatStore], steps: list[tuple[bool, list[int]]]
) -> None:
    store, left, query = kind(D), dict[int, Vectors](), vectors(1, seed=4)[0]
    with patch.object(store_module, "MOST_MARKED", 7):
        for is_added, ids in steps:
            new = [row for row in ids if row not in left]
            if is_added:
                store.add(new, vectors(31)[new])
                left |= {row: vectors(31)[row] for row in new}
            else:
                store.remove(ids)
                left = {row: vector for row, vector in left.items() if row not in ids}
            assert len(store) == len(left)
            assert sorted(store.ids().tolist()) == sorted(left)
            expected = sorted(((float(v @ query), row) for row, v in left.items()), reverse=True)[:6]
            found, scores = store.search(query, 6)
            assert np.allclose(scores, [score for score, _ in expected], atol=1e-3)
            assert len(set(found.tolist())) == len(found)
            assert set(found.tolist()) <= left.keys()
            assert store.moments(query)[1] == pytest.approx(sum(v @ query for v in left.values()), abs=1e-2)


def test_a_thousand_removals_one_by_one_are_taken_out_together(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(3000)
    calls: list[int] = []
    remove_ids = type(store._index).remove_ids

    def count(index: object, ids: Ids) -> int:
        calls.append(len(ids))
        return int(remove_ids(index, ids))

    monkeypatch.setattr(type(store._index), "remove_ids", count)
    for row in range(100, 2400):
        store.remove([row])
    assert calls == [1001, 1001]
    assert len(store) == 700


def test_half_precision_takes_half_and_says_the_same_score_everywhere() -> None:
    store, query = filled(200, HalfStore), vectors(1, seed=8)[0]
    ids, scores = store.search(query, 5)
    assert np.allclose(scores, vectors(200)[ids - 100] @ query, atol=2e-3)
    again = dict(zip(*(part.tolist() for part in store.scores(query, ids)), strict=True))
    assert [again[row] for row in ids.tolist()] == pytest.approx(scores.tolist(), abs=1e-6)
    products = store.vectors(store.ids()).astype(float) @ query
    assert store.moments(query)[1] == pytest.approx(products.sum())
    assert store.code_size * 2 == FlatStore(D).code_size


@pytest.mark.parametrize("shape", [(2, D + 1), (3, D), (D,)])
def test_vectors_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    store = FlatStore(D)
    with pytest.raises(IndexMismatch) as caught:
        store.add([1, 2], np.ones(shape, np.float32))
    assert caught.value.params["expected"] == [2, D]
    assert len(store) == 0


def test_a_query_of_another_dimension_is_refused_with_both_numbers() -> None:
    for ask in (lambda q: filled(2).search(q, 1), lambda q: filled(2).moments(q)):
        with pytest.raises(IndexMismatch) as caught:
            ask(vectors(1, dimension=D + 4)[0])
        assert (caught.value.params["found"], caught.value.params["expected"]) == ([D + 4], [D])


# -- bytes ----------------------------------------------------------------------------------------


def read(data: bytes, dimension: int = D, path: str = "-") -> FlatStore:
    return FlatStore.from_bytes(data, dimension, path)


def test_an_empty_store_round_trips() -> None:
    store = read(FlatStore(D).to_bytes())
    assert len(store) == 0
    assert [len(part) for part in store.search(vectors(1)[0], 5)] == [0, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_removed_is_not_handed_out(kind: type[FlatStore]) -> None:
    store = filled(4, kind)
    store.remove([101])
    again = kind(D)
    again.add_codes(*store.codes())
    assert again.ids().tolist() == [100, 102, 103]
    assert np.array_equal(again.vectors([103]), store.vectors([103]))
    if kind is FlatStore:
        assert read(store.to_bytes()).ids().tolist() == [100, 102, 103]


def test_a_plain_flat_index_gets_line_numbers_as_ids() -> None:
    faiss = native.faiss(1)
    flat = faiss.IndexFlatIP(D)
    flat.add(vectors(3))
    store = read(faiss.serialize_index(flat).tobytes())
    assert store.ids().tolist() == [0, 1, 2]
    assert np.array_equal(store.vectors([2, 0]), vectors(3)[[2, 0]])


def test_another_kind_of_index_is_refused_by_name() -> None:
    faiss = native.faiss(1)
    half = faiss.IndexScalarQuantizer(D, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    for index, name in (
        (faiss.IndexFlatL2(D), "IndexFlatL2"),
        (faiss.IndexIDMap2(faiss.IndexFlatL2(D)), "IndexFlatL2"),
        (faiss.IndexHNSWFlat(D, 4), "IndexHNSWFlat"),
        (faiss.IndexIDMap2(half), "IndexScalarQuantizer"),
    ):
        with pytest.raises(IndexDamaged, match=name):
            read(faiss.serialize_index(index).tobytes())


def test_another_dimension_is_refused_with_both_numbers() -> None:
    with pytest.raises(IndexMismatch) as caught:
        read(filled(2).to_bytes(), D * 2, path="那里/index.faiss")
    assert caught.value.params == {"path": "那里/index.faiss", "found": D, "expected": D * 2}


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_zero_and_non_finite_vectors_from_elsewhere_are_refused(bad: float) -> None:
    store = FlatStore(D)
    rotten = vectors(3)
    rotten[1, :] = bad
    with np.errstate(invalid="ignore"):
        store.add([1, 2, 3], rotten)
    with pytest.raises(IndexDamaged, match="zero or non-finite"):
        read(store.to_bytes())


def test_checked_vectors_have_their_moments() -> None:
    store, query = read(filled(12).to_bytes()), vectors(1, seed=3)[0]
    assert store.moments(query) == pytest.approx(filled(12).moments(query))


@pytest.mark.parametrize("data", [b"", b"nothing like an index", filled(3).to_bytes()[:-9]])
def test_bytes_that_are_no_index_are_refused(data: bytes) -> None:
    with pytest.raises(IndexDamaged):
        read(data)
