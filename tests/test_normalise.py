import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.normalise import normalise, normalise_with_offsets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＰＤＦ報告", "pdf报告"),
        ("ISO９００１", "iso9001"),
        ("（甲）：乙！", "(甲):乙!"),
        ("１２㎡ ㍿ ①", "12m2 株式会社 1"),
        ("電話號碼與員工", "电话号码与员工"),
        ("乾隆", "干隆"),  # character by character: a question and its passage come out alike
        ("e\u0301t\u00e9", "\u00e9t\u00e9"),
        ("İ", "i\u0307"),
        ("I\u0331\u0307", "i\u0331\u0307"),  # lower-casing İ puts its dot before the other mark
        ("\uf9dc", "隆"),
        ("薴", "苎"),
        ("ΟΔΟΣ", "οδοσ"),
        ("", ""),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert normalise(text) == unicodedata.normalize("NFKC", expected)


def test_every_character_is_settled_after_one_pass() -> None:
    characters = (chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    text = "\n".join(c for c in characters if c != "\n" and not unicodedata.combining(c))
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(st.sampled_from("Aé\u0301Ａ年報Σς①㍿ﷺ\n İ")), st.text(st.sampled_from("a報 Σ。")))
def test_a_words_form_does_not_depend_on_what_follows(text: str, more: str) -> None:
    assert normalise(f"{text}。{more}").startswith(normalise(f"{text}。"))


@given(st.text())
def test_offsets_point_to_where_each_character_comes_from(text: str) -> None:
    result, origin = normalise_with_offsets(text)
    assert len(result) == len(origin)
    assert origin == sorted(origin)
    assert all(0 <= place < len(text) for place in origin)


@given(st.text(st.sampled_from("aBＡé\u0301\u0327年報Σ①㍿ﷺ\n İ。ß")))
def test_offsets_belong_to_the_normalised_text(text: str) -> None:
    assert normalise_with_offsets(text)[0] == normalise(text)


def test_offsets_by_hand() -> None:
    assert normalise_with_offsets("e\u0301㍿b") == ("\u00e9株式会社b", [0, 2, 2, 2, 2, 3])
