"""Refusals: the sentence, its language, and how a model's own refusal is noticed."""

import pytest

from engine.answer.refusal import SENTENCE, SENTENCE_EN, is_refusal, refuse
from engine.answers import Answer, Citation, Sentence
from tests.builders import make_hit


def draft(question: str) -> Answer:
    hit = make_hit("期限为六年。")
    citation = Citation(1, "制度", "制度.pdf", 1, None, None, (), (), "期限", "期限", hit.chunk, 1)
    return Answer(
        question,
        "已批准[1]",
        False,
        None,
        (Sentence("已批准", "supported", (1,)),),
        (citation,),
        (hit,),
        None,
    )


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("保密期限是几年？", SENTENCE),
        ("What is the 保密期限?", SENTENCE),
        ("How long is the term?", SENTENCE_EN),
        ("E05?", SENTENCE),
    ],
)
def test_a_refusal_is_said_in_the_questions_language_and_cites_nothing(question: str, sentence: str) -> None:
    answer = refuse(draft(question), "gate")
    assert (answer.text, answer.refused, answer.refused_by) == (sentence, True, "gate")
    assert (answer.sentences, answer.citations) == ((), ())
    assert answer.nearest == answer.hits != ()


def test_the_sentence_is_the_agreed_one() -> None:
    assert SENTENCE == "证据不足，无法根据当前知识库回答该问题。"


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        SENTENCE_EN,
        "资料中没有提到股票代码。",
        "资料 未提供 这一比例",
        "The documents do not mention the CEO.",
        "There is no information about that.",
    ],
)
def test_a_models_own_refusal_is_noticed(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text", ["保密期限为六年。", "未经批准不得复制。", "The warranty covers nine months."]
)
def test_a_statement_is_no_refusal(text: str) -> None:
    assert not is_refusal(text)
