"""The two lanes and how they are joined, against the same sums done by hand with NumPy."""

from collections.abc import Sequence

import numpy as np
import pytest

from engine.answer import retrieval
from engine.config import Settings
from engine.documents import SearchHit
from engine.index import lexical
from engine.index.library import Library
from tests.builders import ConstantEmbedder, memory_library
from tests.fakes import FakeEmbedder

TRAVEL = {
    "差旅.txt": "差旅报销单须在返回后10个工作日内提交。",
    "住宿.txt": "一线城市住宿费每晚限额为550元。",
    "休假.txt": "年休假须提前5个工作日申请。",
    "保密.txt": "秘密级数据的保密期限为六年。",
    "保修.txt": "The warranty covers rechargeable batteries for nine months.",
}
PARTS = {
    "采购.txt": "电路板采购合同的违约金为每日千分之三。",
    "报销.txt": "报销单由部门经理审批后提交财务部。",
}
QUESTION = "报销单几个工作日内提交"


def search(
    question: str,
    libraries: Sequence[Library],
    top: int = 10,
    documents: frozenset[str] | None = None,
    **changes: object,
) -> tuple[SearchHit, ...]:
    return retrieval.search(question, libraries, FakeEmbedder(), Settings(**changes), top, documents)


def by_hand(question: str, libraries: Sequence[Library]) -> tuple[dict[str, float], dict[str, float]]:
    """Cosine and BM25 of every document of the libraries, by path."""
    embedder = FakeEmbedder()
    query = embedder.embed_query(question)
    dense: dict[str, float] = {}
    bm25: dict[str, float] = {}
    for library in libraries:
        found = lexical.search(library.db, question, library.chunk_count()).scores
        for stored in library.all_chunks():
            dense[stored.document] = float(embedder.embed_passages([stored.chunk.text])[0] @ query)
            bm25[stored.document] = found.get(stored.row, 0.0)
    return dense, bm25


def standardised(scores: dict[str, float]) -> dict[str, float]:
    values = np.array(list(scores.values()))
    return {key: (score - values.mean()) / values.std() for key, score in scores.items()}


@pytest.mark.parametrize("collections", [[TRAVEL], [TRAVEL, PARTS]], ids=["one library", "union of two"])
def test_fused_score_is_the_weighted_sum_of_both_lanes_standardised_over_everything_asked(
    collections: list[dict[str, str]],
) -> None:
    libraries = [memory_library(texts, name=str(at)) for at, texts in enumerate(collections)]
    dense, bm25 = by_hand(QUESTION, libraries)
    assert sum(score > 0 for score in bm25.values()) >= 2
    expected = {path: 0.7 * standardised(dense)[path] + 0.3 * standardised(bm25)[path] for path in dense}

    hits = search(QUESTION, libraries, rerank=False)

    assert {hit.document: hit.score for hit in hits} == pytest.approx(expected, abs=1e-4)
    assert [hit.document for hit in hits] == sorted(expected, key=lambda path: -expected[path])
    assert {hit.document: hit.dense for hit in hits} == pytest.approx(dense, abs=1e-6)
    assert {hit.document: hit.lexical for hit in hits} == pytest.approx(bm25)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_standardising_over_the_union_differs_from_standardising_each_library() -> None:
    alone = {hit.document: hit.score for hit in search(QUESTION, [memory_library(TRAVEL)])}
    together = search(QUESTION, [memory_library(TRAVEL, name="a"), memory_library(PARTS, name="b")])
    assert any(abs(alone[hit.document] - hit.score) > 0.01 for hit in together if hit.document in alone)
    assert {hit.library for hit in together} == {"a", "b"}


def test_rank_fusion_is_an_option() -> None:
    libraries = [memory_library(TRAVEL)]
    dense, bm25 = by_hand(QUESTION, libraries)

    def ranks(scores: dict[str, float]) -> dict[str, int]:
        ordered = sorted((path for path in scores if scores[path] > 0), key=lambda path: -scores[path])
        return {path: at for at, path in enumerate(ordered, start=1)}

    in_dense, in_bm25 = ranks(dense), ranks(bm25)
    hits = search(QUESTION, libraries, fusion="rrf")
    for hit in hits:
        expected = 1 / (60 + in_dense[hit.document])
        if hit.document in in_bm25:
            expected += 1 / (60 + in_bm25[hit.document])
        assert hit.score == pytest.approx(expected)
    assert hits[0].document == "差旅.txt"


def test_documents_restrict_the_candidates_but_not_what_scores_are_measured_against() -> None:
    libraries = [memory_library(TRAVEL)]
    everywhere = {hit.document: hit.score for hit in search(QUESTION, libraries)}
    chosen = frozenset({"休假.txt", "保密.txt", "没有.txt"})
    hits = search(QUESTION, libraries, documents=chosen)
    assert {hit.document for hit in hits} == {"休假.txt", "保密.txt"}
    assert all(hit.score == pytest.approx(everywhere[hit.document], abs=1e-4) for hit in hits)


def test_no_documents_chosen_finds_nothing() -> None:
    assert search(QUESTION, [memory_library(TRAVEL)], documents=frozenset({"没有.txt"})) == ()


def test_equal_texts_take_one_place() -> None:
    library = memory_library(TRAVEL | {"差旅 (1).txt": TRAVEL["差旅.txt"]})
    hits = search(QUESTION, [library], top=3)
    assert len({hit.text for hit in hits}) == len(hits) == 3


def test_a_hit_names_the_documents_of_passages_that_it_stands_for() -> None:
    library = memory_library(TRAVEL | {"差旅 (1).txt": TRAVEL["差旅.txt"] + "完"})
    hits = search(QUESTION, [library], top=10)
    assert {"差旅.txt", "差旅 (1).txt"} == {hits[0].document, *hits[0].also_in}
    assert len(hits) == len(TRAVEL)


def test_equal_texts_of_two_libraries_take_one_place() -> None:
    hits = search(QUESTION, [memory_library(TRAVEL, name="a"), memory_library(TRAVEL, name="b")])
    assert len(hits) == len(TRAVEL)


def test_min_score_leaves_out_weaker_passages() -> None:
    libraries = [memory_library(TRAVEL)]
    scores = [hit.score for hit in search(QUESTION, libraries)]
    limit = (scores[1] + scores[2]) / 2
    assert [hit.score for hit in search(QUESTION, libraries, min_score=limit)] == scores[:2]


def test_without_embedder_the_lexical_lane_decides() -> None:
    libraries = [memory_library(TRAVEL)]
    hits = retrieval.search(QUESTION, libraries, None, Settings(), 10)
    _, bm25 = by_hand(QUESTION, libraries)
    assert [hit.document for hit in hits] == sorted(
        (path for path in bm25 if bm25[path]), key=lambda path: -bm25[path]
    )
    assert {hit.dense for hit in hits} == {None}


def test_a_dense_lane_that_tells_nothing_apart_adds_nothing() -> None:
    embedder = ConstantEmbedder()
    library = memory_library(TRAVEL, embedder)
    hits = retrieval.search(QUESTION, [library], embedder, Settings(rerank=False), 10)
    bm25 = by_hand(QUESTION, [library])[1]
    lexical_part = standardised(bm25)
    # Rounding must not be taken for a difference and blown up by a deviation of nearly nothing.
    assert {hit.document: hit.score for hit in hits} == pytest.approx(
        {path: 0.3 * lexical_part[path] for path in bm25}, abs=1e-4
    )


def test_chunks_without_a_vector_get_the_floor_of_the_dense_lane() -> None:
    library = memory_library(TRAVEL)
    row = next(stored.row for stored in library.all_chunks() if stored.document == "差旅.txt")
    library.db.execute("UPDATE chunks SET vector_key = NULL WHERE id = ?", (row,))
    hits = search(QUESTION, [library])
    found = next(hit for hit in hits if hit.document == "差旅.txt")
    assert found.dense is None
    assert found.lexical is not None and found.lexical > 0


def test_english_passages_are_weighed_by_their_words() -> None:
    texts = {
        "warranty.txt": "The warranty covers rechargeable batteries for nine months.",
        "returns.txt": "Goods are returned within thirty days of delivery.",
        "payment.txt": "Invoices are paid within fourteen days.",
        "leave.txt": "Annual leave is requested five working days ahead.",
    }
    question = "How long does the warranty cover batteries?"
    dense, bm25 = by_hand(question, [memory_library(texts)])
    expected = {path: 0.4 * standardised(dense)[path] + 0.6 * standardised(bm25)[path] for path in texts}
    hits = search(question, [memory_library(texts)], rerank=False)
    assert {hit.document: hit.score for hit in hits} == pytest.approx(expected, abs=1e-4)


def test_nothing_to_ask_finds_nothing() -> None:
    assert search(QUESTION, []) == ()
    assert search(QUESTION, [memory_library({})]) == ()


@pytest.mark.parametrize("top", [1, 2, 4])
def test_top_limits_the_hits(top: int) -> None:
    assert len(search(QUESTION, [memory_library(TRAVEL)], top=top)) == top


def test_equal_scores_come_in_the_same_order_every_time() -> None:
    texts = {f"{at}.txt": f"第{at}份文件讲别的事情" for at in range(9)}
    runs = [[hit.document for hit in search("报销", [memory_library(texts)])] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
