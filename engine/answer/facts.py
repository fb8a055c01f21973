"""The details of a sentence that can be compared with its evidence: numbers, dates, quoted names.

Everything is compared after normalisation, with thousands separators removed, Chinese numerals read as
numbers and dates in one form, so that 十年 meets 10 年 and 2024-03-01 meets 2024年3月1日.
"""

import re
from dataclasses import dataclass
from typing import Literal

from engine.normalise import normalise

_DATE = re.compile(r"(\d{4})\s*(?:年|[-/.])\s*(\d{1,2})(?:\s*(?:月|[-/.])\s*(?:(\d{1,2})\s*日?)?)?(?!\d)")
_NUMBER = re.compile(r"(?<![\d.])\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_CHINESE = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?")
# A lone numeral counts as a number only in front of a unit: 统一, 一般 and 万一 are words.
_UNIT = re.compile(
    r"(?:个|年|月|日|天|周|小时|分钟|秒|元|块|角|次|人|名|位|倍|成|级|层|章|条|款|项|页|台|件|套|份|米|千米|公里|"
    r"厘米|毫米|克|千克|公斤|吨|升|度|岁|种|类|家|分之|百|期|届|号|楼|折|点)"
)
_QUOTED = re.compile(r"[“\"「『《]([^“”\"「」『』《》]{2,40})[”\"」』》]")
_DIGIT = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_SCALE = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}


@dataclass(frozen=True, slots=True)
class Fact:
    """One detail: its kind, its comparable value and the text it was written as."""

    kind: Literal["number", "date", "name"]
    value: str
    text: str


def facts(sentence: str) -> list[Fact]:
    """The details of a sentence, in order of kind."""
    text = normalise(sentence)
    found: list[Fact] = []
    rest = text
    for match in _DATE.finditer(text):
        value = _date(match)
        if value:
            found.append(Fact("date", value, match.group().strip()))
            rest = rest.replace(match.group(), " ", 1)
    for match in _NUMBER.finditer(rest):
        found.append(Fact("number", _plain(match.group()), match.group()))
    for match in _CHINESE.finditer(rest):
        if len(match.group()) > 1 or _UNIT.match(rest, match.end()):
            number = chinese_number(match.group())
            if number is not None:
                found.append(Fact("number", _plain(str(number)), match.group()))
    for match in _QUOTED.finditer(sentence):
        found.append(Fact("name", squeezed(match.group(1)), match.group(1)))
    return found


class Held:
    """What a piece of evidence holds, asked fact by fact."""

    def __init__(self, evidence: str) -> None:
        text = normalise(evidence)
        self._text = squeezed(evidence)
        self._dates = [_date(match) for match in _DATE.finditer(text)]
        self._numbers = {_plain(match.group()) for match in _NUMBER.finditer(text)}
        for match in _CHINESE.finditer(text):
            value = chinese_number(match.group())
            if value is not None:
                self._numbers.add(_plain(str(value)))
        # 3万 is held by 30000 and the other way round.
        for match in re.finditer(r"(\d+(?:\.\d+)?)\s*([万亿])", text):
            self._numbers.add(_plain(str(float(match.group(1)) * _LARGE[match.group(2)])))

    def __contains__(self, fact: Fact) -> bool:
        if fact.kind == "date":
            return any(date.startswith(fact.value) for date in self._dates)
        if fact.kind == "name":
            return fact.value in self._text
        return fact.value in self._numbers


def squeezed(text: str) -> str:
    """Normalised and without blanks, for comparing wordings across line breaks."""
    return re.sub(r"\s+", "", normalise(text))


def chinese_number(text: str) -> float | None:
    """The value of a Chinese numeral (十二, 三千五百, 一点五, 二〇二四), or None when it is none."""
    whole, _, fraction = text.partition("点")
    value: float | None
    if whole and all(c in _DIGIT for c in whole):
        value = int("".join(str(_DIGIT[c]) for c in whole))
    else:
        value = _scaled(whole)
    if value is None or (fraction and not all(c in _DIGIT for c in fraction)):
        return None
    return value + float("0." + "".join(str(_DIGIT[c]) for c in fraction)) if fraction else value


def _scaled(text: str) -> int | None:
    total = section = digit = 0
    for character in text:
        if character in _DIGIT:
            digit = _DIGIT[character]
        elif character in _SCALE:
            section += (digit or 1) * _SCALE[character]
            digit = 0
        elif character in _LARGE:
            if not (total or section or digit):
                return None
            total = (total + section + digit) * _LARGE[character]
            section = digit = 0
        else:
            return None
    return total + section + digit


def _date(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    if not 1 <= int(month) <= 12 or (day and not 1 <= int(day) <= 31):
        return ""
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")


def _plain(number: str) -> str:
    text = number.replace(",", "")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.lstrip("0") or "0"
