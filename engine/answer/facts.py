"""The details of a sentence that can be compared with its evidence: numbers, dates, quoted names.

Everything is compared after normalisation, with thousands separators removed, Chinese numerals read as
numbers and dates in one form, so that 十年 meets 10 年 and 2024-03-01 meets 2024年3月1日.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from engine.normalise import normalise

# Without 年 only a year of our times: 1234.56 and 2345-6 are an amount and a number.
_DATE = re.compile(
    r"(?<![\d.,])(\d{4}(?=\s*年)|(?:1[89]|2[01])\d{2})\s*(?:年|[-/.])\s*(\d{1,2})"
    r"(?:\s*(?:月|[-/.])\s*(?:(\d{1,2})\s*日?)?)?(?!\d)"
)
_NUMBER = re.compile(r"((?<![\d.])\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s*([万亿]))?")
_NUMERAL = "零〇一二两三四五六七八九十百千万亿"
_CHINESE = re.compile(rf"(百分之)?([{_NUMERAL}]+(?:点[零〇一二三四五六七八九]+)?)")
# A lone numeral counts as a number only in front of a unit: 统一, 一般 and 万一 are words.
_UNIT = re.compile(
    r"(?:个|年|月|日|天|周|小时|分钟|秒|元|块|角|次|人|名|位|倍|成|级|层|章|条|款|项|页|台|件|套|份|米|千米|公里|"
    r"厘米|毫米|克|千克|公斤|吨|升|度|岁|种|类|家|期|届|号|楼|折|点)"
)
# 一个制度 and 一种方法 count nothing; 一个月 does. Nor does 统一年度, 之一 or 每一次.
_ARTICLE = re.compile(
    r"一(?:个(?!月|工作日|小时|星期|季度|自然)|[种位名项条点款类家件份台套次层度])|(?<=[统唯之同每任某逐单])一"
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
    found.extend(Fact("number", value, written) for value, written in _numbers(rest))
    for match in _QUOTED.finditer(sentence):
        found.append(Fact("name", squeezed(match.group(1)), match.group(1)))
    return found


class Held:
    """What a piece of evidence holds, asked fact by fact."""

    def __init__(self, evidence: str) -> None:
        text = normalise(evidence)
        self._text = squeezed(evidence)
        self._dates = [_date(match) for match in _DATE.finditer(text)]
        self._numbers = {value for value, _ in _numbers(text, every=True)}
        # The head of a table says 万元 once for all the bare numbers below it.
        bare = [Decimal(match[1].replace(",", "")) for match in _NUMBER.finditer(text) if not match[2]]
        for word, scale in _LARGE.items():
            if f"{word}元" in self._text:
                self._numbers.update(_plain(number * scale) for number in bare)

    def __contains__(self, fact: Fact) -> bool:
        if fact.kind == "date":
            return any(date.startswith(fact.value) for date in self._dates)
        if fact.kind == "name":
            return fact.value in self._text
        return fact.value in self._numbers


def squeezed(text: str) -> str:
    """Normalised and without blanks, for comparing wordings across line breaks."""
    return re.sub(r"\s+", "", normalise(text))


def chinese_number(text: str) -> Decimal | None:
    """The value of a Chinese numeral (十二, 三千五百, 一点五, 二〇二四), or None when it is none.

    Two digits side by side are a guess (三四个, 一两天) or a word (一一核对), not a number.
    """
    whole, _, fraction = text.partition("点")
    value: int | None
    if whole and all(c in _DIGIT for c in whole):
        guess = len(whole) == 2 and not {"零", "〇"} & set(whole)
        value = None if guess else int("".join(str(_DIGIT[c]) for c in whole))
    else:
        value = _scaled(whole)
    if value is None or not all(c in _DIGIT for c in fraction):
        return None
    return Decimal(f"{value}.{''.join(str(_DIGIT[c]) for c in fraction) or 0}")


def _numbers(text: str, *, every: bool = False) -> Iterator[tuple[str, str]]:
    """Comparable value and wording of the numbers in normalised text.

    ``every``: also numerals that are rather words than numbers, for what evidence may hold.
    """
    for match in _NUMBER.finditer(text):
        yield _plain(Decimal(match[1].replace(",", "")) * _LARGE.get(match[2], 1)), match.group()
    for match in _CHINESE.finditer(text):
        percent, numeral = match.groups()
        if text[match.start() - 1 : match.start()].isdigit() and numeral[0] in _LARGE:
            continue  # the 万 of 3万
        is_number = len(numeral) > 1 and not set(numeral) <= {*_SCALE, *_LARGE}
        if not (every or percent or is_number or _UNIT.match(text, match.end())):
            continue
        if not every and _ARTICLE.match(text, match.start(2)) and len(numeral) == 1:
            continue
        value = chinese_number(numeral)
        if value is not None:
            yield _plain(value), match.group()


def _scaled(text: str) -> int | None:
    total = section = digit = largest = 0
    for character in text:
        if character in _DIGIT:
            digit = _DIGIT[character]
        elif character in _SCALE:
            section += (digit or 1) * _SCALE[character]
            digit = 0
        elif character in _LARGE:
            if not (total or section or digit):
                return None
            scale, section = _LARGE[character], section + digit
            # 三亿五千万 adds to what stands before; 一万亿 multiplies it.
            total = (total + section) * scale if scale >= largest else total + section * scale
            largest, section, digit = scale, 0, 0
        else:
            return None
    return total + section + digit


def _date(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    if not 1 <= int(month) <= 12 or (day and not 1 <= int(day) <= 31):
        return ""
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")


def _plain(number: Decimal) -> str:
    """One form for each value: 3.50 and 3.5, 007 and 7."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
