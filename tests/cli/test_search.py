"""Filters, follow-ups, aliases and what a refusal explains, on the command line."""

import io
import os
from pathlib import Path

import pytest

from tests.cli import shapes
from tests.cli.conftest import QUESTION, Run
from tests.fakes import FakeGenerator


def documents(zhiye: Run, *options: object, question: str = QUESTION) -> set[str]:
    return {hit["document"] for hit in zhiye("search", question, "--json", *options).record["hits"]}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--in", "部门"], {"部门/差旅.txt"}),
        (["--in", "制度/部门/"], {"部门/差旅.txt"}),
        (["--type", "md,html"], {"保密.md", "访客.html"}),
        (["--type", "md", "--type", "txt"], {"保密.md", "部门/差旅.txt"}),
        (["--name", "访客"], {"访客.html"}),
        (["--name", "*.md", "--name", "差旅*"], {"保密.md", "部门/差旅.txt"}),
        (["--until", "2020"], {"访客.html"}),
        (["--since", "2020-02", "--type", "txt,html"], {"部门/差旅.txt"}),
    ],
)
def test_filters_choose_the_documents(
    zhiye: Run, folder: Path, options: list[str], expected: set[str]
) -> None:
    os.utime(folder / "访客.html", (1_580_000_000, 1_580_000_000))  # January 2020
    zhiye("ingest", folder, "--json")
    assert documents(zhiye, *options) == expected
    record = zhiye("search", QUESTION, "--json", *options).record
    assert record["filter"]["understood"] is False


def test_without_a_filter_there_is_none_in_the_record(zhiye: Run, indexed: Path) -> None:
    assert zhiye("search", QUESTION, "--json").record["filter"] is None


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize(
    ("option", "value"), [("--since", "gestern"), ("--until", "2023-13"), ("--type", "quark"), ("--in", "")]
)
def test_a_filter_that_means_nothing_is_an_error(
    zhiye: Run, indexed: Path, generator: FakeGenerator, command: str, option: str, value: str
) -> None:
    result = zhiye(command, QUESTION, option, value, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "filter_invalid")
    assert option in result.record["error"]["message"]


def test_a_filter_that_leaves_nothing_is_said(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    found = zhiye("search", QUESTION, "--in", "没有", "--json")
    assert (found.code, found.record["hits"]) == (0, [])
    assert "没有文档符合筛选条件（没有）" in found.err
    refused = zhiye("ask", QUESTION, "--type", "pdf", "--json")
    assert (refused.record["refused"], refused.record["refused_by"]) == (True, "gate")
    assert "没有文档符合筛选条件（pdf）" in refused.err


def test_a_filter_in_the_question_is_used_and_shown(zhiye: Run, indexed: Path) -> None:
    result = zhiye("search", "《保密制度》中秘密级数据的保密期限是几年？", "--json")
    assert {hit["document"] for hit in result.record["hits"]} == {"保密.md"}
    assert (result.record["filter"]["name"], result.record["filter"]["understood"]) == (["保密制度"], True)
    assert "从问题里理解的范围：保密制度" in result.err


def test_a_batch_takes_filters_too(
    zhiye: Run, indexed: Path, tmp_path: Path, generator: FakeGenerator
) -> None:
    batch = tmp_path / "问.jsonl"
    batch.write_text(f'{{"qid": "1", "question": "{QUESTION}"}}\n', encoding="utf-8")
    (record,) = zhiye("ask", "--batch", batch, "--type", "txt", "--json").records
    assert {hit["document"] for hit in record["hits"]} == {"部门/差旅.txt"}


def chat(zhiye: Run, monkeypatch: pytest.MonkeyPatch, text: str, *options: object) -> list:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    result = zhiye("ask", "--chat", "--json", *options)
    assert result.code == 0
    return result.records


def test_a_conversation_understands_follow_ups(
    zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = chat(zhiye, monkeypatch, f"{QUESTION}\n那机密级数据呢？\n\n没有读到这里\n")
    shapes.check_answer(first)
    shapes.check_answer(second)
    assert first["rewritten"] is None
    assert second["question"] == "那机密级数据呢？"
    assert second["rewritten"] == "机密级数据的保密期限是几年？"
    assert "机密级数据的保密期限是几年" in generator.prompts[-1][1]["content"]


def test_a_conversation_goes_on_after_a_question_that_fails(
    zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed, answered = chat(zhiye, monkeypatch, f"{'长' * 20_000}\n{QUESTION}\n")
    shapes.check_error(failed, "question_too_long")
    assert answered["refused"] is False


def test_the_first_question_of_a_conversation_may_be_given_with_it(
    zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = chat(zhiye, monkeypatch, "那机密级数据呢", QUESTION)
    assert first["question"] == QUESTION
    assert second["rewritten"]


def test_chat_and_batch_do_not_go_together(zhiye: Run, indexed: Path) -> None:
    assert zhiye("ask", "--chat", "--batch", "x.jsonl", "--json").code == 2


def test_people_see_how_a_follow_up_was_understood(
    zhiye: Run, indexed: Path, generator: FakeGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUESTION}\n那机密级数据呢？\n"))
    result = zhiye("ask", "--chat")
    assert "按上文理解为：机密级数据的保密期限是几年？" in result.err


def test_aliases_are_kept_listed_used_and_cleared(
    zhiye: Run, indexed: Path, generator: FakeGenerator
) -> None:
    question = "守密年限有多长"
    assert zhiye("ask", question, "--json").record["refused"]
    given = zhiye("libraries", "alias", "制度", "守密年限=保密期限", "出差＝差旅", "--json")
    assert given.record == {"library": "制度", "aliases": [["守密年限", "保密期限"], ["出差", "差旅"]]}
    assert zhiye("libraries", "alias", "制度", "--json").record == given.record
    assert "守密年限 = 保密期限" in zhiye("libraries", "alias", "制度").out
    answered = zhiye("ask", question, "--json").record
    assert (answered["refused_by"], answered["hits"][0]["document"]) == (None, "保密.md")
    assert zhiye("libraries", "alias", "制度", "--clear", "--json").record["aliases"] == []
    assert "没有同义词" in zhiye("libraries", "alias", "制度").out
    assert zhiye("ask", question, "--json").record["refused"]


@pytest.mark.parametrize("line", ["守密", "=", "甲="])
def test_what_is_no_alias_is_an_error(zhiye: Run, indexed: Path, line: str) -> None:
    result = zhiye("libraries", "alias", "制度", line, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "alias_invalid")


def test_a_refusal_says_why(zhiye: Run, folder: Path, generator: FakeGenerator) -> None:
    (folder / "a.pdf").write_bytes(b"%PDF-1.7 torn")
    (folder / "红烧肉菜谱.pdf").write_bytes(b"%PDF-1.7 torn")
    zhiye("ingest", folder, "--json")
    record = zhiye("ask", "红烧肉怎么做", "--json").record
    why = record["why_not"]
    # What a person would look up, of the terms that the gate missed.
    assert why["missing_terms"] == ["红烧肉"]
    assert "红烧肉" in record["gate"]["missing_terms"]
    assert [file["path"] for file in why["unreadable"]] == ["红烧肉菜谱.pdf", "a.pdf"]
    assert why["dense"]["document"] in {hit["document"] for hit in record["nearest"]}
    out = zhiye("ask", "红烧肉怎么做").out
    for words in ("为什么没找到：", "门槛", "红烧肉", "按意思最接近：", "红烧肉菜谱.pdf"):
        assert words in out[out.index("为什么没找到") :], words
    assert zhiye("ask", QUESTION, "--json").record["why_not"] is None


@pytest.mark.parametrize(
    "question",
    [
        *("《", "在里", "🙂🙂 保密", "保密 AND (", "保密*", "[保密]+$"),
        *("ＳＥＣＲＥＴ 保密", "保密\u200b期限", "Сколько 保密"),
    ],
)
def test_odd_questions_are_answered_or_refused(
    zhiye: Run, indexed: Path, generator: FakeGenerator, question: str
) -> None:
    for command in ("search", "ask"):
        result = zhiye(command, "--json", "--", question)
        assert result.code == 0 or result.record["error"]["code"] == "question_empty"


@pytest.mark.parametrize("question", ["！？…", "。" * 9_000, " "])
def test_marks_alone_are_no_question(zhiye: Run, indexed: Path, question: str) -> None:
    shapes.check_error(zhiye("search", question, "--json").record, "question_empty")
