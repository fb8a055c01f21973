"""Cell values of a workbook as people see them: number formats decide what a stored number means.

Dates come out as ``2024-07-15``, percentages and padded numbers as shown, names of units and currencies
stay. Thousands separators and fixed decimals do not: ``12.5`` is found and compared more easily.
"""

import math
import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

# The formats that files name by number only; 27 to 58 as Chinese Excel shows them.
_BUILT_IN = {
    9: "0%", 10: "0.00%", 14: "yyyy-m-d", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-m-d h:mm", 27: "yyyy年m月", 28: "m月d日",
    29: "m月d日", 30: "m-d-yy", 31: "yyyy年m月d日", 32: "h时mm分", 33: "h时mm分ss秒", 34: "h时mm分",
    35: "h时mm分ss秒", 36: "yyyy年m月", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 50: "yyyy年m月",
    51: "m月d日", 52: "yyyy年m月", 53: "m月d日", 54: "m月d日", 55: "h时mm分", 56: "h时mm分ss秒",
    57: "yyyy年m月", 58: "m月d日",
}  # fmt: skip
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|[\\!](?P<escaped>.)|[_*].|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<noon>AM/PM|A/P|上午/下午)|(?P<general>General|G/通用格式)|(?P<power>E[+-]0+)"
    r"|(?P<time>y+|m+|d+|h+|s+|a{3,4}|e+)|(?P<digits>[0#?][0#?.,/]*|\.0+)|(?P<percent>%)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;"\\\[])*', re.DOTALL)
_EPOCH = date(1899, 12, 30)
_SHIFT_1904 = 1462
_LAST_DAY = 2_958_465  # 9999-12-31
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What of a number format matters. ``before`` and ``after`` are its words (``¥``, ``人``)."""

    percent: int | None = None
    zeros: int = 0
    before: str = ""
    after: str = ""
    year: bool = False
    month: bool = False
    day: bool = False
    clock: bool = False
    elapsed: bool = False
    from_1904: bool = False

    def show(self, raw: str) -> str:
        """The stored number ``raw`` as text; ``raw`` itself if it is no number."""
        try:
            value = float(raw)
        except ValueError:
            return raw
        if not math.isfinite(value):
            return raw
        if self.elapsed or self.clock or self.year or self.month or self.day:
            shown = self._moment(value)
            return plain(raw) if shown is None else shown
        if self.percent is not None:
            return f"{_rounded(Decimal(repr(value)) * 100, self.percent)}%"
        if value < 0:
            return plain(raw)  # negative numbers have words of their own
        number = f"{int(value):0{self.zeros}d}" if self.zeros and value.is_integer() else plain(raw)
        return f"{self.before}{number}{self.after}"

    def _moment(self, value: float) -> str | None:
        if not 0 <= value <= _LAST_DAY:
            return None
        seconds = round(value * _DAY)
        if self.elapsed:
            return _clock(seconds)
        days, seconds = divmod(seconds, _DAY)
        if days == 0 and not (self.year or self.month or self.day):
            return _clock(seconds)
        if days == 0 and not self.from_1904:
            # No day at all: Excel shows 1900-01-00.
            return _clock(seconds) if seconds else None
        day = _day(days + _SHIFT_1904 * self.from_1904)
        if seconds:
            return f"{day} {_clock(seconds)}"
        if self.year and not self.day and not self.clock:
            return day[:7] if self.month else day[:4]
        return day


def number_format(number: int, code: str | None, *, from_1904: bool = False) -> NumberFormat | None:
    """The format with this number, or of this ``code``; None where numbers are shown as they are."""
    code = code or _BUILT_IN.get(number)
    if code is None or code in ("General", "@"):
        return None
    section = _SECTION.match(code)
    tokens = list(_TOKEN.finditer(section[0] if section else ""))
    digits = [token["digits"] for token in tokens if token["digits"]]
    if any(token["percent"] for token in tokens) and digits:
        return NumberFormat(percent=sum(map(_decimals, digits)))
    times = [token["time"].lower() for token in tokens if token["time"]]
    elapsed = any(re.fullmatch("h+|m+|s+", token["bracket"] or "", re.IGNORECASE) for token in tokens)
    if elapsed or (times and all(text.startswith(".") for text in digits)):
        return _of_times(times, elapsed=elapsed, from_1904=from_1904)
    return _of_number(tokens, digits)


def plain(raw: str) -> str:
    """A stored number without the noise of binary fractions, as Excel shows it in a wide column."""
    if raw.isdecimal() and len(raw) < 16:
        return raw
    try:
        value = float(raw)
    except ValueError:
        return raw
    if not math.isfinite(value):
        return raw
    size = abs(value)
    if value.is_integer() and size < 1e21:
        return str(int(Decimal(repr(value))))
    if size < 1e-4 or size >= 1e15:
        return f"{value:.10g}".replace("e", "E")
    whole = len(str(int(size)))
    return f"{value:.{max(2, 10 - whole)}f}".rstrip("0").rstrip(".")


def moment(text: str) -> str:
    """A date that is stored as text (ISO 8601), without a time that says nothing."""
    day, mark, clock = text.partition("T")
    clock = clock.rstrip("Z").partition(".")[0]
    if not mark:
        return text
    return day if clock in ("", "00:00", "00:00:00") else f"{day} {clock.removesuffix(':00')}"


def _of_times(times: list[str], *, elapsed: bool, from_1904: bool) -> NumberFormat | None:
    year = month = day = clock = False
    for before, token, after in zip(["", *times], times, [*times[1:], ""], strict=False):
        if token[0] in "ye":
            year = True
        elif token[0] in "da":
            day = True
        elif token[0] in "hs" or before.startswith("h") or after.startswith("s"):
            clock = True  # m is minutes behind hours and before seconds
        else:
            month = True
    return NumberFormat(year=year, month=month, day=day, clock=clock, elapsed=elapsed, from_1904=from_1904)


def _of_number(tokens: "list[re.Match[str]]", digits: list[str]) -> NumberFormat | None:
    """Words around one run of digits; other formats are not shown (thousands, fractions, conditions)."""
    if len(digits) != 1 or digits[0].endswith(",") or "/" in digits[0]:
        digits = ["" for token in tokens if token["general"]]
        if len(digits) != 1:
            return None
    before = after = ""
    seen = False
    for token in tokens:
        bracket = token["bracket"]
        if token["power"] or (bracket and bracket[0] in "<>="):
            return None
        if token["digits"] or token["general"]:
            seen = True
            continue
        word = token["quoted"] or token["escaped"] or token["other"] or token["time"] or ""
        if bracket and bracket.startswith("$"):
            word = bracket[1:].partition("-")[0]
        before, after = (before, after + word) if seen else (before + word, after)
    zeros = len(digits[0]) if digits[0].strip("0") == "" else 0
    before, after = before.lstrip(" ("), after.rstrip(" )")
    if zeros < 2 and not before and not after:
        return None
    return NumberFormat(zeros=zeros, before=before, after=after)


def _decimals(digits: str) -> int:
    return len(digits.partition(".")[2].rstrip(",")) if "." in digits else 0


def _rounded(value: Decimal, decimals: int) -> str:
    return f"{value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"


def _clock(seconds: int) -> str:
    minutes, second = divmod(seconds, 60)
    shown = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{shown}:{second:02d}" if second else shown


def _day(days: int) -> str:
    if days == 60:
        return "1900-02-29"  # a day that only Excel knows
    return (_EPOCH + timedelta(days + (days < 60))).isoformat()
