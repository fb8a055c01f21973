"""Dates in all their forms, compared field by field: 2024年3月1日, 2024-03-01, 1 March 2024, 3月1日."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_CHINESE_DIGITS = "零〇一二三四五六七八九"
_YEAR_WORDS = str.maketrans(_CHINESE_DIGITS, "00123456789")
_SMALL = {
    **{word: value for value, word in enumerate("零一二三四五六七八九十")},
    **{f"十{word}": 10 + value for value, word in enumerate("一二三四五六七八九", start=1)},
    **{f"二十{word}": 20 + value for value, word in enumerate("一二三四五六七八九", start=1)},
    "二十": 20, "三十": 30, "三十一": 31, "元": 1, "正": 1, "廿": 20,
    **{f"廿{word}": 20 + value for value, word in enumerate("一二三四五六七八九", start=1)},
}  # fmt: skip
_MONTHS = [
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
]  # fmt: skip
_MONTH = {name: at for at, name in enumerate(_MONTHS, 1)} | {
    name[:3]: at for at, name in enumerate(_MONTHS, 1)
}
_MONTH["sept"] = 9
_MONTH_WORD = rf"({'|'.join(sorted(_MONTH, key=len, reverse=True))})\.?"
_N = r"(\d{1,2}|[一二三四五六七八九十廿]{1,3}|元|正)"

_NOT_BEFORE_MONTH = rf"(?<![\d年个{_CHINESE_DIGITS}十])"
_NO_NUMBER = r"(?<!\d)(?<!\d[.,/-])"
_PATTERNS = tuple(
    (form, re.compile(pattern))
    for form, pattern in (
        # 2024年3月1日, 二〇二四年三月一日; also only the year.
        ("ymd",
         rf"(?<!\d)(\d{{4}}|[{_CHINESE_DIGITS}]{{4}}|[12][{_CHINESE_DIGITS}\d]{{3}})\s*年(?!代|间隔)"
         rf"(?:\s*{_N}\s*月(?:份|(?:\s*{_N}\s*[日号])?))?"),
        # Without 年 only a year of our times: 1234.56 and 2345-6 are an amount and a number.
        ("ymd",
         rf"{_NO_NUMBER}((?:1[89]|2[01])\d{{2}})\s*[-/.]\s*(\d{{1,2}})(?:\s*[-/.]\s*(\d{{1,2}}))?"
         r"(?![\d.]*\d)"),
        ("ymd", rf"{_NO_NUMBER}(\d{{4}})(?:-(?=\d+-)|/(?=\d+/))(\d{{1,2}})[-/](\d{{1,2}})(?![-/\d.]*\d)"),
        ("dmy",
         rf"{_NO_NUMBER}(\d{{1,2}})(?:(?:st|nd|rd|th),?)?(?:\s+(?:day\s+)?of)?\s+{_MONTH_WORD},?(?:\s+of)?"
         r"(?:\s+(\d{4}))?(?![\w])"),
        ("mdy",
         rf"(?<![a-z]){_MONTH_WORD}(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?,?(?:\s+(?:of\s+)?(\d{{4}}))?"
         r"(?![\w])"),
        ("m", rf"(?<![a-z])(?:in|by|during|since|until|from)\s+{_MONTH_WORD}(?![\w])"),
        ("md", rf"{_NOT_BEFORE_MONTH}{_N}\s*月(?:份|\s*{_N}\s*[日号])"),
        # 10·29爆炸: events are named so.
        ("md", r"(?<![\d·.])(\d{1,2})·(\d{1,2})(?![\d·.])(?=[\u3400-\u9fff])"),
        ("md", rf"{_NOT_BEFORE_MONTH}(\d{{1,2}}|十[一二]|[一二三四五六七八九十])\s*月(?![球亮])"),
        ("y",
         rf"{_NO_NUMBER}(?<![$€£])((?:1[5-9]|20)\d{{2}})"
         r"(?![-/\d.,%]*\d|\s*(?:%|万|亿|元|个|人|名|米|年))"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as far as it is said; None is what was left out. ``start`` to ``end`` is its place."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    def within(self, other: "Moment") -> bool:
        """Whether ``other`` says at least as much and nothing else: 2024年3月 is within 2024年3月1日."""
        mine = (self.year, self.month, self.day)
        return all(
            a is None or a == b for a, b in zip(mine, (other.year, other.month, other.day), strict=True)
        )


def dates(normal: str) -> list[Moment]:
    """The dates of a normalised text, in order.

    五月 alone is one; may is none without a day, a year or a word in front (in May).
    """
    found: list[Moment] = []
    for form, pattern in _PATTERNS:
        for match in pattern.finditer(normal):
            start, end = match.span()
            if any(start < known.end and known.start < end for known in found):
                continue
            if (moment := _moment(form, match)) is not None:
                found.append(moment)
    return sorted(found, key=lambda moment: moment.start)


def in_context(moments: Sequence[Moment], year: int | None = None) -> Iterator[Moment]:
    """Each date with the year of the one before it where it names none; ``year`` is that of the first."""
    for moment in moments:
        year = moment.year or year
        yield moment if moment.year else replace(moment, year=year)


def _moment(form: str, match: re.Match[str]) -> Moment | None:
    start, end = match.span()
    groups = match.groups()
    if form == "y":
        return Moment(int(groups[0]), None, None, start, end)
    if form == "m":
        return Moment(None, _MONTH[groups[0]], None, match.start(1), match.end(1))
    if form in ("mdy", "dmy"):
        day, month = (groups[1], groups[0]) if form == "mdy" else (groups[0], groups[1])
        if day is None and groups[2] is None:
            return None
        return _valid(groups[2] and int(groups[2]), _MONTH[month], day and int(day), start, end)
    if form == "md":
        return _valid(None, _small(groups[0]), _small(groups[1]) if len(groups) > 1 else None, start, end)
    return _valid(int(groups[0].translate(_YEAR_WORDS)), _small(groups[1]), _small(groups[2]), start, end)


def _valid(
    year: int | str | None, month: int | None, day: int | str | None, start: int, end: int
) -> Moment | None:
    if (month is not None and not 1 <= month <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return Moment(int(year) if year else None, month, int(day) if day else None, start, end)


def _small(text: str | None) -> int | None:
    if text is None:
        return None
    return int(text) if text.isdecimal() else _SMALL.get(text, 0)
