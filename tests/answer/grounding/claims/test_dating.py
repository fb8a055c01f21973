"""Which date a number is of."""

import pytest

from engine.answer.grounding.claims.dates import dates
from engine.answer.grounding.claims.dating import datings
from engine.answer.grounding.claims.quantities import quantities
from engine.normalise import normalise


def years(text: str) -> dict[str, int | None]:
    """The year of each number of a text that is no part of a date."""
    normal = normalise(text)
    moments = dates(normal)
    numbers = [q for q in quantities(normal) if not any(m.start <= q.start < m.end for m in moments)]
    found = datings(normal, numbers, moments)
    return {
        normal[number.start : number.end]: None if dating.moment is None else dating.moment.year
        for number, dating in zip(numbers, found, strict=True)
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("营收从2023年的186亿元增至2024年的201亿元。", {"186亿": 2023, "201亿": 2024}),
        ("2021年3月收购股权60%，金额为5000万元。", {"60": 2021, "5000万": 2021}),
        ("甲项目为186万元（2023年），乙项目为201万元（2024年）。", {"186万": 2023, "201万": 2024}),
        ("营收为186万元，较2024年同期增长12%。", {"186万": None, "12": None}),
        ("2023年净利润为3.2亿元，上年为2.9亿元。", {"3.2亿": 2023, "2.9亿": None}),
        ("2022年和2023年分别为186万元和201万元。", {"186万": None, "201万": None}),
        ("Revenue rose from 186 million in 2023 to 201 in 2024.", {"186 million": 2023, "201": 2024}),
        ("In 2019 it employed 410 people, and 385 people in 2018.", {"410": 2019, "385": 2018}),
        ("Revenue was 186 million, up 12% on the same quarter of 2024.", {"186 million": None, "12": None}),
        ("员工820人。", {"820": None}),
    ],
)  # fmt: skip
def test_a_number_has_the_date_beside_it(text: str, expected: dict[str, int | None]) -> None:
    assert years(text) == expected


def test_what_is_compared_with_a_date_is_not_of_it() -> None:
    normal = normalise("营收为186万元，较2024年同期增长12%。")
    moments = dates(normal)
    (first, *_) = datings(normal, [q for q in quantities(normal) if q.unit == "元"], moments)
    assert first.is_of(moments[0]) is False
    assert first.is_of(dates("2023年")[0]) is None
