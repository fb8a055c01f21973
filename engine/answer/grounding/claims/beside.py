"""The word that stands right beside a number or date: 创立 of 创立于1878年 and of 1878年创立.

What the words around a detail leave open it often decides: a passage about one subject says its name with
every date, and what happened then only beside the date.
"""

import re
from collections.abc import Iterable, Iterator

_LINKS = "于在为是至到从自由达共约的了、:： "
_HAN_WORD = re.compile(r"[\u3400-\u9fff]{2}")
_NEAR = r"[^,;。、\d]{0,3}?"


def is_said_of(detail: str, before: str, after: str, holding: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a text that holds a detail has the word beside it that stands beside it in a statement, and no
    other text has this word beside another number.

    All is normalised; ``before`` and ``after`` are the statement on either side of the detail.
    """
    holding, others = tuple(holding), tuple(others)
    return any(
        any(_has_beside(text, word, re.escape(detail)) for text in holding)
        and not any(_has_beside(text, word, r"\d") for text in others)
        for word in _words(before, after)
    )


def _words(before: str, after: str) -> Iterator[str]:
    left, right = before.rstrip(_LINKS)[-2:], after.lstrip(_LINKS)[:2]
    yield from (word for word in (left, right) if _HAN_WORD.fullmatch(word))


def _has_beside(text: str, word: str, detail: str) -> bool:
    number = r"[\d年月日.]*"
    return bool(
        re.search(rf"{word}{_NEAR}{detail}", text) or re.search(rf"{detail}{number}{_NEAR}{word}", text)
    )
