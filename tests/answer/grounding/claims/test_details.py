"""Each kind of detail read from text: quantities with units, dates, names, and what only looks like one."""

from decimal import Decimal

import pytest

from engine.answer.grounding.claims.dates import dates
from engine.answer.grounding.claims.lexicon import segment
from engine.answer.grounding.claims.names import names
from engine.answer.grounding.claims.numerals import chinese_number
from engine.answer.grounding.claims.quantities import quantities
from engine.normalise import normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5公里", "5000米"),
        ("1年", "12个月"),
        ("2小时", "120分钟"),
        ("3公斤", "3千克"),
        ("百分之五", "5%"),
        ("千分之三", "3‰"),
        ("1.5亿元", "15,000万元"),
        ("壹佰贰拾元", "120元"),
        ("20 ℃", "20摄氏度"),
        ("廿五天", "25日"),
        ("$5 million", "$5,000,000"),
        ("twenty-five percent", "25%"),
        ("10位", "10名"),
    ],
)
def test_the_same_quantity_in_another_form_is_the_same(one: str, other: str) -> None:
    (first,), (second,) = quantities(normalise(one)), quantities(normalise(other))
    assert first.same(second) and second.same(first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5公里", "5米"),
        ("5%", "5‰"),
        ("10年", "10个月"),
        ("3万元", "3元"),
        ("100元", "100美元"),
        ("10天", "10个工作日"),
        ("64亿元", "64亿万元"),
    ],
)
def test_the_same_number_with_another_unit_is_another_quantity(one: str, other: str) -> None:
    (first,), (second,) = quantities(normalise(one)), quantities(normalise(other))
    assert not first.same(second)


def test_a_number_without_a_unit_equals_one_with_any() -> None:
    (bare,), (years,) = quantities("10"), quantities("10年")
    assert bare.same(years) and years.same(bare)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024年3月1日", (2024, 3, 1)),
        ("，2024-03-01起", (2024, 3, 1)),
        ("1549/8/15", (1549, 8, 15)),
        ("二〇二四年三月一日", (2024, 3, 1)),
        ("二零零八年", (2008, None, None)),
        ("3月1日", (None, 3, 1)),
        ("March 1, 2024", (2024, 3, 1)),
        ("1st of March 2024", (2024, 3, 1)),
        ("In May, it", (None, 5, None)),
        ("since 1998", (1998, None, None)),
    ],
)
def test_a_date_is_read_in_every_form(text: str, expected: tuple[int | None, ...]) -> None:
    (moment,) = dates(normalise(text))
    assert (moment.year, moment.month, moment.day) == expected


@pytest.mark.parametrize("text", ["you may go", "2000万元", "1,998人", "3个月", "10-12"])
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert dates(normalise(text)) == []


def test_of_a_month_more_is_said_by_its_day() -> None:
    (month,), (day,) = dates("2024年3月"), dates("2024年3月1日")
    assert month.within(day)
    assert not day.within(month)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("依据《差旅办法》和国办发〔2023〕12号办理", ["差旅办法", "国办发〔2023〕12号"]),
        ("型号HT-300符合GB/T 19001-2016", ["HT-300", "GB/T 19001-2016"]),
        ("由任天堂与颜征在开发", ["任天堂", "颜征"]),
        ("被告人李某某出庭", ["李某某"]),
        ("The firm Acme hired John Smith in May 2020.", ["Acme", "John", "Smith"]),
        ("体温36.8°C，每日15mg", []),
        ("他是某物流公司的司机", []),
        ("When Mary Roberts took over, the 82-year-old firm had a 12-month plan.", ["Mary", "Roberts"]),
    ],
)
def test_names_are_found_by_their_form_and_by_the_lexicon(statement: str, expected: list[str]) -> None:
    assert [name.text for name in names(statement, lambda piece: False)] == expected


def test_unknown_characters_that_the_evidence_holds_are_not_looked_at() -> None:
    assert names("叔梁纥来访", lambda piece: True) == []
    assert [name.text for name in names("叔梁纥来访", lambda piece: False)] == ["叔梁纥"]


def test_a_run_is_cut_into_words_without_a_gap() -> None:
    run = "公司任命了张伟担任新董事"
    words = list(segment(run))
    assert "".join(run[word.start : word.end] for word in words) == run
    assert [run[word.start : word.end] for word in words if word.kind == "unknown"] == ["张", "伟"]


@pytest.mark.parametrize(("numeral", "value"), [("一万二", "12000"), ("三百五", "350"), ("廿五", "25")])
def test_numerals_as_they_are_spoken(numeral: str, value: str) -> None:
    assert chinese_number(numeral) == Decimal(value)
