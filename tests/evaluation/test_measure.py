"""Counting over a whole set; stages and answers have tests of their own."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.answer import searching
from engine.answers import Gate
from engine.config import Settings
from engine.documents import SearchHit
from engine.errors import IndexDamaged
from engine.evaluation import measure
from engine.evaluation.dataset import Question
from engine.evaluation.stages import Answered
from engine.index.library import Library
from tests.evaluation.doubles import answer, hit
from tests.fakes import FakeEmbedder
from tests.indexed import put


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[tuple[SearchHit, ...], Gate]]:
    """What the search answers to each question."""
    table: dict[str, tuple[tuple[SearchHit, ...], Gate]] = {}

    def search(question: str, *_: Any, **__: Any) -> tuple[tuple[SearchHit, ...], Gate]:
        return table[question]

    monkeypatch.setattr(searching, "search", search)
    return table


def run(questions: list[Question], ask_one: measure.AskOne | None = None) -> dict[str, Any]:
    """Over a library of all documents that the doubled search may find."""
    library = Library(None, dimension=64)
    library.set_meta("name", "库")
    for document in ("a", "b", *(f"{n}/手册.pdf" for n in range(1, 5))):
        put(library, document, [f"文字 {document}"])
    try:
        return measure.evaluate(questions, [library], None, Settings(), ask_one)
    finally:
        library.close()


OPEN, SHUT = Gate(True, 0.9), Gate(False, 0.2)


def test_retrieval_and_gate_are_counted_by_kind_of_question(results: dict[str, Any]) -> None:
    results["甲"] = ((hit("b"), hit("a", 2), hit("a", 3)), OPEN)
    results["乙"] = ((hit("a"), hit("b", 2)), SHUT)
    results["丙"] = ((hit("b"),), OPEN)
    results["无"] = ((hit("a"),), SHUT)
    results["也无"] = ((hit("a"),), OPEN)
    record = run(
        [
            Question("1", "甲", documents=frozenset({"a"})),
            Question("2", "乙", documents=frozenset({"a", "b"})),
            Question("3", "丙", documents=frozenset({"a"})),
            Question("4", "无", answerable=False),
            Question("5", "也无", answerable=False),
        ]
    )
    assert record["questions"] == 5
    assert record["retrieval"]["hit@1"] == pytest.approx(1 / 3, abs=1e-4)
    assert record["retrieval"]["recall@5"] == pytest.approx(2 / 3, abs=1e-4)
    assert record["retrieval"]["mrr@10"] == pytest.approx((1 / 2 + 1) / 3, abs=1e-4)
    assert record["gate"]["refused_unanswerable"] == 0.5
    assert record["gate"]["refused_answerable"] == pytest.approx(1 / 3, abs=1e-4)
    # Pairs: 0.9, 0.2, 0.9 against 0.2, 0.9.
    assert record["gate"]["auc"] == pytest.approx((1.5 + 0.5 + 1.5) / 6, abs=1e-4)
    assert [(miss["qid"], miss["stage"]) for miss in record["misses"]] == [("2", "gate"), ("3", "retrieval")]
    assert record["answers"] is None


@pytest.mark.parametrize(
    "question",
    [Question("1", "甲", source_part="手册"), Question("1", "甲", documents=frozenset({"手册.pdf"}))],
)
def test_more_files_that_the_name_fits_do_not_push_figures_over_one(
    results: dict[str, Any], question: Question
) -> None:
    results["甲"] = (tuple(hit(f"{n}/手册.pdf", n) for n in range(1, 5)), OPEN)
    figures = run([question])["retrieval"]
    assert {figures[name] for name in ("hit@1", "recall@5", "all_evidence@5", "mrr@10", "ndcg@10")} == {1.0}


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library(None, dimension=64)
    made.set_meta("name", "库")
    put(made, "年假.txt", ["年假可以顺延至次年三月"], FakeEmbedder())
    put(made, "报销.txt", ["报销须在三十日内提交"], FakeEmbedder())
    yield made
    made.close()


def test_a_whole_run_is_the_same_every_time(library: Library) -> None:
    questions = [
        Question("1", "年假顺延到几月", documents=frozenset({"年假.txt"})),
        Question("2", "报销几日内提交", documents=frozenset({"报销.txt"})),
        Question("3", "？", documents=frozenset({"报销.txt"})),
        Question("4", "字" * 20_000, answerable=False),
    ]
    records = [measure.evaluate(questions, [library], FakeEmbedder(), Settings()) for _ in range(2)]
    for record in records:
        record.pop("seconds")
    assert records[0] == records[1]
    assert records[0]["retrieval"]["hit@1"] == 1
    assert records[0]["questions"] == 4
    assert records[0]["failed"] == [
        {"qid": "3", "code": "question_empty"},
        {"qid": "4", "code": "question_too_long"},
    ]
    assert records[0]["gate"]["refused_unanswerable"] is None


def test_a_question_that_fails_is_named_and_the_rest_goes_on(results: dict[str, Any]) -> None:
    results["甲"] = results["乙"] = ((hit("a"),), OPEN)

    def ask_one(question: Question) -> Answered:
        if question.qid == "1":
            raise IndexDamaged(library="库", detail="")
        return Answered(answer("乙", "三月", cited=("a",)))

    wanted = frozenset({"a"})
    done: list[int] = []
    questions = [Question("1", "甲", documents=wanted), Question("2", "乙", documents=wanted)]
    record = measure.evaluate(iter(questions), [], None, Settings(), ask_one, done.append)
    assert record["failed"] == [{"qid": "1", "code": "index_damaged"}]
    assert (record["questions"], done) == (2, [1, 2])
    assert record["answers"]["refused_answerable"] == 0


def test_a_miss_tells_what_was_wanted_and_what_came(library: Library) -> None:
    wanted = frozenset({"年假.txt"})
    record = measure.evaluate(
        [
            Question("1", "报销须在三十日内", documents=wanted, evidence=("年假可以顺延至次年三月",)),
            Question("2", "报销须在三十日内", documents=wanted, evidence=("年假不得超过 五天",)),
            Question("3", "报销须在三十日内", documents=frozenset({"没有.txt"})),
        ],
        [library], FakeEmbedder(), Settings(top_k=1),
    )  # fmt: skip
    assert [miss["stage"] for miss in record["misses"]] == ["budget", "reading", "reading"]
    assert record["misses"][1] == {
        "qid": "2",
        "stage": "reading",
        "question": "报销须在三十日内",
        "expected": "年假不得超过 五天",
        "got": "报销.txt: 报销须在三十日内提交",
    }
    assert record["retrieval"]["all_evidence@5"] == pytest.approx(1 / 3, abs=1e-4)
    assert record["retrieval"]["passage_hit@1"] == 0
    assert record["retrieval"]["passage_hit@3"] == 0.5


def test_pages_are_counted_by_every_page_of_a_passage(library: Library) -> None:
    put(library, "长.pdf", ["第一页讲年假", "第二页讲报销的日期"], FakeEmbedder())
    wanted = frozenset({"长.pdf"})
    record = measure.evaluate(
        [
            Question("1", "第二页讲报销的日期", documents=wanted, pages=(2,)),
            Question("2", "第二页讲报销的日期", documents=wanted, pages=(1,)),
        ],
        [library], FakeEmbedder(), Settings(),
    )  # fmt: skip
    assert (record["retrieval"]["page_hit@1"], record["retrieval"]["page_hit@10"]) == (0.5, 1)


def test_the_gate_comes_with_what_its_plots_need(results: dict[str, Any]) -> None:
    results["甲"], results["无"] = ((hit("a"),), OPEN), ((hit("a"),), SHUT)
    gate = run([Question("1", "甲", documents=frozenset({"a"})), Question("2", "无", answerable=False)])[
        "gate"
    ]
    assert [point["threshold"] for point in gate["curve"]] == [0.2, 0.9]
    assert (gate["distribution"]["answerable"][18], gate["distribution"]["unanswerable"][4]) == (1, 1)
