"""``zhiye eval``: figures over a library, an index or a corpus, in both forms of questions."""

import json
from pathlib import Path

import pytest

from tests.cli import shapes
from tests.cli.conftest import FILES, QUESTION, Run
from tests.fakes import FakeGenerator

OWN = [
    {"qid": "a", "question": QUESTION, "answers": ["10年"], "document": "保密.md", "answerable": True},
    {"qid": "b", "question": "差旅报销单几个工作日内提交", "answers": ["10个工作日"], "document": "差旅.txt"},
    {"qid": "c", "question": "红烧肉怎么做", "answerable": False},
]


def write(path: Path, items: list[dict]) -> Path:
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    return path


def test_the_record_has_every_figure(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    questions = write(tmp_path / "问题.jsonl", OWN)
    result = zhiye("eval", "--questions", questions, "--library", "制度", "--json")
    assert result.code == 0
    record = result.record
    shapes.has(record, shapes.EVAL)
    shapes.has(record["retrieval"], shapes.EVAL_RETRIEVAL)
    shapes.has(record["gate"], shapes.EVAL_GATE)
    assert record["questions"] == 3
    assert record["answers"] is None
    assert (record["retrieval"]["hit@1"], record["retrieval"]["mrr@10"]) == (1, 1)
    assert [record["gate"][name] for name in ("auc", "refused_unanswerable", "refused_answerable")] == [
        1,
        1,
        0,
    ]
    assert record["gate"]["curve"]
    assert record["misses"] == []


def test_answers_are_measured_when_asked_for(
    zhiye: Run, indexed: Path, tmp_path: Path, generator: FakeGenerator
) -> None:
    questions = write(tmp_path / "问题.jsonl", [*OWN[:1], OWN[2]])
    record = zhiye("eval", "--questions", questions, "--answers", "--json").record
    shapes.has(record["answers"], shapes.EVAL_ANSWERS)
    assert record["answers"]["citation_hit"] == 1
    assert record["answers"]["right_document"] == 1
    assert record["answers"]["refused_unanswerable"] == 1
    assert record["answers"]["unsupported_shown"] == 0


def test_the_seeds_form_of_questions(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    questions = write(
        tmp_path / "问题.jsonl",
        [
            {"question": QUESTION, "expected_source": "保密"},
            {"question": "访客在哪里登记", "expected_source": "没有这个"},
        ],
    )
    record = zhiye("eval", "--questions", questions, "--json").record
    assert record["retrieval"]["hit@1"] == 0.5
    assert [(miss["qid"], miss["stage"]) for miss in record["misses"]] == [("2", "reading")]


def test_a_corpus_is_indexed_for_the_run_and_documents_can_be_left_out(zhiye: Run, tmp_path: Path) -> None:
    corpus = write(
        tmp_path / "corpus.jsonl",
        [{"doc_id": name, "title": name, "text": text} for name, text in FILES.items()],
    )
    questions = write(tmp_path / "问题.jsonl", [{"qid": "a", "question": QUESTION, "doc_id": "保密.md"}])
    arguments = ("eval", "--corpus", corpus, "--questions", questions, "--json")
    assert zhiye(*arguments).record["retrieval"]["hit@1"] == 1
    left_out = tmp_path / "weg.txt"
    left_out.write_text("保密.md\n", encoding="utf-8")
    assert zhiye(*arguments, "--leave-out", left_out).record["retrieval"]["hit@10"] == 0
    assert zhiye("libraries", "--json").record == {"libraries": []}


def test_limit_and_report(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    questions = write(tmp_path / "问题.jsonl", OWN)
    report = tmp_path / "报告"
    record = zhiye("eval", "--questions", questions, "--limit", 1, "--report", report, "--json").record
    assert record["questions"] == 1
    assert json.loads((report / "eval.json").read_text(encoding="utf-8")) == record
    assert "hit@1" in (report / "report.md").read_text(encoding="utf-8")
    assert "<svg" in (report / "report.html").read_text(encoding="utf-8")
    assert "| retrieval hit@1 | 1.0000 |" in zhiye("eval", "--questions", questions).out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "wrong_use"),
        (["--questions", "没有.jsonl"], "not_readable"),
        (["--questions", "问题.jsonl", "--corpus", "没有.jsonl"], "not_readable"),
        (["--questions", "问题.jsonl", "--corpus", "问题.jsonl"], "wrong_use"),
        (["--questions", "问题.jsonl", "--limit", "0"], "wrong_use"),
    ],
)
def test_eval_used_wrongly(
    zhiye: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "问题.jsonl", OWN)
    result = zhiye("eval", *arguments, "--json")
    assert result.code == 2
    shapes.check_error(result.record, code)


def test_a_portable_index_is_measured_in_both_forms(zhiye: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "索引"
    assert zhiye("ingest", folder, "--out", out, "--json").code == 0
    questions = write(
        tmp_path / "问题.jsonl",
        [
            {"question": QUESTION, "expected_source": "保密"},
            {"qid": "b", "question": QUESTION, "document": "保密.md", "page": 1, "answers": ["10年"]},
            {"qid": "c", "question": QUESTION, "document": "保密.md", "evidence": ["机密级数据的 保密期限"]},
            {"qid": "d", "question": QUESTION, "document": "保密.md", "evidence": ["绝密级数据"]},
        ],
    )
    record = zhiye("eval", "--questions", questions, "--index", out, "--json").record
    assert record["retrieval"]["hit@1"] == 1
    assert (record["retrieval"]["page_hit@1"], record["retrieval"]["passage_hit@1"]) == (1, 0.6667)
    assert [(miss["qid"], miss["stage"]) for miss in record["misses"]] == [("d", "reading")]


def test_a_wrong_answer_of_the_model_is_a_miss_with_what_it_wrote(
    zhiye: Run, indexed: Path, tmp_path: Path, generator: FakeGenerator
) -> None:
    item = {"qid": "a", "question": QUESTION, "answers": ["三十年"], "document": "保密.md"}
    record = zhiye(
        "eval", "--questions", write(tmp_path / "问题.jsonl", [item]), "--answers", "--json"
    ).record
    (miss,) = record["misses"]
    assert (miss["stage"], miss["got"]) == ("answer", generator.replies[0])


def test_the_second_report_says_what_is_other_than_before(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    questions, report = write(tmp_path / "问题.jsonl", OWN), tmp_path / "报告"
    arguments = ("eval", "--questions", questions, "--report", report)
    zhiye(*arguments, "--json")
    zhiye(*arguments, "--json")
    same = (report / "report.md").read_text(encoding="utf-8")
    assert "| retrieval hit@1 | 1.0000 | → +0.0000 |" in same
    assert "other sets or settings" not in same
    zhiye(*arguments, "--limit", 2, "--json")
    assert "other sets or settings (limit)" in (report / "report.md").read_text(encoding="utf-8")
