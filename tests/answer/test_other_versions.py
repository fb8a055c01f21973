"""Several versions of one document in a search and in an answer."""

import pytest

from engine.answer.searching import find
from engine.answer_events import AnswerFinished
from engine.answers import Answer
from engine.events import Event, Notice
from engine.trace import answer_record
from tests.builders import events_of
from tests.desk import Desk
from tests.fakes import FakeGenerator

BODY = (
    "请假须提前三天向直属主管申请，经批准后方可离岗。考勤以打卡记录为准，迟到三次记警告一次。"
    "病假须提交医院证明。办公用品由行政部统一采购，各部门按需领用。会议室须提前一天预订。"
)
QUESTION = "员工每年享有年假几天？"


@pytest.fixture
def handbook(desk: Desk) -> Desk:
    """Three versions; the newest was written first."""
    desk.write("员工手册v3.md", f"员工每年享有年假15天。{BODY}加班须事先批准。\n")
    desk.write("员工手册v2.md", f"员工每年享有年假10天。{BODY}\n")
    desk.write("员工手册v1.md", f"员工每年享有年假5天。{BODY}\n")
    desk.write("访客.md", "访客须在前台登记，由接待人陪同进入园区。\n")
    desk.ingest()
    return desk


def events(desk: Desk, question: str, reply: str | None = None) -> list[Event]:
    generator = None if reply is None else FakeGenerator(reply)
    return events_of(
        question, [desk.library], embedder=desk.embedder, settings=desk.settings, generator=generator
    )


def answered(desk: Desk, question: str, reply: str | None = None) -> Answer:
    last = events(desk, question, reply)[-1]
    assert isinstance(last, AnswerFinished)
    return last.answer


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (QUESTION, "员工手册v3.md"),
        ("员工手册v1里员工每年享有年假几天？", "员工手册v1.md"),
        ("员工手册第二版规定年假几天？", "员工手册v2.md"),
        ("旧版手册里员工每年享有年假几天？", "员工手册v2.md"),
    ],
)
def test_the_newest_version_speaks_first_unless_an_older_one_is_asked_for(
    handbook: Desk, question: str, first: str
) -> None:
    found = find(question, [handbook.library], handbook.embedder, handbook.settings)
    versions = [hit.document for hit in found.hits if "手册" in hit.document]
    assert versions[0] == first
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))


def test_other_documents_keep_their_places(handbook: Desk) -> None:
    found = find("访客在哪里登记？", [handbook.library], handbook.embedder, handbook.settings)
    assert found.hits[0].document == "访客.md"


def test_the_newest_version_speaks_although_only_an_older_one_was_found(handbook: Desk) -> None:
    settings = handbook.settings.model_copy(update={"top_k": 1})
    (hit,) = find("员工每年享有年假5天", [handbook.library], handbook.embedder, settings).hits
    assert hit.document == "员工手册v3.md"


def test_an_older_version_that_says_otherwise_is_named_and_cited(handbook: Desk) -> None:
    answer = answered(handbook, QUESTION, "员工每年享有年假15天[1]。")
    assert answer.sentences[0].text == "员工每年享有年假15天。"
    cited = {citation.number: (citation.document, citation.quote) for citation in answer.citations}
    assert cited[1] == ("员工手册v3.md", "员工每年享有年假15天。")
    assert cited[2] == ("员工手册v2.md", "员工每年享有年假10天。")
    assert "旧版《员工手册v2.md》写的是：员工每年享有年假10天。[2]" in answer.text
    first = answer.versions[0]
    assert (first.document, first.newer, first.differs) == ("员工手册v2.md", "员工手册v3.md", True)
    assert first.citations == (2, 1)
    assert answer_record(answer)["versions"][0] == {
        "library": "库", "document": "员工手册v2.md", "newer": "员工手册v3.md", "differs": True,
        "citations": [2, 1],
    }  # fmt: skip


def test_a_notice_tells_of_the_difference_before_the_answer(handbook: Desk) -> None:
    found = events(handbook, QUESTION, "员工每年享有年假15天[1]。")
    notices = [
        event.params for event in found if isinstance(event, Notice) and event.code == "version_differs"
    ]
    assert notices[0] == {"document": "员工手册v2.md", "newer": "员工手册v3.md"}


def test_versions_that_say_the_same_are_noted_and_not_told(handbook: Desk) -> None:
    answer = answered(handbook, "请假须提前几天申请？", "请假须提前三天向直属主管申请[1]。")
    assert answer.versions
    assert not any(note.differs for note in answer.versions)
    assert "旧版" not in answer.text
    assert len(answer.citations) == 1


def test_an_older_version_that_was_asked_for_tells_what_the_newer_says(handbook: Desk) -> None:
    question = "员工手册v1里员工每年享有年假几天？"
    answer = answered(handbook, question, "员工每年享有年假5天[1]。")
    assert answer.citations[0].document == "员工手册v1.md"
    assert "较新的《员工手册v3.md》写的是：员工每年享有年假15天。" in answer.text


def test_versions_outside_the_chosen_documents_are_left_alone(handbook: Desk) -> None:
    last = events_of(
        QUESTION, [handbook.library], embedder=handbook.embedder,
        documents=frozenset({"员工手册v1.md", "访客.md"}),
    )[-1]  # fmt: skip
    assert isinstance(last, AnswerFinished)
    assert {hit.document for hit in last.answer.hits} <= {"员工手册v1.md", "访客.md"}
    assert last.answer.versions == ()
