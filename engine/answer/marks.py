"""Citation marks as models write them: [1], 【1】, [1,2], [1-3], [资料 1], 根据资料 1，…

Also [^1] and, at the end of a sentence, （1）; anywhere else a bare （1） is a list number and stays.
"""

import re

_SOURCE = r"(?:资料|证据|来源|source|evidence)"
_LIST = r"\d{1,2}(?:\s*[,，、;；\-–~至和]\s*\d{1,2})*"
_MARKS = (
    re.compile(rf"[\[【]\s*\^?\s*{_SOURCE}?\s*(?:编号)?\s*({_LIST})\s*[\]】]:?", re.I),
    re.compile(rf"[（(]\s*{_SOURCE}\s*(?:编号)?\s*({_LIST})\s*[）)]", re.I),
    re.compile(rf"(?<=[\w”」』》)）%℃])\s*[（(]\s*({_LIST})\s*[）)](?=\s*[。.；;!！?？]*\s*$)"),
    # Spoken at the beginning of a sentence: 根据资料 2，…
    re.compile(rf"^(?:根据|依据|按照|参见|见)?\s*{_SOURCE}\s*({_LIST})\s*(?:中|里)?\s*[，,：:]\s*", re.I),
)
_LEAD_IN = re.compile(r"^(?:根据|依据|按照)(?:以上|上述|上面的?|所给的?)?资料(?:内容|所述)?\s*[，,：:]\s*")
_ONLY_ABOUT_MARKS = re.compile(
    rf"^[（(]?(?:依据|引用|参考|以上)?的?{_SOURCE}(?:的?编号)?(?:是|为)?[:：]?[。.）)]*$", re.I
)


def read(sentence: str) -> tuple[str, tuple[int, ...]]:
    """The sentence without its marks, and the numbers they named in order.

    A sentence that says nothing but which source was used comes back empty.
    """
    numbers: dict[int, None] = {}

    def take(match: re.Match[str]) -> str:
        for number in _numbers(match.group(1)):
            numbers.setdefault(number)
        return ""

    text = sentence.strip()
    for mark in _MARKS:
        text = mark.sub(take, text)
    text = _LEAD_IN.sub("", text)
    # What is left of "…十年 [1] 。" is "…十年  。": no blank belongs before Chinese punctuation.
    text = re.sub(r"\s+(?=[。！？；，,.;!?]|$)", "", re.sub(r"[ \t]{2,}", " ", text)).strip()
    return ("" if _ONLY_ABOUT_MARKS.match(text) else text), tuple(numbers)


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in re.split(r"[,，、;；和]", text):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1]:
            found.extend(range(ends[0], ends[1] + 1))
        else:
            found.extend(ends)
    return found
