"""Names that consist of numbers, each as one term whatever way it is written: 国办发〔2023〕12号,
GB/T 19001-2016, HT-300, 第三百二十条, 二〇二三年, 1,000,000.

Beside bigrams and words, which stay: a term for the whole is rare, so that BM25 puts the passage that holds
it first. Chinese numerals are read where they can be nothing else: between 第 and a unit of a text, and as
four digits before 年.
"""

import re
from collections.abc import Iterator

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_NUMERAL = "零〇一二三四五六七八九十百千两"

# The four bracket styles of file numbers; NFKC has made full-width ones and ﹝﹞ of them.
_FILE_NUMBER = re.compile(r"[〔\[(【]\s*(\d{4})\s*[〕\])】]\s*第?\s*(\d{1,6})\s*号")
_ARTICLE = re.compile(
    rf"第\s?(\d{{1,5}}|[{_NUMERAL}]{{1,9}})\s?([条款项章节编篇卷册回期届号])(?:之([{_NUMERAL}]|\d{{1,2}}))?"
)
_YEAR = re.compile(r"(?<![零〇一二三四五六七八九])([零〇一二三四五六七八九]{4})年")
_STANDARD = re.compile(
    r"(?<![a-z0-9])([a-z]{1,4}\d{0,2}/[a-z]{1,3}|gb|gbt|iso|iec|iso/iec|din|en|ansi|ieee|astm|jis|rfc|jgj|db|dl|yy|ga|jt)"
    r"[\s-]?(\d[\d.]*\d)(?:\s?[-—–:]\s?(\d{2,4}))?(?![\d/])"
)
_CODE = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:[-_/][a-z0-9]+)+(?![a-z0-9])")
_FISCAL_YEAR = re.compile(r"(?<![a-z0-9])(?:fy|cy)[\s-]?'?(20\d\d|\d\d)(?!\d)")
_GROUPED = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")


def designations(text: str) -> Iterator[str]:
    """The whole terms of a normalised text, in no particular order; some may come twice."""
    for year, number in _FILE_NUMBER.findall(text):
        yield f"〔{year}〕{int(number)}号"
    for numeral, unit, more in _ARTICLE.findall(text):
        if (value := number_of(numeral)) is not None:
            yield f"第{value}{unit}"
            if more and (branch := number_of(more)) is not None:
                yield f"第{value}{unit}之{branch}"
    for digits in _YEAR.findall(text):
        yield "".join(str(_DIGITS[digit]) for digit in digits)
    for series, number, year in _STANDARD.findall(text):
        yield f"{series}{number}"
        if year:
            yield f"{series}{number}-{year}"
    for code in _CODE.findall(text):
        if any(c.isdigit() for c in code) and any("a" <= c <= "z" for c in code):
            yield re.sub("[-_/]", "", code)
    for grouped in _GROUPED.findall(text):
        yield grouped.replace(",", "")


def fiscal_years(text: str) -> Iterator[str]:
    """The years of a normalised question in four digits, as reports write them: 2022 for FY2022 or FY22."""
    for year in _FISCAL_YEAR.findall(text):
        yield year if len(year) == 4 else f"20{year}"


def number_of(numeral: str) -> int | None:
    """The value of a whole number below 10,000 in digits or Chinese numerals; None for what is none.

    Both ways of saying it: 三百二十 and, digit by digit, 三二〇.
    """
    if numeral.isdecimal():
        return int(numeral)
    if not any(character in _UNITS for character in numeral):
        return int("".join(str(_DIGITS[character]) for character in numeral)) if len(numeral) < 5 else None
    value, digit, smallest = 0, 0, 10_000
    for character in numeral:
        if character in _UNITS:
            unit = _UNITS[character]
            if unit >= smallest or (not digit and value and unit > 10):
                return None
            value += (digit or 1) * unit
            digit, smallest = 0, unit
        elif digit:
            return None
        else:
            digit = _DIGITS[character]
    return value + digit
