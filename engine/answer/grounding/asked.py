"""Whether what is left of an answer answers its question: with a number or a time where one is asked for, and
in the sentence that speaks of what was asked.

"The blast wounded a reporter. So the number of dead is 1." is no answer once its second sentence has no
support, although the first one is true.
"""

import re
from collections.abc import Sequence

from engine.answer.gate.missing import named
from engine.answer.grounding.claims import terms
from engine.answer.grounding.claims.dates import dates
from engine.answer.grounding.claims.quantities import quantities
from engine.answers import Sentence
from engine.normalise import normalise

SPEAKS, MORE = 0.6, 0.25
"""Share of the question's words from which a sentence speaks of what was asked, and how much more it must
hold than every other one to be the answer."""

_HOW_MANY = re.compile(
    r"多少|百分之几|几(?=[个個天年月日次人位名种種条條项項岁歲点點层層级級届倍元块分秒页章款])|"
    r"\bhow (?:many|much)\b|\bwhat (?:percentage|proportion|number|share)\b"
)
_WHEN = re.compile(
    r"什[么麼]时[候间間]|什[么麼]時[候間]|何[时時]|哪一?[年天日月]|(?<!长)(?<!長)(?:时间|時間|日期)(?:是|为|為)?[?？]?$|"
    r"^(?:in |on |at |by |from |since |until )?(?:when (?:did|was|were|is|are|does|do|will|has|had)\b|"
    r"(?:what|which) (?:year|date|day|month|time|century|decade)\b)"
)
_A_TIME = re.compile(
    r"\d{3}|\d[:：点點]|世纪|世紀|年代|[年月日号號天周週岁歲季夏秋冬春晨夜晚午朝代今昨节節战戰]|[时時]|[晚早近後后中]期|"
    r"期[间間]|以[来來]|[后後前]|\b(?:after|before|during|until|since|while|when|once|spring|summer|autumn|fall|winter|"
    r"centur(?:y|ies)|decades?|years?|months?|weeks?|days?|nights?|mornings?|noon|evenings?|late|early|mid|end|"
    r"beginning|era|age|season|period|today|now|immediately|recently|later|earlier)\b|[ap]\.?m\b"
)
_ASKS = re.compile(
    r"什[么麼]|甚麼|[谁誰]|哪|怎|如何|何[时時地处處人]|[为為]何|是否|[吗嗎]|"
    r"\b(?:what|which|who|whom|whose|when|where|why|how)\b"
)
_VAGUE = re.compile(
    r"[数數][十百千万萬亿億]|[几幾半双雙]|若干|全部|所有|[没沒]有|无|不(?:收|需|用|要)|免[费費]|"
    r"大部分|大[量多]|多[数數]|[很许許][多]|"
    r"\b(?:no|none|half|all|several|dozens|hundreds|thousands|free|few|little|much|most|many|vast|large|majority)\b"
)


def is_answered(question: str, sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence that has support is the answer; True where nobody can say."""
    good = [s.text for s in sentences if s.verdict in ("supported", "partly")]
    bad = [s.text for s in sentences if s.verdict == "unsupported"]
    if not question or not good:
        return True
    asked = normalise(question)
    if _asks_for_a_number(asked) and not any(_says_a_number(text, asked) for text in good):
        return False
    if _WHEN.search(asked) and not any(_says_a_time(text, asked) for text in good):
        return False
    best = max((_speaks(text, asked) for text in bad), default=0.0)
    return best < SPEAKS or best - max(_speaks(text, asked) for text in good) < MORE


def _asks_for_a_number(asked: str) -> bool:
    """Whether a question asks how many, and for nothing else."""
    rest, found = _HOW_MANY.subn(" ", asked)
    return bool(found) and _ASKS.search(rest) is None


def _says_a_time(text: str, asked: str) -> bool:
    """Whether a text says any time that is not one of the question's, in whatever words."""
    normal = normalise(text)
    given = dates(asked)
    for moment in dates(normal):
        if not any(moment.within(other) for other in given):
            return True
        normal = normal[: moment.start] + " " * (moment.end - moment.start) + normal[moment.end :]
    return any(
        normal[max(0, match.start() - 1) : match.end() + 2] not in asked for match in _A_TIME.finditer(normal)
    )


def _says_a_number(text: str, asked: str) -> bool:
    normal = normalise(text)
    given = quantities(asked, every=True)
    moments = dates(normal)
    return _VAGUE.search(normal) is not None or any(
        not any(each.same(other) for other in given)
        and not any(m.start <= each.start < m.end for m in moments)
        for each in quantities(normal, every=True)
    )


def _speaks(text: str, asked: str) -> float:
    """The share of the question's words that a sentence holds, each by its weight."""
    return terms.share_held(terms.weighted(named(asked)), text)
