"""What a file's name says about its version: 员工手册_v2 (终稿).docx, handbook-2024-03 final.pdf, 副本.

The marks are taken off, so that versions of one document are left with one name.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from engine.normalise import normalise

_SEPARATORS = re.compile(r"[\s_\-.()\[\]【】{}+~,，、:：]+")
_NUMBER = re.compile(
    r"(?<![a-z])(?:v|ver|version|rev|版本)[\s._:-]*(\d+(?:[._]\d+)*)(?!\d)|第(\d+|十?[一二三四五六七八九]|十)[版稿]|"
    r"(?<![\d.])(\d+(?:\.\d+)+)版"
)
_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:"
    r"(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])?|"
    r"[-_./年 ]\s*(1[0-2]|0?[1-9])(?!\d)(?:[-_./月 ]\s*(3[01]|[12]\d|0?[1-9])(?!\d)日?|月)?|"
    r"年)?(?!\d)[月年]?"
)
_COPY = re.compile(r"\((\d{1,2})\)\s*$|(?<![a-z])copy\s*(\d{1,2})?(?![a-z])|(?:副本|复件|拷贝)\s*(\d{1,2})?")

_STAGES = (
    (-2, r"旧版本?|老版本?|废止|作废|归档|存档|历史版本?|备份|"
         r"(?<![a-z])(?:old|obsolete|archived?|backup)(?![a-z])"),
    (-1, r"草稿|草案|初稿|初版|征求意见稿?|讨论稿|送审稿?|报批稿|试行[版稿]?|(?<![a-z])draft(?![a-z])"),
    (2, r"定稿|终稿|终版|最终[版稿]?|正式[版稿]|发布[版稿]|(?<![a-z])final(?![a-z])"),
    (1, r"修订[版稿本]?|修正[版稿]|修改[版稿]?|更新[版稿]?|新版|最新版?|改后|"
        r"(?<![a-z])(?:revised|revision|updated|latest|new)(?![a-z])"),
)  # fmt: skip
"""What a word in the name says about how far a document had come, against a name that says nothing (0)."""

_NUMERALS = "零一二三四五六七八九十"

_WITHOUT_MEANING = re.compile(r"清洁[版稿]|盖章[版件]?|签字[版件]?|扫描[版件]|打印版|批注版?|修订标记|\bof\b")

_SERIES = re.compile(
    r"[年月周日季旬财]报|[季年]度|报表|简报|通报|工资|薪资|考勤|对账|账单|发票|收据|纪要|会议|记录|台账|流水|日志|日记|周刊|月刊|"
    r"statement|invoice|receipt|minutes|payroll|\blog|report|newsletter|diary|meeting"
)


@dataclass(frozen=True, slots=True)
class VersionName:
    """``base`` is the name without its marks. ``number`` is (2, 1) of v2.1, ``day`` (2024, 3) of 2024-03.

    ``stage`` is how far the document had come (草稿 -1, 修订 1, 终稿 2), ``copy`` the (1) that systems add.
    ``is_series``: one of many that appear one after the other, such as minutes and monthly reports.
    """

    base: str
    number: tuple[int, ...] = ()
    day: tuple[int, ...] = ()
    stage: int = 0
    copy: int = 0
    is_series: bool = False

    @property
    def has_marks(self) -> bool:
        return bool(self.number or self.day or self.stage)


@lru_cache(maxsize=20_000)
def read(text: str) -> VersionName:
    """The marks of a name without its suffix, of one component of a path, or of a title."""
    rest = normalise(text)
    is_series = _SERIES.search(rest) is not None
    number, rest = _taken(_NUMBER, rest)
    day, rest = _taken(_DAY, rest)
    copy, rest = _taken(_COPY, rest)
    stage = 0
    for value, words in _STAGES:
        rest, found = re.subn(words, " ", rest)
        if found:
            stage = value if abs(value) >= abs(stage) else stage
    base = _SEPARATORS.sub("", _WITHOUT_MEANING.sub(" ", rest)).removesuffix("版").removesuffix("稿")
    return VersionName(base, number, day, stage, copy[0] if copy else 0, is_series)


def _taken(pattern: re.Pattern[str], text: str) -> tuple[tuple[int, ...], str]:
    """The numbers of the last place where a pattern fits, and the text without any such place."""
    found: tuple[int, ...] = ()
    for match in pattern.finditer(text):
        said = [part for group in match.groups() if group for part in re.split("[._]", group)]
        found = tuple(map(_value, said))
    return found, pattern.sub(" ", text)


def _value(text: str) -> int:
    """A number in digits, or in Chinese up to 十九."""
    if text.isascii():
        return int(text)
    return sum(_NUMERALS.index(numeral) for numeral in text[:2])
