"""Saying that the documents do not hold the answer, and noticing when a model says so."""

import re
from dataclasses import replace

from engine.answer.prompting import is_chinese
from engine.answers import Answer, RefusedBy

SENTENCE = "证据不足，无法根据当前知识库回答该问题。"
SENTENCE_EN = "The documents do not hold enough evidence to answer this question."

_PHRASES = re.compile(
    "证据不足|[未没](?:有|能)?(?:找到|查到|提到|提及|说明|写明|给出|提供|明确|涉及|记载|相关)|无法(?:回答|根据|确定|得知|判断|比较)|"
    "无相关|不足以(?:回答|确定)|找不到|不知道|"
    "notenoughevidence|insufficientevidence|(?:do|does|did)(?:not|n't)(?:hold|say|mention|provide|specify|contain|state)|"
    "not(?:mentioned|provided|specified|stated|found)|noinformation|cannot(?:beanswered|answer|determine)|"
    "unabletoanswer|(?:can't|couldnot|couldn't)(?:answer|find|determine)"
)
# What a refusal speaks of: without one of these 合同未提供担保 is a statement.
_SOURCES = re.compile(
    "资料|文档|文件|证据|上下文|知识库|材料|原文|文中|片段|信息|内容|document|source|passage|evidence|context|text|information"
)
_CLAUSES = re.compile(r"[，,；;。.!！]+|但是?|不过|然而|\bbut\b|\bhowever\b", re.I)
_BARE, _ALONE = 14, 8
"""Letters and digits of a refusal that says no more than that, with what it speaks of and without."""


def is_refusal(sentence: str) -> bool:
    """Whether a sentence of the model says that the evidence does not hold the answer."""
    return bool(_PHRASES.search(_joined(sentence)))


def names_sources(sentence: str) -> bool:
    """Whether it says so of the documents, and is no statement about what stands in them."""
    text = _joined(sentence)
    return bool(_SOURCES.search(text)) or sum(c.isalnum() for c in text) <= _ALONE


def is_bare(sentence: str) -> bool:
    """Whether a refusal names nothing that is missing: 未找到。 or 资料没有写明。"""
    return is_refusal(sentence) and sum(c.isalnum() for c in sentence) <= _BARE


def beyond(sentence: str) -> str:
    """A sentence with its clauses that refuse blanked: 资料没有明确写明，但期限为十年 keeps its end."""
    characters = list(sentence)
    start = 0
    for match in [*_CLAUSES.finditer(sentence), None]:
        end = len(sentence) if match is None else match.start()
        if is_refusal(sentence[start:end]):
            characters[start:end] = " " * (end - start)
        start = end if match is None else match.end()
    return "".join(characters)


def _joined(sentence: str) -> str:
    return "".join(sentence.split()).lower().replace("’", "'")


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
