"""How many things a sentence lists, to compare with the number that it gives of them."""

import re

_OPENS = re.compile(
    r"[:：]|(?:分别)?(?:是|为|有|包括)(?=[^，,。]{1,40}、)|\bincluding\b|\bnamely\b|\bare\b", re.I
)
_ENDS = re.compile(r"[。；;！？!?]|\.(?=\s|$)")
_OF_CHINESE = re.compile(
    r"[、，,]\s*(?:以及|和|及|与)?|以及|(?<=[\u3400-\u9fff）)])[和及与](?=[\u3400-\u9fff])"
)
_OF_ENGLISH = re.compile(r",\s*(?:and\s+|or\s+)?|\s+and\s+")
_HAN = re.compile(r"[\u3400-\u9fff]")

LONGEST = 1000
"""Characters of a list."""


def length(behind: str) -> int:
    """The number of things listed in what stands behind a number; 0 where no list follows.

    有三份证据：银行流水、证人证言和合同 lists three; of 三份证据很充分 nothing is listed.
    """
    opened = _OPENS.search(behind[:LONGEST])
    if opened is None or _ENDS.search(behind, 0, opened.start()):
        return 0
    ended = _ENDS.search(behind, opened.end())
    listed = behind[opened.end() : min(ended.start() if ended else len(behind), opened.end() + LONGEST)]
    between = _OF_CHINESE if _HAN.search(listed) else _OF_ENGLISH
    things = [thing for thing in between.split(listed) if thing.strip()]
    return len(things) if len(things) > 1 else 0
