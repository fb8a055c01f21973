"""Negation, direction, another name in the same place, and questions about something else."""

import pytest

from engine.answer.grounding.claims import directions, enumerations, polarity, repeated, slots, subject, terms
from engine.answer.grounding.facts import squeezed
from engine.normalise import normalise


def denies(statement: str, evidence: str) -> bool:
    return bool(list(polarity.opposed(normalise(statement), normalise(evidence))))


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("公司没有批准该项目", "公司批准该项目"),
        ("公司批准该项目", "公司没有批准该项目"),
        ("不需要经理审批", "须由经理审批，需要经理审批。"),
        ("他的编号不是007", "他的编号是007"),
        ("The plan was not approved by the board", "The plan was approved by the board"),
        ("The plan was approved by the board", "The plan was never approved by the board"),
    ],
)
def test_a_negation_that_only_one_side_has_is_seen(statement: str, evidence: str) -> None:
    assert denies(statement, evidence)


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("未经批准严禁复制", "未经批准不得复制"),
        ("公司尚未上市", "目前公司没有上市"),
        ("费用不超过500元", "费用在500元以下"),
        ("不仅提高效率", "提高效率"),
        ("The plan wasn't approved", "The plan was not approved"),
        ("访客须登记", "未登记的访客不得入内"),
    ],
)
def test_the_same_said_with_another_negation_is_no_contradiction(statement: str, evidence: str) -> None:
    assert not denies(statement, evidence)


@pytest.mark.parametrize(
    ("statement", "evidence", "opposite"),
    [
        ("收入增加", "收入减少", True),
        ("收入增长", "收入增加", False),
        ("不超过10天", "不少于10天", True),
        ("至多10天", "不超过10天", False),
        ("高于标准", "低于标准", True),
        ("减少废物，增加收入", "减少废物，增加收入", False),
        ("增加废物", "减少废物，增加收入", True),
        ("Sales increased", "Sales decreased", True),
        ("at most ten days", "no more than ten days", False),
    ],
)
def test_a_direction_is_compared_where_it_stands(statement: str, evidence: str, opposite: bool) -> None:
    found = list(directions.opposed(normalise(statement), normalise(evidence), normalise(evidence)))
    assert bool(found) == opposite


def refilled(statement: str, evidence: str) -> list[str]:
    known = squeezed(evidence)
    side = slots.Side(lambda piece: squeezed(piece) in known, lambda a, b: False)
    spans = slots.refilled(statement, evidence, side)
    return [statement[start:end] for start, end in spans]


def test_another_name_in_the_same_place_is_seen() -> None:
    assert refilled("该游戏由光荣公司开发", "该游戏由任天堂公司开发") == ["光荣"]
    assert refilled("该部门由王长华负责", "该部门由叶盛茂负责") == ["王长华"]


def test_a_name_that_is_known_from_elsewhere_is_no_other_word_for_what_stands_there() -> None:
    def found(statement: str, evidence: str, elsewhere: str) -> list[str]:
        known = squeezed(evidence + elsewhere)
        side = slots.Side(lambda piece: squeezed(piece) in known, lambda a, b: False)
        spans = slots.refilled(statement, evidence, side)
        return [statement[start:end] for start, end in spans]

    evidence = "航班因雨季降水而取消"
    assert found("航班因鞑靼海峡而取消", evidence, "鞑靼海峡在北方") == ["鞑靼海峡"]
    assert found("航班因大量雨水而取消", evidence, "大量雨水") == []
    assert found("航班因鞑靼海峡而取消", "航班因该海域而取消", "鞑靼海峡在北方") == []


def test_what_stands_for_the_name_is_no_other_name() -> None:
    assert refilled("该公司开发了游戏", "任天堂开发了游戏") == []
    assert refilled("该游戏由任天堂制作发行", "该游戏由任天堂开发发行") == []


def lacking(question: str, text: str) -> tuple[str, ...]:
    return subject.lacking(question, terms.held(text), squeezed(text))


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("额亦都一生有几位妻子？", "孔子的父亲叔梁纥先娶施氏，后娶颜征在。"),
        ("诚信消费品有限公司的收入是多少？", "建天建筑有限公司的收入为2亿元。"),
        ("商标法第五十九条的内容是什么？", "电子商务法。第五十九条　电子商务经营者应当建立便捷的投诉机制。"),
        ("When was Nafzger hired by NASA?", "The treaty was signed by France and England."),
    ],
)
def test_a_passage_about_somebody_else_lacks_the_subject(question: str, passage: str) -> None:
    assert lacking(question, passage)


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("额亦都一生有几位妻子？", "额亦都有两位妻子。"),
        ("诚信消费品公司收入多少？", "诚信消费品有限公司的收入为2亿元。"),
        ("保密期限是几年？", "秘密级数据的保密期限为10年。"),
        ("Who is de Maiziere?", "Lothar de Maizière was the last Prime Minister."),
        ("How long is it?", "保密期限为10年，自发布之日起计算。"),
        ("", "保密期限为10年。"),
    ],
)
def test_a_passage_that_speaks_of_it_has_the_subject(question: str, passage: str) -> None:
    assert lacking(question, passage) == ()


def test_a_misspelt_name_is_the_name() -> None:
    passage = "A version was taken up by Gandhi in his doctrine."
    assert lacking("What was Ghandi's doctrine called?", passage) == ()
    assert lacking("Who hired Nafzger?", passage) == ("nafzger",)


def test_a_short_form_of_a_name_is_nobody_else() -> None:
    assert not subject.is_of_another("华师大的校长是谁？", ("华师大",), "华东师范大学的校长")
    assert subject.is_of_another("额亦都一生有几位妻子？", ("额亦都", "额亦"), "孔子的父亲有三位妻子")


def test_how_many_things_are_listed() -> None:
    assert enumerations.length("份证据：银行流水、证人证言和合同。") == 3
    assert enumerations.length(" pieces of evidence: a video, a report, and a letter.") == 3
    assert enumerations.length("份证据很充分。包括：甲、乙") == 0
    assert enumerations.length("份证据很充分") == 0


@pytest.mark.parametrize(
    ("words", "question", "evidence", "is_repeated"),
    [
        ("阿根廷队", "阿根廷队第几次夺冠", "阿根廷第三次获得冠军", True),
        ("蒙特利尔被占领是在", "蒙特利尔什么时候被占领的", "1760年的占领蒙特利尔战役", True),
        ("侯景封", "侯景封了宋子仙什么职位", "侯景以宋子仙为太保", True),
        ("毕卡索", "毕卡索何时去世", "孔子的父亲", False),
        ("巴西队", "阿根廷队第几次夺冠", "巴西队五次夺冠", False),
        ("站拉杜卡努退赛", "奥克兰站拉杜卡努退赛原因", "拉杜卡努在奥克兰站扭伤脚踝，退赛", True),
        ("站拉杜卡努退赛", "奥克兰站拉杜卡努退赛原因", "纳达尔在奥克兰站扭伤脚踝", False),
        ("第968場演唱會", "第168場演唱會在哪裡", "舉辦了第168場演唱會", False),
    ],
)
def test_what_the_question_and_the_evidence_say_is_repeated(
    words: str, question: str, evidence: str, is_repeated: bool
) -> None:
    assert repeated.is_repeated(words, question, lambda piece: piece in evidence) == is_repeated


def test_a_plural_is_the_name_but_a_short_name_is_none() -> None:
    assert repeated.is_plural("sites", lambda piece: piece in "heritagesite")
    assert not repeated.is_plural("mars", lambda piece: piece in "marble")
