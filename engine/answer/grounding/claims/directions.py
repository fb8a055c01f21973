"""Words of comparison and direction: 高于 against 低于, 至少 against 至多, increase against decrease."""

import re
from collections.abc import Iterator

_AXES: tuple[tuple[str, str], ...] = (
    ("不低于 不少于 不小于 至少 最少 以上 起码 不早于 at-least no-less-than no-fewer-than not-less-than",
     "不超过 不高于 不多于 不大于 至多 最多 以下 以内 不晚于 不迟于 at-most no-more-than not-more-than "
     "up-to"),
    ("高于 大于 多于 超过 超出 超逾 高出 higher-than more-than greater-than above exceeds exceeded over "
     "larger-than",
     "低于 小于 少于 不足 不到 低过 lower-than less-than fewer-than below under smaller-than"),
    ("增加 增长 上升 提高 上涨 提升 增至 增多 上调 升高 扩大 增强 攀升 走高 increase increased increases "
     "increasing rise rose risen grew grown growth improved higher",
     "减少 下降 降低 下跌 下滑 减至 减低 下调 降至 缩小 减弱 缩减 走低 decrease decreased decreases "
     "decreasing fall fell fallen decline declined dropped reduction reduced lower worsened"),
    ("早于 先于 earlier-than earlier", "晚于 迟于 later-than later"),
    ("之前 以前 此前 before prior-to", "之后 以后 此后 after following"),
    ("最高 最大 最多 largest highest greatest biggest", "最低 最小 最少 smallest lowest least"),
    ("最早 earliest", "最晚 最迟 latest"),
    ("更高 更大 更多 更早 更长", "更低 更小 更少 更晚 更短"),
    ("延长 extended", "缩短 shortened"),
    ("盈利 盈余 profit", "亏损 亏蚀 loss"),
    ("同意 批准 approved agreed", "反对 否决 驳回 rejected"),
    ("允许 准许 可以 必须 应当 应该 allowed permitted must",
     "禁止 严禁 不得 不准 不许 不可以 prohibited forbidden must-not"),
    ("买入 购买 购入 收购 acquired purchased bought", "卖出 出售 售出 抛售 sold"),
)  # fmt: skip

_SIGN = {
    word.replace("-", " "): (axis, sign)
    for axis, sides in enumerate(_AXES)
    for sign, words in zip((1, -1), sides, strict=True)
    for word in words.split()
}
# 最多 and 最少 stand on two axes: with a number behind them they are limits.
_SIGN |= {"最多": (0, -1), "最少": (0, 1)}


def _pattern(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_ENGLISH = [word for word in _SIGN if word.isascii()]
_CHINESE = [word for word in _SIGN if not word.isascii()]
_WORD = re.compile(rf"({_pattern(_CHINESE)})|\b({_pattern(_ENGLISH)})\b")
_LIMITS = re.compile(r"不(?:低于|少于|小于|早于|超过|高于|多于|大于|晚于|迟于|足|到)")
_ORDER = frozenset({0, 1})
_NOT_BESIDE = re.compile(r"[\s了的,，、]+|[\d.,]+\s*[万亿]*(?:元|个|名|位|%|吨)?")
_BESIDE, _LOOKED_AT = 2, 14
"""Characters beside a word that say what it is about; characters among which they are looked for."""


def blanked(normal: str) -> str:
    """The text with the limits that hold a 不 (不超过) blanked: they deny nothing."""
    return _LIMITS.sub(lambda match: " " * len(match.group()), normal)


def opposed(statement: str, clause: str, sentence: str) -> Iterator[tuple[int, int]]:
    """Spans of words of the (normalised) statement that point the other way than the evidence.

    ``clause`` is the part of the evidence's ``sentence`` that is nearest. What stands right beside the word
    decides (减少废物 against 增加废物); where nothing of it is in the sentence, the words of the clause do.
    """
    for match in _WORD.finditer(statement):
        axis, sign = _SIGN[match.group()]
        beside = _signs_beside(statement, match, axis, sentence)
        signs = beside or _signs(clause, axis) or _signs(sentence, axis)
        if signs == {-sign}:
            yield match.span()


def _signs(text: str, axis: int) -> set[int]:
    """The directions of all words of an axis."""
    return {sign for _, sign in _on_axis(text, axis)}


def _signs_beside(statement: str, match: re.Match[str], axis: int, sentence: str) -> set[int]:
    """The directions of the words that stand beside what the statement's word stands beside."""
    before, behind = _beside(statement, match)
    found = set()
    for other, sign in _on_axis(sentence, axis):
        far, near = _beside(sentence, other)
        if (len(behind) == _BESIDE and near == behind) or (len(before) == _BESIDE and far == before):
            found.add(sign)
    return found


def _on_axis(text: str, axis: int) -> Iterator[tuple[re.Match[str], int]]:
    """The words of an axis with their directions; 至少 3年 and 超过 3年 point the same way."""
    axes = _ORDER if axis in _ORDER else {axis}
    for match in _WORD.finditer(text):
        other, sign = _SIGN[match.group()]
        if other in axes:
            yield match, sign


def _beside(text: str, match: re.Match[str]) -> tuple[str, str]:
    """What stands right before and right behind a word, two characters at most."""
    before = _NOT_BESIDE.sub("", text[max(0, match.start() - _LOOKED_AT) : match.start()])
    behind = _NOT_BESIDE.sub("", text[match.end() : match.end() + _LOOKED_AT])
    return before[-_BESIDE:], behind[:_BESIDE]
