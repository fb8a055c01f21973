"""Saying that the documents do not hold the answer, and noticing when a model says so."""

from dataclasses import replace

from engine.answer.prompting import is_chinese
from engine.documents import Answer, RefusedBy

SENTENCE = "证据不足，无法根据当前知识库回答该问题。"
SENTENCE_EN = "The documents do not hold enough evidence to answer this question."

_PHRASES = (
    *("证据不足", "未找到", "没有找到", "无法回答", "无法根据", "无法确定", "没有提到", "没有提及", "未提及"),
    *("未提到", "没有说明", "未说明", "没有相关", "无相关", "没有给出", "未给出", "没有提供", "未提供"),
    *(
        "没有明确",
        "未明确",
        "没有写明",
        "未写明",
        "notenoughevidence",
        "donothold",
        "donotsay",
        "doesnotsay",
        "doesnotmention",
        "donotmention",
    ),
    *("notmentioned", "noinformation", "cannotbeanswered", "doesnotprovide", "donotprovide"),
    *("notprovided", "doesnotspecify", "notspecified", "cannotanswer"),
)


def is_refusal(sentence: str) -> bool:
    """Whether a sentence of the model says that the evidence does not hold the answer."""
    text = "".join(sentence.split()).lower()
    return any(phrase in text for phrase in _PHRASES)


def refuse(answer: Answer, by: RefusedBy) -> Answer:
    """``answer`` as a refusal: no citation, and the passages found as the nearest ones."""
    return replace(
        answer,
        text=SENTENCE if is_chinese(answer.question) else SENTENCE_EN,
        refused=True,
        refused_by=by,
        sentences=(),
        citations=(),
        nearest=answer.hits,
    )
