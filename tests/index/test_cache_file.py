import ast
import os
from pathlib import Path

import numpy as np
import pytest

from engine import native
from engine.errors import IndexDamaged, IndexMismatch, StorageFailed
from engine.index import cache_file
from engine.index.cache_file import Mark, mark_of
from engine.index.store import FlatStore, HalfStore
from tests.conftest import ROOT
from tests.index.test_store import KINDS, D, filled, vectors


@pytest.mark.parametrize("kind", KINDS)
def test_a_chinese_folder_with_blanks_and_emoji(tmp_path: Path, kind: type[FlatStore]) -> None:
    file = tmp_path / "测试用户" / "知识库 一 😀" / "index.faiss"
    written = filled(3, kind)
    mark = cache_file.save(written, file, epoch=2, generation=7)
    store, found = cache_file.load(file, D)
    assert found == mark == mark_of(file) == Mark(2, 7, 3, 102, D)
    assert type(store) is kind
    assert store.ids().tolist() == [100, 101, 102]
    assert np.array_equal(store.vectors([102, 100]), written.vectors([102, 100]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 50])
def test_faiss_itself_reads_the_file(tmp_path: Path, kind: type[FlatStore], count: int) -> None:
    faiss = native.faiss(1)
    written = filled(count, kind)
    cache_file.save(written, tmp_path / "index.faiss", 0, 1)
    index = faiss.read_index(str(tmp_path / "index.faiss"))
    assert isinstance(index, faiss.IndexIDMap2) and index.ntotal == count
    query = vectors(1, seed=3)
    if count:
        scores, ids = index.search(query, min(5, count))
        expected_ids, expected_scores = written.search(query[0], min(5, count))
        assert (ids[0].tolist(), scores[0].tolist()) == (expected_ids.tolist(), expected_scores.tolist())
        assert np.array_equal(index.reconstruct(100), written.vectors([100])[0])


def test_no_source_lets_faiss_open_a_file() -> None:
    for source in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Attribute) and node.attr in ("read_index", "write_index")), (
                source
            )


def test_a_store_that_was_read_has_room_for_more(tmp_path: Path) -> None:
    cache_file.save(filled(1000), tmp_path / "index.faiss", 0, 1)
    store, _ = cache_file.load(tmp_path / "index.faiss", D)
    before = store.codes()[1].ctypes.data
    store.add([5000], vectors(1, seed=2))
    assert store.codes()[1].ctypes.data == before


def test_moments_come_back_from_the_file(tmp_path: Path) -> None:
    store, query = filled(12), vectors(1, seed=3)[0]
    store.remove([104])
    cache_file.save(store, tmp_path / "index.faiss", 0, 4)
    again, _ = cache_file.load(tmp_path / "index.faiss", D)
    assert again.moments(query) == pytest.approx(store.moments(query))
    again.remove([105])
    store.remove([105])
    assert again.moments(query) == pytest.approx(store.moments(query))


def test_a_store_without_vectors_has_a_file(tmp_path: Path) -> None:
    cache_file.save(HalfStore(D), tmp_path / "index.faiss", 0, 1)
    store, mark = cache_file.load(tmp_path / "index.faiss", D)
    assert (len(store), mark.last_id) == (0, 0)


def test_another_dimension_is_refused_with_both_numbers(tmp_path: Path) -> None:
    cache_file.save(filled(3), tmp_path / "index.faiss", 0, 1)
    with pytest.raises(IndexMismatch) as caught:
        cache_file.load(tmp_path / "index.faiss", 2 * D)
    assert (caught.value.params["found"], caught.value.params["expected"]) == (D, 2 * D)


@pytest.mark.parametrize("harm", ["missing", "short", "cut", "flipped", "no trailer", "earlier version"])
def test_a_torn_file_is_refused(tmp_path: Path, harm: str) -> None:
    file = tmp_path / "index.faiss"
    cache_file.save(filled(3), file, 0, 1)
    data = bytearray(file.read_bytes())
    data[150] ^= harm == "flipped"  # in the vectors, where only the checksum can tell
    ends = {"short": 10, "cut": len(data) - 100, "no trailer": len(data) - 64}
    if harm == "earlier version":
        data = data.replace(b"ZHIYEGN4", b"ZHIYEGN2")
    file.write_bytes(data[: ends.get(harm, len(data))])
    if harm == "missing":
        file.unlink()
    with pytest.raises(IndexDamaged):
        cache_file.load(file, D)
    assert harm == "flipped" or mark_of(file) is None


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "index.faiss"
    cache_file.save(filled(3), file, 0, 1)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFailed, match="No space"):
        cache_file.save(filled(4), file, 0, 2)
    assert cache_file.load(file, D)[1].generation == 1
    assert [path.name for path in tmp_path.iterdir()] == ["index.faiss"]
