"""Citation marks as models write them: [1], 【1】, [1,2], [1-3], [资料 1]; a bare （1） is a list number."""

import re

_MARK = re.compile(
    r"[\[【]\s*(?:资料|证据|来源|source|evidence)?\s*(\d{1,2}(?:\s*[,，、;；\-–~至]\s*\d{1,2})*)\s*[\]】]",
    re.I,
)
_NAMED = re.compile(
    r"[（(]\s*(?:资料|证据|来源|source|evidence)\s*(\d{1,2}(?:\s*[,，、]\s*\d{1,2})*)\s*[）)]", re.I
)


def read(sentence: str) -> tuple[str, tuple[int, ...]]:
    """The sentence without its marks, and the numbers they named in order."""
    numbers: dict[int, None] = {}

    def take(match: re.Match[str]) -> str:
        for number in _numbers(match.group(1)):
            numbers.setdefault(number)
        return ""

    text = _NAMED.sub(take, _MARK.sub(take, sentence))
    # What is left of "…十年 [1] 。" is "…十年  。": no blank belongs before Chinese punctuation.
    text = re.sub(r"\s+(?=[。！？；，,.;!?]|$)", "", re.sub(r"[ \t]{2,}", " ", text)).strip()
    return text, tuple(numbers)


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in re.split(r"[,，、;；]", text):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1]:
            found.extend(range(ends[0], ends[1] + 1))
        else:
            found.extend(ends)
    return found
