import pytest

from engine.index.designations import designations, fiscal_years, number_of


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十", 10), ("十二", 12), ("二十", 20), ("一百零五", 105), ("三百二十", 320), ("一千二百六十", 1260),
        ("两百", 200), ("三二〇", 320), ("二〇二三", 2023), ("7", 7), ("0320", 320), ("九千九百九十九", 9999),
        ("十百", None), ("一二十", None), ("百千", None), ("二百百", None), ("一二三四五", None),
    ],
)  # fmt: skip
def test_chinese_numerals_have_a_value_or_none(numeral: str, value: int | None) -> None:
    assert number_of(numeral) == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("第三百二十条", {"第320条"}),
        ("第 7 章", {"第7章"}),
        ("第一百条之二", {"第100条", "第100条之2"}),
        ("国办发〔2023〕012号", {"〔2023〕12号"}),
        ("db51/t 2049-2015", {"db51/t2049", "db51/t2049-2015", "db51t"}),
        ("iso 9001:2015", {"iso9001", "iso9001-2015"}),
        ("二零二三年", {"2023"}),
        ("1,000,000", {"1000000"}),
        ("see-saw", set()),
        ("第一次", set()),
        ("in 2016", set()),
        ("一二三四五年", set()),
        ("1,00", set()),
    ],
)
def test_only_names_made_of_numbers_become_terms(text: str, found: set[str]) -> None:
    assert set(designations(text)) == found


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("revenue from fy2021 to fy 2022", ["2021", "2022"]),
        ("q2 of fy23", ["2023"]),
        ("fy2022's margin", ["2022"]),
        ("fy20221", []),
        ("notify 22 people", []),
        ("in 2022", []),
    ],
)
def test_a_fiscal_year_is_looked_for_in_four_digits(question: str, years: list[str]) -> None:
    assert list(fiscal_years(question)) == years
