import ast
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import native
from engine.errors import IndexDamaged, IndexMismatch, StorageFailed
from engine.index import store as store_module
from engine.index.embedding import Vectors
from engine.index.store import VectorStore, generation_of, write_file
from tests.conftest import ROOT

D = 8


def vectors(count: int, seed: int = 1, dimension: int = D) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def filled(count: int) -> VectorStore:
    store = VectorStore(D)
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


def test_moments_come_back_from_the_file(tmp_path: Path) -> None:
    store, query = filled(12), vectors(1, seed=3)[0]
    store.save(tmp_path / "index.faiss", 4)
    again, _ = VectorStore.load(tmp_path / "index.faiss", D)
    assert again.moments(query) == pytest.approx(store.moments(query))


def test_removed_ids_are_gone_and_unknown_ones_ignored() -> None:
    store = filled(3)
    store.remove([101, 7, -1])
    assert store.ids().tolist() == [100, 102]
    assert np.array_equal(store.vectors(np.array([102], np.int64))[0], vectors(3)[2])


@pytest.mark.parametrize("shape", [(2, D + 1), (3, D), (D,)])
def test_vectors_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    store = VectorStore(D)
    with pytest.raises(IndexMismatch) as caught:
        store.add([1, 2], np.ones(shape, np.float32))
    assert caught.value.params["expected"] == [2, D]
    assert len(store) == 0


def test_a_query_of_another_dimension_is_refused_with_both_numbers() -> None:
    for ask in (lambda q: filled(2).search(q, 1), lambda q: filled(2).moments(q)):
        with pytest.raises(IndexMismatch) as caught:
            ask(vectors(1, dimension=D + 4)[0])
        assert (caught.value.params["found"], caught.value.params["expected"]) == ([D + 4], [D])


# -- bytes and files ------------------------------------------------------------------------------


@pytest.fixture
def no_paths_for_faiss(monkeypatch: pytest.MonkeyPatch) -> None:
    """FAISS's own file access fails; only its callback reader and writer pass."""
    faiss = native.faiss(1)

    def without_paths(function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            assert not any(isinstance(a, (str, bytes, os.PathLike)) for a in arguments), (
                "a path went to FAISS"
            )
            return function(*arguments)

        return call

    for name in ("write_index", "read_index"):
        monkeypatch.setattr(faiss, name, without_paths(getattr(faiss, name)))


@pytest.mark.usefixtures("no_paths_for_faiss")
def test_a_chinese_folder_with_blanks_and_emoji(tmp_path: Path) -> None:
    file = tmp_path / "测试用户" / "知识库 一 😀" / "index.faiss"
    filled(3).save(file, 7)
    store, generation = VectorStore.load(file, D)
    assert (store.ids().tolist(), generation, generation_of(file)) == ([100, 101, 102], 7, 7)


def test_no_source_hands_a_path_to_faiss() -> None:
    calls = []
    for source in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("read_index", "write_index"):
                calls.append((source.name, node.attr))
    # The one call takes a callback writer, as the test above shows.
    assert calls == [("store.py", "write_index")]


def test_an_empty_store_round_trips() -> None:
    store = VectorStore.from_bytes(VectorStore(D).to_bytes(), D, "-")
    assert len(store) == 0
    assert [len(part) for part in store.search(vectors(1)[0], 5)] == [0, 0]


def test_a_plain_flat_index_gets_line_numbers_as_ids() -> None:
    faiss = native.faiss(1)
    flat = faiss.IndexFlatIP(D)
    flat.add(vectors(3))
    store = VectorStore.from_bytes(faiss.serialize_index(flat).tobytes(), D, "-")
    assert store.ids().tolist() == [0, 1, 2]


def test_another_kind_of_index_is_refused_by_name() -> None:
    faiss = native.faiss(1)
    for index, name in (
        (faiss.IndexFlatL2(D), "IndexFlatL2"),
        (faiss.IndexIDMap2(faiss.IndexFlatL2(D)), "IndexFlatL2"),
        (faiss.IndexHNSWFlat(D, 4), "IndexHNSWFlat"),
    ):
        with pytest.raises(IndexDamaged, match=name):
            VectorStore.from_bytes(faiss.serialize_index(index).tobytes(), D, "-")


def test_another_dimension_is_refused_with_both_numbers() -> None:
    with pytest.raises(IndexMismatch) as caught:
        VectorStore.from_bytes(filled(2).to_bytes(), D * 2, "那里/index.faiss")
    assert caught.value.params == {"path": "那里/index.faiss", "found": D, "expected": D * 2}


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_zero_and_non_finite_vectors_are_refused(bad: float) -> None:
    store = VectorStore(D)
    rotten = vectors(3)
    rotten[1, :] = bad
    with np.errstate(invalid="ignore"):
        store.add([1, 2, 3], rotten)
    with pytest.raises(IndexDamaged, match="zero or non-finite"):
        VectorStore.from_bytes(store.to_bytes(), D, "-")


@pytest.mark.parametrize("data", [b"", b"nothing like an index", filled(3).to_bytes()[:-9]])
def test_bytes_that_are_no_index_are_refused(data: bytes) -> None:
    with pytest.raises(IndexDamaged):
        VectorStore.from_bytes(data, D, "-")


@pytest.mark.parametrize("harm", ["missing", "short", "cut", "flipped", "no trailer"])
def test_a_torn_cache_file_is_refused(tmp_path: Path, harm: str) -> None:
    file = tmp_path / "index.faiss"
    filled(3).save(file, 1)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= harm == "flipped"  # in the vectors, where only the checksum can tell
    ends = {"short": 10, "cut": len(data) - 60, "no trailer": len(data) - 28}
    file.write_bytes(data[: ends.get(harm, len(data))])
    if harm == "missing":
        file.unlink()
    with pytest.raises(IndexDamaged):
        VectorStore.load(file, D)
    assert harm == "flipped" or generation_of(file) is None


# -- replacing a file -----------------------------------------------------------------------------


class Disk:
    """``os.replace`` that fails as told, and a clock that only sleeping moves."""

    def __init__(self, *errors: OSError | None, always: OSError | None = None) -> None:
        self.errors, self.always = list(errors), always
        self.now = 0.0
        self.calls = 0

    def replace(self, source: Path, target: Path) -> None:
        self.calls += 1
        error = self.errors.pop(0) if self.errors else self.always
        if error is not None:
            raise error
        os.rename(source, target)  # noqa: PTH104

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Disk]:
    def install(*errors: OSError | None, always: OSError | None = None) -> Disk:
        made = Disk(*errors, always=always)
        monkeypatch.setattr(store_module.os, "replace", made.replace)
        monkeypatch.setattr(
            store_module, "time", SimpleNamespace(monotonic=lambda: made.now, sleep=made.sleep)
        )
        return made

    return install


def blocked(winerror: int) -> PermissionError:
    error = PermissionError(13, "拒绝访问")
    error.winerror = winerror
    return error


def test_a_file_held_for_a_moment_is_replaced_in_the_end(tmp_path: Path, disk: Callable[..., Disk]) -> None:
    made = disk(blocked(5), blocked(32))
    write_file(tmp_path / "index.faiss", b"new")
    assert (tmp_path / "index.faiss").read_bytes() == b"new"
    assert made.calls == 3
    assert [path.name for path in tmp_path.iterdir()] == ["index.faiss"]


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_a_file_held_for_good_is_an_honest_error(
    tmp_path: Path, disk: Callable[..., Disk], winerror: int
) -> None:
    file = tmp_path / "index.faiss"
    file.write_bytes(b"old")
    made = disk(always=blocked(winerror))
    begun = time.monotonic()
    with pytest.raises(StorageFailed) as caught:
        write_file(file, b"new")
    assert time.monotonic() - begun < 5
    assert 2 <= made.now < 3
    assert caught.value.params == {"path": str(file), "detail": "拒绝访问"}
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["index.faiss"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "no")])
def test_other_errors_are_not_waited_for(tmp_path: Path, disk: Callable[..., Disk], error: OSError) -> None:
    made = disk(always=error)
    with pytest.raises(StorageFailed):
        write_file(tmp_path / "index.faiss", b"new")
    assert (made.calls, made.now) == (1, 0)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_writers_leftover_goes_with_the_next_good_save(tmp_path: Path) -> None:
    (tmp_path / ".index.faiss.99999.tmp").write_bytes(b"half")
    (tmp_path / ".other.99999.tmp").write_bytes(b"not ours")
    write_file(tmp_path / "index.faiss", b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.99999.tmp", "index.faiss"]


def test_a_place_that_cannot_be_written_is_an_honest_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        write_file(tmp_path / "file" / "index.faiss", b"new")
