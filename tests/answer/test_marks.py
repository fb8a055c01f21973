"""Citation marks in all the forms that models write."""

import pytest

from engine.answer import marks


@pytest.mark.parametrize(
    ("written", "text", "numbers"),
    [
        ("期限为六年[1]。", "期限为六年。", (1,)),
        ("期限为六年【1】。", "期限为六年。", (1,)),
        ("期限为六年[1,2]。", "期限为六年。", (1, 2)),
        ("期限为六年[1，3]。", "期限为六年。", (1, 3)),
        ("期限为六年[1-3]。", "期限为六年。", (1, 2, 3)),
        ("期限为六年[1–3]。", "期限为六年。", (1, 2, 3)),
        ("期限为六年[1至3]。", "期限为六年。", (1, 2, 3)),
        ("期限为六年[资料1]。", "期限为六年。", (1,)),
        ("期限为六年[资料 2]。", "期限为六年。", (2,)),
        ("期限为六年（资料2）。", "期限为六年。", (2,)),
        ("期限为六年【证据3】。", "期限为六年。", (3,)),
        ("It lasts six years [source 2].", "It lasts six years.", (2,)),
        ("期限为六年[2][1][2]。", "期限为六年。", (2, 1)),
        ("期限为六年 [1] 。", "期限为六年。", (1,)),
        ("期限为六年。[1]", "期限为六年。", (1,)),
        ("期限为六年", "期限为六年", ()),
        ("（1）期限为六年。", "（1）期限为六年。", ()),
        ("国发[2024]5号规定。", "国发[2024]5号规定。", ()),
        ("[1]", "", (1,)),
    ],
)
def test_marks_are_read_and_taken_out(written: str, text: str, numbers: tuple[int, ...]) -> None:
    assert marks.read(written) == (text, numbers)


def test_a_range_written_backwards_is_two_numbers() -> None:
    assert marks.read("甲[3-1]")[1] == (3, 1)
