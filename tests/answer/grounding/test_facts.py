"""Numbers, dates and quoted names, compared by value and not by how they are written."""

from decimal import Decimal

import pytest

from engine.answer.grounding.claims.numerals import chinese_number
from engine.answer.grounding.claims.quantities import Quantity
from engine.answer.grounding.facts import Held, facts


def holds(evidence: str, sentence: str) -> bool:
    found = facts(sentence)
    assert found, f"no detail in {sentence!r}"
    held = Held.of(evidence)
    return all(fact in held for fact in found)


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ("保密期限为10年。", "保密期限为十年"),
        ("保密期限为十年。", "保密期限是 10 年"),
        ("保密期限为１０年。", "保密期限为十年"),
        ("预算为30000元。", "预算为3万元"),
        ("预算为3万元。", "预算为30,000元"),
        ("预算为三万元。", "预算为3万元"),
        ("预算 3 万元。", "预算为三万元"),
        ("预算1.1万元。", "预算11000元"),
        ("预算为260万元", "预算为二百六十万元"),
        ("收入为2亿元。", "收入为20000万元"),
        ("项目 | 预算（万元）\n测距仪 | 260", "测距仪的预算为260万元"),
        ("金额为1,234.5元。", "金额为1234.50元"),
        ("金额为1234.5元。", "金额为1,234.5元"),
        ("金额共21234.5元。", "金额为21,234.5元"),
        ("自2024年3月1日起施行。", "自2024-03-01起施行"),
        ("自2024-03-01起施行。", "自2024年3月1日起施行"),
        ("自2024/3/1起施行。", "自2024年03月起施行"),
        ("自二〇二四年三月起", "自2024年起"),
        ("违约金为百分之三。", "违约金为3%"),
        ("违约金为3%。", "违约金为百分之三"),
        ("每日 0.3%", "每日0.30%"),
        ("测得一点五米。", "测得1.5米"),
        ("按照《差旅 报销\n管理办法》执行", "《差旅报销管理办法》"),
        ("The “Travel Policy” applies", '"travel policy"'),
        ("代码E05表示存储已满", "E05"),
    ],
)
def test_the_same_value_is_held_however_it_is_written(evidence: str, sentence: str) -> None:
    assert holds(evidence, sentence)


@pytest.mark.parametrize(
    ("evidence", "sentence", "kind"),
    [
        ("保密期限为10年。", "保密期限为二十年", "number"),
        ("预算为3万元。", "预算为3元", "number"),
        ("预算为3元，另付1万。", "预算为3万元", "number"),
        ("预算为30000元。", "预算为30万元", "number"),
        ("自2024年3月1日起。", "自2024-03-02起", "date"),
        ("自2024年3月起。", "自2024年3月1日起", "date"),
        ("自2024年3月1日起。", "自2023年3月起", "date"),
        ("依据《差旅办法》", "依据《内部制度》", "name"),
        ("测得1.5米", "测得15米", "number"),
        ("始建于1994年", "含氧1994%", "number"),
        ("1994年有1200人", "有1994人", "number"),
    ],
)
def test_another_value_is_not_held(evidence: str, sentence: str, kind: str) -> None:
    lacking = [fact for fact in facts(sentence) if fact not in Held.of(evidence)]
    assert [fact.kind for fact in lacking] == [kind]


@pytest.mark.parametrize(
    "sentence",
    [
        "统一管理，一般不予批准。",
        "百分号写在数字后面。",
        "这是一个重要的制度。",
        "这是一种方法，也是一项规定。",
        "万一发生争议，应进一步协商。",
        "千万不要复制。",
        "逐条一一核对。",
        "等三四个部门。",
        "每一年都统一年度安排。",
        "十分重要。",
        "这是唯一、之一。",
    ],
)
def test_words_that_only_look_like_numbers_are_none(sentence: str) -> None:
    assert facts(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("一个月内", "1"),
        ("为期一年", "1"),
        ("两周内", "2"),
        ("一万元", "10000"),
        ("二十四个月", "24"),
        ("五百元", "500"),
    ],
)
def test_short_numerals_in_front_of_a_unit_are_numbers(sentence: str, value: str) -> None:
    (fact,) = facts(sentence)
    assert isinstance(fact.value, Quantity)
    assert (fact.kind, fact.value.value) == ("number", Decimal(value))


@pytest.mark.parametrize(
    ("sentence", "number"), [("共1234.56元", "1234.56"), ("共21234.5元", "21234.5"), ("编号2345-6", "2345")]
)
def test_amounts_are_not_taken_for_dates(sentence: str, number: str) -> None:
    found = facts(sentence)
    assert {fact.kind for fact in found} == {"number"}
    assert isinstance(found[0].value, Quantity)
    assert found[0].value.value == Decimal(number)


@pytest.mark.parametrize("text", ["2024年13月", "2024-00-10", "2024年2月32日"])
def test_an_impossible_date_is_no_date(text: str) -> None:
    assert "date" not in {fact.kind for fact in facts(text)}


def test_a_fact_keeps_the_text_it_was_written_as_and_its_place() -> None:
    sentence = "按《报销办法》在十年内付１,２３４.５元，自2024年3月1日起"
    found = facts(sentence)
    assert [fact.text for fact in found] == ["报销办法", "十", "１,２３４.５", "2024年3月1日"]
    assert [sentence[fact.start : fact.end] for fact in found] == [fact.text for fact in found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", "10"),
        ("十二", "12"),
        ("二十", "20"),
        ("一百零五", "105"),
        ("三千五百", "3500"),
        ("一万二千", "12000"),
        ("二百六十万", "2600000"),
        ("三亿五千万", "350000000"),
        ("一万亿", "1000000000000"),
        ("二〇二四", "2024"),
        ("一点五", "1.5"),
        ("两", "2"),
    ],
)
def test_chinese_numerals_have_their_value(text: str, value: str) -> None:
    assert chinese_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["万", "亿", "三四", "甲", ""])
def test_what_is_no_numeral_has_none(text: str) -> None:
    assert chinese_number(text) in (None, 0)
