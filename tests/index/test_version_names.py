"""What names say about versions."""

import pytest

from engine.index.version_names import read


@pytest.mark.parametrize(
    "name",
    [
        "员工手册_v2 (终稿)",
        "员工手册V2.1",
        "员工手册（修订版）",
        "员工手册 2024",
        "员工手册2024年版",
        "员工手册-2024-03-01",
        "员工手册20240301",
        "员工手册2024年3月",
        "员工手册 - 副本 (2)",
        "员工手册(1)",
        "员工手册 第三版",
        "员工手册初稿",
        "员工手册 征求意见稿",
        "员工手册 final",
        "【旧版】员工手册",
    ],
)
def test_marks_of_versions_are_taken_off(name: str) -> None:
    assert read(name).base == "员工手册"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("采购合同-甲公司", "采购合同-乙公司"),
        ("第3章", "第4章"),
        ("GB19001-2016", "GB19002-2016"),
        ("新员工手册", "员工手册"),
        ("附件1", "附件2"),
    ],
)
def test_other_names_stay_other_names(first: str, second: str) -> None:
    assert read(first).base != read(second).base


@pytest.mark.parametrize(
    ("name", "number", "day", "stage"),
    [
        ("手册v2.10", (2, 10), (), 0),
        ("手册 第十二版", (12,), (), 0),
        ("手册20240301", (), (2024, 3, 1), 0),
        ("手册2024年3月", (), (2024, 3), 0),
        ("手册2024", (), (2024,), 0),
        ("手册终稿", (), (), 2),
        ("手册修订版", (), (), 1),
        ("手册草稿", (), (), -1),
        ("旧版手册", (), (), -2),
        ("handbook draft v3", (3,), (), -1),
        ("编号20245678", (), (), 0),
    ],
)
def test_numbers_days_and_stages_are_read(
    name: str, number: tuple[int, ...], day: tuple[int, ...], stage: int
) -> None:
    found = read(name)
    assert (found.number, found.day, found.stage) == (number, day, stage)


@pytest.mark.parametrize("name", ["会议纪要2024-03-01", "2024年5月月报", "invoice 2024-05", "第一季度财报"])
def test_what_appears_again_and_again_is_a_series(name: str) -> None:
    assert read(name).is_series
