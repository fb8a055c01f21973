"""Where a clause ends, and what a cell of a table says by its labels."""

import pytest

from engine.answer.grounding import clauses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("期限为10年，自发布之日起计算", ["期限为10年", "自发布之日起计算"]),
        ("共1,000元，12:30开会", ["共1,000元", "12:30开会"]),
        ("包括：甲、乙（丙）", ["包括", "甲", "乙", "丙"]),
        ("sales rose while costs fell", ["sales rose", "while costs fell"]),
        ("，、", []),
        ("", []),
    ],
)
def test_clauses_end_at_commas_and_joining_words_but_not_inside_numbers(
    text: str, expected: list[str]
) -> None:
    assert [text[start:end] for start, end in clauses.split(text)] == expected


def test_a_cell_says_its_row_and_its_column() -> None:
    table = clauses.Table()
    assert table.cells("设备 | 2022年 | 2023年") == ["设备 2022年 2023年"]
    assert table.cells("测距仪 | 260 | 310") == ["测距仪 2022年 260", "测距仪 2023年 310"]
    assert table.cells("备注 | 无 | 无") == ["备注 无 无"]
    assert table.is_row


def test_a_line_between_ends_a_table_and_another_width_begins_one() -> None:
    table = clauses.Table()
    table.cells("设备 | 2022年")
    assert table.cells("以下为说明。") == []
    assert not table.is_row
    assert table.cells("测距仪 | 260") == ["测距仪 260"]
    assert table.cells("品名 | 甲 | 乙") == ["品名 甲 乙"]
