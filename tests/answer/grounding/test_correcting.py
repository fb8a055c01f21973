"""Where a detail was taken from the sentence beside, the source is shown; never for other mistakes."""

import pytest

from engine.answer import grounding
from engine.answer.grounding import correcting
from engine.answer.grounding.checked import Checked
from tests.builders import make_evidence, pages_of

PASSAGE = make_evidence(
    "1972年9月，他与日本首相会谈，签署两国联合声明。1972年5月，周恩来被查明罹患膀胱癌，其仍然带病工作。"
    "2021年，公司通过工艺创新降低了废物的产生。该部门共有专职司机12人，兼职司机35人。",
    document="人物.pdf", title="人物与公司",
)  # fmt: skip


def corrected(question: str, answer: str) -> Checked:
    checked = grounding.check(answer, [PASSAGE], pages_of, question)
    assert checked.refused_by == "grounding", "nothing to correct"
    return correcting.in_the_words_of_the_source(checked, [PASSAGE], pages_of, question)


@pytest.mark.parametrize(
    ("question", "answer", "quote"),
    [
        (
            "周恩来何时被查明罹患膀胱癌？",
            "周恩来在1972年9月被查明罹患膀胱癌。",
            "1972年5月，周恩来被查明罹患膀胱癌",
        ),
        ("该部门有多少专职司机？", "该部门共有专职司机35人。", "该部门共有专职司机12人"),
    ],
)
def test_the_source_takes_the_place_of_a_sentence_with_a_wrong_detail(
    question: str, answer: str, quote: str
) -> None:
    found = corrected(question, answer)
    assert found.refused_by is None
    assert found.text.startswith(f"资料原文：“{quote}") and found.text.endswith("”[1]")
    assert quote in found.citations[0].quote


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The year is the question's own: the document speaks of another one.
        ("公司2019年通过什么降低了废物的产生？", "公司2019年通过工艺创新降低了废物的产生。"),
        # Hardly anything of it is there.
        ("公司有多少台服务器？", "公司机房里一共有640台服务器。"),
        # A name is no detail that could have been misread.
        ("谁与日本首相会谈？", "毛泽东与日本首相会谈，签署两国联合声明。"),
        # What stands there does not say how many.
        ("周恩来仍然带病工作了多少天？", "周恩来仍然带病工作了88天。"),
    ],
)
def test_what_the_documents_do_not_answer_stays_refused(question: str, answer: str) -> None:
    assert corrected(question, answer).refused_by == "grounding"


def test_an_answer_with_support_is_left_as_it_is() -> None:
    checked = grounding.check("1972年5月，周恩来被查明罹患膀胱癌。", [PASSAGE], pages_of, "周恩来何时患癌？")
    assert correcting.in_the_words_of_the_source(checked, [PASSAGE], pages_of, "周恩来何时患癌？") is checked
