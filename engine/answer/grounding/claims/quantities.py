"""Numbers with their units, compared by value: 3万元 and 30,000 元, 百分之三 and 3%, 1公里 and 1,000米."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from engine.answer.grounding.claims.numerals import (
    ENGLISH,
    ENGLISH_ORDINALS,
    FINANCIAL,
    NUMERAL,
    chinese_number,
    plain,
)
from engine.answer.grounding.claims.units import NO_UNIT, UNIT, UNITS

_SCALES = {
    "万": 10**4, "亿": 10**8, "百万": 10**6, "千万": 10**7, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12,
    "十万": 10**5, "亿万": 10**12, "万万": 10**8, "十亿": 10**9, "千": 1000, "百": 100,
    "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "bn": 10**9,
}  # fmt: skip
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_DIGITS = re.compile(
    r"([$€£¥]\s*)?(?<![\d.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|\d+(?:\.\d+)?)"
    rf"(?:\s*(?:余|多|几)?\s*({_SCALE})(?![a-z]))?"
)
_CHINESE = re.compile(rf"(百分之|千分之)?(几分之)?([{NUMERAL}]+(?:点[零〇一二三四五六七八九]+)?)")
_FRACTION = re.compile(rf"([{NUMERAL}]+|\d+)\s*分之\s*([{NUMERAL}]+|\d+)")
_PERCENT_OF = re.compile(r"(百|千)分之\s*(\d+(?:\.\d+)?)")
_WORD = re.compile(
    rf"(?<![a-z-])(?:({'|'.join(ENGLISH)})(?:[-\s]({'|'.join(ENGLISH)}))?|({'|'.join(ENGLISH_ORDINALS)}))"
    r"(?![a-z])(?:[-\s](hundred|thousand|million|billion)(?![a-z]))?"
)
_CLOCK = re.compile(r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
# P2 and E05 name something; Q3 is a quarter, RMB 5 a price.
_OF_A_CODE = re.compile(r"(?<![a-z])(?:[a-pr-z]|[a-z]{2})$")
_CURRENCY = {"$": "dollars", "€": "euros", "£": "gbp", "¥": "元"}
_FINANCIAL_RUN = re.compile(rf"[{FINANCIAL}]{{2,}}|[{FINANCIAL}](?=[元圆萬万])")

# 一个制度 and 一种方法 count nothing; 一个月 does. Nor does 统一年度, 之一 or 每一次.
_ARTICLE = re.compile(
    r"一(?:个(?!月|工作日|小时|星期|季度|自然)|[种位名项条点款类家件份台套次层度座所部首批])|"
    r"(?<=[统唯之同每任某逐单进另])一"
)
_FEW = 10
_LARGE = "万亿"
_ALL_SCALES = {*"十百千万亿"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value`` is the number as written out, ``unit`` its unit's word or "".

    ``start`` to ``end`` is the number, ``unit_end`` the end of its unit, in the text it was read from.
    """

    value: Decimal
    unit: str
    start: int
    end: int
    unit_end: int

    @property
    def counts(self) -> bool:
        """Whether it says how many of a few things: 两个主义, 三项措施."""
        return bool(self.unit) and UNITS[self.unit].measures == "count" and self.value <= _FEW

    def same_number(self, other: "Quantity") -> bool:
        """Whether both say the same, apart from a unit that one of them leaves out."""
        if self.unit and other.unit and self.unit != other.unit:
            mine, others = UNITS[self.unit], UNITS[other.unit]
            if mine.measures == others.measures:
                return self.value * mine.factor == other.value * others.factor
        return self.value == other.value

    def same_measure(self, other: "Quantity") -> bool:
        """Whether the units are of one kind, or one has none."""
        if not self.unit or not other.unit:
            return True
        mine, others = UNITS[self.unit].measures, UNITS[other.unit].measures
        return mine == others or {mine, others} <= _LOOSE

    def same(self, other: "Quantity") -> bool:
        """Equal in value and kind; 3 of nothing equals 3 of anything, 1公里 equals 1,000米."""
        if self.unit and other.unit and not self.same_measure(other):
            return False
        return self.same_number(other)


_LOOSE = frozenset({"count", "floor", "level", "article", "score", "age", "times"})
"""What counts things: which word counts them depends on taste as often as on meaning."""


def quantities(normal: str, *, every: bool = False) -> list[Quantity]:
    """The numbers of a normalised text, in order.

    ``every``: also numerals that are rather words than numbers, for what evidence may hold.
    """
    text = _FINANCIAL_RUN.sub(lambda match: plain(match.group()), normal)
    taken: list[tuple[int, int]] = []
    found: list[Quantity] = []

    def add(value: Decimal, start: int, end: int, known: str | None = None) -> None:
        if any(start < taken_end and taken_start < end for taken_start, taken_end in taken):
            return
        taken.append((start, end))
        unit, unit_end = _unit(text, end)
        if known is not None:
            unit, unit_end = known, end
        found.append(Quantity(value, unit, start, end, unit_end))

    for match in _CLOCK.finditer(text):
        hours = (Decimal(match[1]) + Decimal(match[2]) / 60).quantize(Decimal("0.0001"))
        add(hours, match.start(), match.end(), "o'clock")
    for value, start, end, unit in _shares(text):
        add(value, start, end, unit)
    for match in _DIGITS.finditer(text):
        value = Decimal(match[2].replace(",", "")) * _SCALES.get(match[3] or "", 1)
        currency = _CURRENCY.get((match[1] or "").strip())
        if not match[1] and _OF_A_CODE.search(text, max(0, match.start() - 3), match.start()):
            currency = "#"
        is_alone = UNIT.match(text, match.end()) is None
        add(value, match.start(2), match.end(), currency if is_alone else None)
    for value, start, end in _numerals(text, every=every):
        add(value, start, end)
    for match in _WORD.finditer(text):
        first = ENGLISH[match[1]] if match[1] else ENGLISH_ORDINALS[match[3]]
        number = first + (ENGLISH[match[2]] if match[2] else 0)
        number *= {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}.get(
            match[4] or "", 1
        )
        if every or _counts(text, match):
            add(Decimal(number), match.start(), match.end())
    return sorted(found, key=lambda quantity: quantity.start)


def _counts(text: str, match: re.Match[str]) -> bool:
    """Whether an English number word counts: "one" and "first" are articles and adverbs as often."""
    if match[3]:
        return False
    return match[1] not in ("one", "zero") or bool(match[4]) or _unit(text, match.end())[0] != ""


def _shares(text: str) -> Iterator[tuple[Decimal, int, int, str]]:
    """百分之 before digits, and fractions."""
    for match in _PERCENT_OF.finditer(text):
        yield Decimal(match[2]), match.start(), match.end(), "%" if match[1] == "百" else "‰"
    for match in _FRACTION.finditer(text):
        parts = [Decimal(p) if p.isdecimal() else chinese_number(p) for p in match.groups()]
        if parts[0] and parts[1] is not None:
            if parts[0] in (100, 1000):
                fraction = (
                    match[2] + (re.match(r"点[零〇一二三四五六七八九]+", text[match.end() :]) or [""])[0]
                )
                value = chinese_number(fraction)
                if value is not None:
                    end = match.start(2) + len(fraction)
                    yield value, match.start(), end, "%" if parts[0] == 100 else "‰"
            else:
                yield (parts[1] / parts[0]).quantize(Decimal("0.0001")), match.start(), match.end(), ""


def _numerals(text: str, *, every: bool) -> Iterator[tuple[Decimal, int, int]]:
    for match in _CHINESE.finditer(text):
        numeral = match[3]
        before = text[match.start() - 1 : match.start()]
        if before.isdigit() and numeral[0] in _LARGE:
            continue  # the 万 of 3万
        is_number = len(numeral) > 1 and not set(numeral) <= _ALL_SCALES
        unit = _unit(text, match.end())[0]
        if unit == "分" and set(numeral) <= _ALL_SCALES:
            continue  # 十分重要, 百分号
        if not (every or before == "第" or is_number or unit):
            continue
        if not every and len(numeral) == 1 and before != "第" and _ARTICLE.match(text, match.start(3)):
            continue
        value = chinese_number(numeral)
        if value is not None:
            yield value, match.start(3), match.end()


def _unit(text: str, at: int) -> tuple[str, int]:
    match = UNIT.match(text, at)
    if match is None or NO_UNIT.match(text, match.start(1) if match[1] else match.start(2)):
        return "", at
    return match[1] or match[2], match.end()
