"""Questions of several parts: how they are cut, and what each part brings."""

import pytest

from engine.answer import filters, parts
from engine.answer.searching import find
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.events import Notice
from engine.index.library import Library
from engine.trace import answer_record
from tests.builders import answer_of, events_of, memory_library
from tests.fakes import FakeEmbedder, FakeGenerator

TEXTS = {
    "保密.pdf": "秘密级数据的保密期限为10年。机密级数据的保密期限为二十年。",
    "差旅.pdf": "差旅报销单须在返回后10个工作日内提交财务部。逾期不予受理。",
    "访客.md": "访客须在前台登记，由接待人陪同进入园区。",
}
BOTH = "秘密级数据的保密期限是几年，差旅报销单要几天内提交？"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (BOTH, ("秘密级数据的保密期限是几年？", "差旅报销单要几天内提交？")),
        ("年假有多少天以及病假工资怎么算？", ("年假有多少天？", "病假工资怎么算？")),
        ("合同金额是多少，付款期限又是什么？", ("合同金额是多少？", "付款期限是什么？")),
        (
            "试用期多长？转正需要哪些材料？年终奖什么时候发？",
            ("试用期多长？", "转正需要哪些材料？", "年终奖什么时候发？"),
        ),
        (
            "保密期限是几年，访客登记在哪里，单位写全称？",
            ("保密期限是几年？", "访客登记在哪里，单位写全称？"),
        ),
        (
            "What is the probation period and how many days of annual leave are there?",
            ("What is the probation period?", "How many days of annual leave are there?"),
        ),
    ],
)
def test_parts_that_stand_by_themselves_are_cut(question: str, expected: tuple[str, ...]) -> None:
    assert parts.split(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "年假有多少天",
        "如果员工离职，年假怎么折算？",
        "合同有效期是多久，什么时候到期？",
        "A有几天？B呢？",
        "1965年几内亚和法国断交后，采用新的货币叫什么？",
        "「谁知盘中飧，粒粒皆辛苦。」出自谁写的诗？",
        "盛达公司在2019年发生了哪些事件，并采取了哪些措施？",
        "一是什么？二是什么？三是什么？四是什么？",
        "How long is it and who signs it?",
        "What is the penalty, if any, for a late report?",
        "How did the change in March affect costs, and how did these decisions influence the plan?",
        "多少" * 300 + "，哪些",
    ],
)
def test_a_question_of_one_subject_is_left_whole(question: str) -> None:
    assert parts.split(question) == ()


def test_the_passages_of_the_parts_take_turns_and_share_the_places() -> None:
    texts = TEXTS | {f"保密{n}.md": f"保密期限的说明第{n}篇：秘密级数据的保密期限。" for n in range(9)}
    found = find(BOTH, [memory_library(texts)], FakeEmbedder(), Settings(top_k=3))
    assert len(found.hits) == 3
    assert "差旅.pdf" in {hit.document for hit in found.hits[:2]}
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert found.wording == BOTH


def test_each_part_has_a_gate_of_its_own_and_the_missing_one_is_named() -> None:
    question = "秘密级数据的保密期限是几年，红烧肉要炖多久？"
    events = events_of(question, [memory_library(TEXTS)])
    notices = [
        event for event in events if isinstance(event, Notice) and event.code == "part_without_evidence"
    ]
    assert [notice.params for notice in notices] == [{"question": "红烧肉要炖多久？"}]
    answer = answer_of(question, [memory_library(TEXTS)])
    assert [part.gate.answerable for part in answer.parts] == [True, False]
    assert answer.hits[0].document == "保密.pdf"


def test_the_answer_rests_on_the_evidence_of_all_parts_and_the_trace_tells_them() -> None:
    generator = FakeGenerator("秘密级数据的保密期限为10年[1]。差旅报销单须在10个工作日内提交[2]。")
    answer = answer_of(BOTH, [memory_library(TEXTS)], generator=generator)
    assert [sentence.verdict for sentence in answer.sentences] == ["supported", "supported"]
    assert {citation.document for citation in answer.citations} == {"保密.pdf", "差旅.pdf"}
    record = answer_record(answer)["parts"]
    assert [part["question"] for part in record] == list(parts.split(BOTH))
    assert all(part["found"] for part in record)


def test_the_chunks_of_a_filter_are_looked_up_once_for_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[DocumentFilter] = []
    rows = filters.rows

    def counted(chosen: DocumentFilter, library: Library) -> list[int]:
        looked_up.append(chosen)
        return rows(chosen, library)

    monkeypatch.setattr(filters, "rows", counted)
    chosen = DocumentFilter(types=("pdf",))
    found = find(BOTH, [memory_library(TEXTS)], FakeEmbedder(), Settings(), chosen=chosen)
    assert {hit.document for hit in found.hits} == {"保密.pdf", "差旅.pdf"}
    assert len(found.parts) == 2
    assert looked_up == [chosen]


def test_it_can_be_switched_off() -> None:
    found = find(BOTH, [memory_library(TEXTS)], FakeEmbedder(), Settings(parts=False))
    assert found.parts == ()


def test_no_further_part_is_looked_for_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "SECONDS", 0.0)
    found = find(BOTH, [memory_library(TEXTS)], FakeEmbedder(), Settings())
    assert found.parts == ()
    assert found.hits
