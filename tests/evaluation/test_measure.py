import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import pipeline
from engine.config import Settings
from engine.documents import Answer, Citation, Gate, SearchHit, Sentence
from engine.errors import StorageFailed
from engine.evaluation import measure, report
from engine.evaluation.dataset import Question
from engine.index.library import Library
from tests.fakes import FakeEmbedder
from tests.indexed import put


def hit(document: str, rank: int = 1) -> SearchHit:
    return SearchHit(
        rank, 1.0, None, None, "库", document, "", 1, None, None, (), (), f"{document}{rank}", "文字", rank
    )


def citation(document: str) -> Citation:
    return Citation(1, "库", document, 1, None, None, (), (), "", "", "", 1)


def answer(
    question: str, text: str, *, refused: bool = False, cited: tuple[str, ...] = (), **more: Any
) -> Answer:
    return Answer(
        question, text, refused, "gate" if refused else None, more.get("sentences", ()),
        tuple(citation(document) for document in cited), (), None,
    )  # fmt: skip


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[tuple[SearchHit, ...], Gate]]:
    """What the search answers to each question."""
    table: dict[str, tuple[tuple[SearchHit, ...], Gate]] = {}

    def search(question: str, *_: Any) -> tuple[tuple[SearchHit, ...], Gate]:
        return table[question]

    monkeypatch.setattr(pipeline, "search", search)
    return table


def run(questions: list[Question], ask_one: measure.AskOne | None = None) -> dict[str, Any]:
    return measure.evaluate(questions, [], None, Settings(), ask_one)


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
    assert record["misses"] == [{"qid": "2", "stage": "gate"}, {"qid": "3", "stage": "retrieval"}]
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
    assert set(figures.values()) == {1.0}


def test_answers_are_compared_with_the_gold(results: dict[str, Any]) -> None:
    for name in ("甲", "乙", "丙", "无"):
        results[name] = ((hit("a"),), OPEN)
    sentences = (
        Sentence("一", "supported", (1,)), Sentence("二", "unsupported", (1,)), Sentence("三", "partly"),
        Sentence("您好", "no_claim"),
    )  # fmt: skip
    answers = {
        "甲": answer("甲", "可以顺延至次年 三月。[1]", cited=("a", "b"), sentences=sentences),
        "乙": answer("乙", "证据不足", refused=True),
        "丙": answer("丙", "是五月", cited=("b",)),
        "无": answer("无", "证据不足", refused=True),
    }
    questions = [
        Question("1", "甲", ("次年三月。",), frozenset({"a"})),
        Question("2", "乙", ("五天",), frozenset({"a"})),
        Question("3", "丙", ("五月五日", "六月"), frozenset({"a"})),
        Question("4", "无", answerable=False),
    ]
    figures = run(questions, lambda question: answers[question.question])["answers"]
    assert figures["contains_gold"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["refused_unanswerable"] == 1
    assert figures["refused_answerable"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["right_document"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["citation_hit"] == 0.5
    assert figures["cited_sentences"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures["supported_citations"] == 0.5
    assert figures["unsupported_shown"] == pytest.approx(1 / 3, abs=1e-4)


def test_character_f1_takes_the_best_gold_answer() -> None:
    question = Question("1", "?", ("五月五日", "六月"))
    # 是五月 against 五月五日: two shared of 3 and of 4.
    assert measure._f1(question, answer("?", "是五月")) == pytest.approx(
        2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4)
    )
    assert measure._f1(question, answer("?", "六月")) == 1
    assert measure._f1(question, answer("?", "六月", refused=True)) == 0
    assert measure._f1(question, answer("?", "")) == 0


def test_questions_without_a_gold_answer_do_not_lower_the_figures(results: dict[str, Any]) -> None:
    results["甲"] = ((hit("手册"),), OPEN)
    figures = run([Question("1", "甲", source_part="手册")], lambda q: answer("甲", "文字"))["answers"]
    assert (figures["contains_gold"], figures["f1"]) == (None, None)


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


def test_the_report_is_two_files(tmp_path: Path) -> None:
    record = {
        "questions": 2,
        "retrieval": {"hit@1": 0.5},
        "gate": {"auc": None},
        "answers": None,
        "misses": [],
    }
    folder = tmp_path / "报告"
    report.write(record, folder)
    assert json.loads((folder / "eval.json").read_text(encoding="utf-8")) == record
    assert "| retrieval hit@1 | 0.5000 |" in (folder / "eval.md").read_text(encoding="utf-8")
    assert "| gate auc | – |" in (folder / "eval.md").read_text(encoding="utf-8")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        report.write(record, tmp_path / "file")
