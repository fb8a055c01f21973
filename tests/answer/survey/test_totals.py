"""Sums over cells: by code, by unit, with the citations of what was added."""

import pytest

from engine.answer.survey.totals import quantity, totals
from engine.answers import TableRow, Total, Verdict


def row(number: int, cell: str, verdict: Verdict = "supported") -> TableRow:
    return TableRow((f"{number}.pdf", cell), (number,), verdict)


def test_amounts_are_added_however_they_are_written() -> None:
    rows = [row(1, "人民币120万元"), row(2, "800,000元"), row(3, "三千五百元"), row(4, "0.5元")]
    assert totals(rows, 1) == (Total("元", "2003500.5", (1, 2, 3, 4)),)


def test_what_measures_different_things_is_never_added() -> None:
    rows = [row(1, "100元"), row(2, "30美元"), row(3, "12个月"), row(4, "1年"), row(5, "7")]
    found = {total.unit: (total.value, total.addends) for total in totals(rows, 1)}
    assert found == {"元": ("100", (1,)), "美元": ("30", (2,)), "个月": ("24", (3, 4)), "": ("7", (5,))}


def test_rows_without_support_or_without_a_number_count_nowhere() -> None:
    rows = [row(1, "100元"), row(2, "900元", "unsupported"), row(3, "另行商定")]
    assert totals(rows, 1) == (Total("元", "100", (1,)),)


@pytest.mark.parametrize(("cell", "value", "unit"), [("第3条约定为50万元", "500000", "元"), ("5%", "5", "%")])
def test_the_number_with_a_unit_is_the_one_that_counts(cell: str, value: str, unit: str) -> None:
    found = quantity(cell)
    assert found is not None
    assert (format(found.value, "f"), found.unit) == (value, unit)
