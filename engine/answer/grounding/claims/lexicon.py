"""Chinese words and names, to tell which part of a sentence may be a name that nobody has heard of.

``tests/quality/answers/words.py`` makes the file and names its source. Words are filed under their CRC, as
in the gate's background: two of one key are possible and harmless (1 in 20,000).
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from resources import path

FILE = path("claims", "words.npz")

LONGEST = 6
"""Characters of a word that is looked up."""

NAME, STEPS = 128, 8
"""The bit of a flag that says name; steps of the rest for one natural logarithm of the count."""

_TOTAL = 17.9
"""Natural logarithm of all counts of the dictionary."""

_LONE = -13.0
"""What a character that stands alone costs: as a word of 130 in 60 million."""

_FUNCTION = -5.0
_FUNCTION_WORDS = frozenset(
    "的了在是和与及或而且但被把将对从到由向于为以之其该这那此各每某等也都就又还并所使让给后前中上下内外里时"
    "年月日个位名次来去有无不未没可能会要应须需得着过更最很较约近共同即若如因则"
    "哪几段句话篇文论学新旧早晚大小高低多少长短好市县区省镇乡村路街国州岛山河人家员者说做用看写作任当住称叫含按经达超逾满至起止元"
    "第时型类级种项条款章节页部分间处所场地点方面性化度率量费价款数值法案书表号名已正再曾仅只均约先另且"
)


SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏"
    "付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟申欧耿关焦"
    "俞左柳甘祝包宁尚符舒阮纪梅童凌毕单裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤穆司古卓景"
)


@dataclass(frozen=True, slots=True)
class Word:
    """``[start, end)`` of a Han run; ``kind`` unknown is a character that belongs to no word."""

    start: int
    end: int
    kind: Literal["word", "name", "function", "unknown"]


def keys(words: Sequence[str]) -> NDArray[np.uint32]:
    """What words are filed under."""
    return np.array([zlib.crc32(word.encode()) for word in words], np.uint32)


@lru_cache(maxsize=1)
def _load() -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    with np.load(FILE) as stored:
        return stored["keys"], stored["flags"]


def flags(words: Sequence[str]) -> list[int | None]:
    """The stored flag of each word; None where it is unknown."""
    known, stored = _load()
    wanted = keys(words)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return [
        int(stored[i]) if is_known else None
        for i, is_known in zip(at.tolist(), (known[at] == wanted).tolist(), strict=True)
    ]


def segment(run: str) -> Iterator[Word]:
    """The likeliest words of a run of Han characters (the product of their frequencies), in order."""
    spans = [(i, j) for i in range(len(run)) for j in range(i + 2, min(i + LONGEST, len(run)) + 1)]
    known = {
        span: flag
        for span, flag in zip(spans, flags([run[i:j] for i, j in spans]) if spans else [], strict=True)
        if flag is not None
    }
    best = [0.0] * (len(run) + 1)
    back = [0] * (len(run) + 1)
    for end in range(1, len(run) + 1):
        lone = _FUNCTION if run[end - 1] in _FUNCTION_WORDS else _LONE
        best[end], back[end] = best[end - 1] + lone, end - 1
        for start in range(max(0, end - LONGEST), end - 1):
            flag = known.get((start, end))
            if flag is not None:
                score = best[start] + (flag & (NAME - 1)) / STEPS - _TOTAL
                if score > best[end]:
                    best[end], back[end] = score, start
    cuts = [len(run)]
    while cuts[-1]:
        cuts.append(back[cuts[-1]])
    cuts.reverse()
    for start, end in pairwise(cuts):
        if end - start > 1:
            yield Word(start, end, "name" if known[start, end] & NAME else "word")
        else:
            yield Word(start, end, "function" if run[start] in _FUNCTION_WORDS else "unknown")
