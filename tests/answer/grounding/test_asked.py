"""An answer whose sentences hold, and which still does not say what was asked, is refused."""

import pytest

from engine.answer import grounding
from engine.answer.grounding.asked import is_answered
from engine.answers import Sentence, Verdict
from tests.builders import make_evidence, pages_of

BLAST = make_evidence(
    "10月29日，索马里首都摩加迪沙，救援人员从汽车炸弹袭击现场转移一名受伤的记者。他们无法立即确定死亡人数。",
    document="新闻.txt", title="索马里首都汽车炸弹袭击",
)  # fmt: skip


def said(*parts: tuple[str, Verdict]) -> list[Sentence]:
    return [Sentence(text, verdict) for text, verdict in parts]


def test_a_true_sentence_beside_an_answer_without_support_is_no_answer() -> None:
    answer = "救援人员从汽车炸弹袭击现场转移一名受伤的记者。因此索马里首都汽车炸弹爆炸死亡人数为35人。"
    checked = grounding.check(answer, [BLAST], pages_of, "索马里首都汽车炸弹爆炸死亡人数")
    assert [s.verdict for s in checked.sentences] == ["supported", "unsupported"]
    assert checked.refused_by == "grounding"


@pytest.mark.parametrize(
    ("question", "text", "is_one"),
    [
        ("园区的停车费是多少？", "园区的停车费由物业收取。", False),
        ("园区的停车费是多少？", "园区的停车费为每天10元。", True),
        ("园区的停车费是多少？", "园区不收停车费。", True),
        ("2022年的预算是多少？", "2022年的预算由董事会批准。", False),
        ("How many people work there?", "The people of the plant work in shifts.", False),
        ("How many people work there?", "In 2024, 820 people worked there.", True),
        ("设备有多少种，分别是什么？", "设备包括测距仪和水准仪。", True),
        ("谁批准预算？", "预算由董事会批准。", True),
    ],
)
def test_who_asks_for_a_number_is_answered_with_one(question: str, text: str, is_one: bool) -> None:
    assert is_answered(question, said((text, "supported"))) is is_one


@pytest.mark.parametrize(
    ("question", "text", "is_one"),
    [
        ("乌镇峰会举办时间", "本次大会将恢复举行乌镇峰会，采用线上线下相结合的方式。", False),
        ("乌镇峰会举办时间", "乌镇峰会于11月9日开幕。", True),
        ("2022年的大会何时开幕？", "2022年的大会由省经信厅主办。", False),
        ("2022年考研开始日期", "2022年全国硕士研究生招生考试简称2022年考研。", False),
        ("手术在什么时候进行？", "手术在入院后进行。", True),
        ("该车站在哪一年启用？", "该车站在民国九年启用。", True),
        ("When did the company open its plant?", "The company opened its plant in Ohio.", False),
        ("When did the company open its plant?", "It did so shortly after the war.", True),
        ("When many people are arrested, what is a common tactic?", "A common tactic is solidarity.", True),
        ("哪些人负责时间管理？", "由班组长负责。", True),
    ],
)
def test_who_asks_for_a_time_is_answered_with_one(question: str, text: str, is_one: bool) -> None:
    assert is_answered(question, said((text, "supported"))) is is_one


def test_how_much_of_it_may_be_said_without_a_number() -> None:
    question = "How much of southern California has been left undeveloped?"
    assert is_answered(question, said(("Vast areas of it have been left undeveloped.", "supported")))


def test_a_remark_without_support_does_not_spoil_an_answer() -> None:
    sentences = said(("秘密级数据的保密期限为10年。", "supported"), ("以上由档案室解释。", "unsupported"))
    assert is_answered("秘密级数据的保密期限是几年？", sentences)


VEHICLES = make_evidence(
    "访客车辆停放在东门外的P2停车场，前2小时免费，之后每小时4元，每天最高30元。",
    document="访客.txt", title="园区访客与安全须知",
)  # fmt: skip


def test_what_one_hour_costs_is_said_by_the_hour() -> None:
    question = "访客的车辆停车一小时收多少钱？"
    checked = grounding.check("访客的车辆停车一小时收4元。", [VEHICLES], pages_of, question)
    assert [(s.verdict, s.flags) for s in checked.sentences] == [("supported", ())]
    wrong = grounding.check("访客的车辆停车一小时收40元。", [VEHICLES], pages_of, question)
    assert wrong.refused_by == "grounding"


def test_what_is_half_supported_is_refused_where_the_model_doubted_its_evidence() -> None:
    evidence = [
        make_evidence("供应方（乙方）：岫川电子材料有限公司。", document="合同.docx", title="采购框架合同")
    ]
    answer = "采购框架合同的供应方法定代表人是岫川电子材料有限公司的销售部。"
    checked = grounding.check(answer, evidence, pages_of, "采购框架合同的供应方法定代表人是谁？")
    assert [s.verdict for s in checked.sentences] == ["partly"]
    assert (checked.refused_after(0.4), checked.refused_after(0.9)) == ("grounding", None)
    assert checked.refused_after(None) is None
    plain = grounding.check("供应方（乙方）是岫川电子材料有限公司。", evidence, pages_of)
    assert plain.is_plain and plain.refused_after(0.4) is None
