from collections.abc import Generator as Steps
from typing import Any

import pytest

from engine.answer import follow_ups
from engine.cancel import CancelToken
from engine.steps import finish
from tests.fakes import FakeGenerator


@pytest.mark.parametrize(
    ("previous", "question", "expected"),
    [
        ("年假有几天？", "那病假呢？", "病假有几天？"),
        ("年假有几天？", "病假呢", "病假有几天？"),
        ("一线城市的住宿费限额是多少", "那二线城市呢？", "二线城市的住宿费限额是多少？"),
        ("秘密级数据的保密期限是几年？", "那么机密级数据呢？", "机密级数据的保密期限是几年？"),
        ("差旅报销要几天内提交", "那采购呢？", "采购要几天内提交？"),
        ("采购合同的违约金是多少？", "它的有效期呢", "采购合同的有效期？"),
        ("采购合同的违约金是多少？", "该合同的有效期是多久？", "采购合同的有效期是多久？"),
        ("请问报销单由谁审批？", "什么时候提交", "报销单什么时候提交？"),
        ("什么是年假？", "需要提前几天申请？", "年假需要提前几天申请？"),
        ("年假可以顺延吗？", "最多几天？", "年假最多几天？"),
        ("How many days of annual leave do I get?", "what about sick leave?",
         "How many days of sick leave do I get?"),
        ("How long is the warranty of the battery?", "and the charger?",
         "How long is the warranty of the charger?"),
        ("What is the penalty of the purchase contract?", "How long is it valid?",
         "How long is the purchase contract valid?"),
        ("When does the lease expire?", "And the second one?", "When does the second lease expire?"),
    ],
)  # fmt: skip
def test_a_follow_up_is_said_in_full(previous: str, question: str, expected: str) -> None:
    assert follow_ups.rewritten(question, previous) == expected


@pytest.mark.parametrize(
    "question",
    [
        "公司有多少名员工？",
        "访客在哪里登记？",
        "员工在什么情况下可以申请病假并保留全部工资待遇以及其他各种福利呢？",
        "How many employees does the company have?",
        "？！",
        "",
        "😀",
    ],
)
def test_a_question_that_stands_alone_stays_as_it_is(question: str) -> None:
    assert follow_ups.rewritten(question, "年假有几天？") is None


@pytest.mark.parametrize("previous", ["", "？", "它呢？", "的"])
def test_nothing_is_taken_from_a_question_without_a_subject(previous: str) -> None:
    assert follow_ups.rewritten("怎么申请？", previous) is None


def by_model(question: str, reply: str) -> tuple[str | None, FakeGenerator]:
    generator = FakeGenerator(reply)
    steps: Steps[None, None, Any] = follow_ups.by_model(question, "它呢？", generator, CancelToken())
    return finish(steps), generator


def test_a_model_may_say_it_when_it_keeps_the_words_of_the_question() -> None:
    found, generator = by_model("那病假呢？", "病假有几天？\n因为……")
    assert found == "病假有几天？"
    assert "那病假呢" in generator.prompts[0][1]["content"]


@pytest.mark.parametrize("reply", ["年假有几天？", "", "病假" + "很长" * 200])
def test_what_a_model_makes_up_is_not_used(reply: str) -> None:
    assert by_model("那病假呢？", reply or "\n")[0] is None


def test_a_question_that_does_not_fit_beside_the_one_before_is_left_as_it_is() -> None:
    generator = FakeGenerator("病假有几天？", context_length=1024)
    steps: Steps[None, None, Any] = follow_ups.by_model("那病假呢？", "年假" * 2000, generator, CancelToken())
    assert finish(steps) is None
    assert generator.prompts == []
