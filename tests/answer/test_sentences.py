"""Sentences as spans: ends, closing marks, numbers and abbreviations that are no ends."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answer import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences.split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("期限为六年。到期解密。", ["期限为六年。", "到期解密。"]),
        ("他说：“可以。”然后走了。", ["他说：“可以。”", "然后走了。"]),
        ("期限为六年。[1]到期解密。【2】", ["期限为六年。[1]", "到期解密。【2】"]),
        ("期限为六年[1]。到期解密[2]。", ["期限为六年[1]。", "到期解密[2]。"]),
        ("Version v1.2 costs 3.5 euros. It ships.", ["Version v1.2 costs 3.5 euros.", "It ships."]),
        ("It lasts six years.[1] Then it ends.", ["It lasts six years.[1]", "Then it ends."]),
        ("真的吗？！是的", ["真的吗？！", "是的"]),
        ("第一行\n第二行\n\n第三行", ["第一行", "第二行", "第三行"]),
        ("甲；乙；丙", ["甲；", "乙；", "丙"]),
        ("1. 访客须登记。\n2. 须陪同。", ["1. 访客须登记。", "2. 须陪同。"]),
        ("The answer is 3. It ends.", ["The answer is 3.", "It ends."]),
        ("  前后有空白。  \n", ["前后有空白。"]),
        ("hugh l. dryden met dr. smith. he left.", ["hugh l. dryden met dr. smith.", "he left."]),
        ("Vitamin C. The rest.", ["Vitamin C. The rest."]),
        ("Dr. J. Smith of Acme Inc. was paid. He left.", ["Dr. J. Smith of Acme Inc. was paid.", "He left."]),
        ("He joined Acme Inc. The firm grew.", ["He joined Acme Inc.", "The firm grew."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_they_end(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@settings(deadline=None)
@given(st.text(alphabet="甲乙 。！.!?;\n[1]“”3ab", max_size=60))
def test_spans_lose_nothing_but_blanks_and_never_overlap(text: str) -> None:
    spans = list(sentences.split(text))
    assert all(a_end <= b_start for (_, a_end), (b_start, _) in pairwise(spans))
    assert "".join("".join(split(text)).split()) == "".join(text.split())
    assert all(piece == piece.strip() and piece for piece in split(text))
