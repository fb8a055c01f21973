"""Answers brought back from traces, whole and of every release."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from engine.answers import (
    Answer,
    AnswerTable,
    Citation,
    Flag,
    Gate,
    Part,
    Sentence,
    TableRow,
    Total,
    VersionNote,
)
from engine.documents import PageSpan, SearchHit
from engine.history.remembered import GONE, StillThere, answer
from engine.trace import answer_record

HIT = SearchHit(
    1, 0.9, 0.8, 7.5, "制度", "保密.pdf", "保密", 3, "iii", {"slide": 2}, ("总则",),
    (PageSpan(3, 1, 9),), "c1", "正文", 5, None, "pdf", ("副本.pdf",), ("别处.pdf",),
)  # fmt: skip
CITATION = Citation(
    1, "制度", "保密.pdf", 3, "iii", None, ("总则",), (PageSpan(3, 1, 9),), "原句。", "摘录", "c1", 5, "pdf"
)
GATE = Gate(True, 0.9, 0.5, ("缺的词",))
ANSWER = Answer(
    "问？", "答[1]。", False, None,
    (Sentence("答。", "unsupported", (1,), (Flag("number", "10"),)),), (CITATION,), (HIT,), GATE, (HIT,),
    ("c1",), "qwen", "large-zh-1", {"retrieve": 0.1, "first_token": 0.2, "total": 0.3},
    {"prompt": 9, "answer": 2}, "q1", "全问？", {"types": ["pdf"]}, None, 0.5, True, True,
    AnswerTable(("文档", "天数"), (TableRow(("保密.pdf", "10"), (1,), "supported"),), 1, 2, 3, "all",
                (Total("天", "10", (1,)),)),
    (Part("分问？", GATE, ("c1",)),), (VersionNote("制度", "v1.pdf", "v2.pdf", True, (1,)),),
)  # fmt: skip


def there(library: str, document: str, chunk: str) -> StillThere | None:
    return StillThere(library, 5, "pdf", None) if (document, chunk) == ("保密.pdf", "c1") else None


def test_an_answer_comes_back_as_it_was() -> None:
    assert answer(answer_record(ANSWER), there) == ANSWER


def test_the_example_fills_every_field_that_a_trace_keeps() -> None:
    def empty(value: Any, name: str = "answer") -> list[str]:
        if is_dataclass(value):
            return [item for each in fields(value) for item in empty(getattr(value, each.name), each.name)]
        if isinstance(value, tuple) and value and is_dataclass(value[0]):
            return [item for each in value for item in empty(each, name)]
        return [name] if value is None or value == () else []

    # Why it was refused is worked out from the libraries as they were; the others lie on this machine only.
    assert set(empty(ANSWER)) <= {"refused_by", "why_not", "path", "location", "reading", "reading_threshold"}


def test_what_is_no_longer_indexed_can_be_read() -> None:
    found = answer(answer_record(ANSWER), lambda *_: None)
    assert found.citations == (replace(CITATION, row=GONE),)
    assert found.hits == (replace(HIT, row=GONE),)


def test_a_trace_of_the_first_release_and_one_of_nothing() -> None:
    record = answer_record(ANSWER)
    for later in ("table", "parts", "versions", "stopped", "evidence_only", "filter"):
        record.pop(later)
    for later in ("kind", "content_hash"):
        record["citations"][0].pop(later)
    record["sentences"][0]["flags"] = [{"kind": "number", "text": "10"}]
    found = answer(record, there)
    assert (found.text, found.table, found.parts, found.stopped) == ("答[1]。", None, (), False)
    assert answer({}, there).question == ""
