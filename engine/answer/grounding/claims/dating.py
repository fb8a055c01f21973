"""Which date a number is of, where a sentence says it: 2023年为186.4亿元，2024年为201.5亿元.

Words near a number do not tell: both dates are near both. A number is of the date that stands beside it with
no other number of its kind between them; in English of the one behind it, where a preposition leads there. A
date that something is only compared with (较2024年同期增长, on the same quarter of 2024) dates no number.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.answer.grounding.claims.dates import Moment
from engine.answer.grounding.claims.numerals import ENGLISH_ORDINALS
from engine.answer.grounding.claims.quantities import Quantity

_COMPARED = re.compile(
    r"(?:较|比|相比|对比|与|同|和)[^,;。\d]{0,4}$|"
    r"\b(?:than|versus|vs\.?|compared (?:to|with)|relative to|against)\s+(?:[a-z']+\s+){0,6}$|"
    r"\b(?:on|over|from|against)\s+(?:the\s+)?(?:same|corresponding|previous|prior|comparable)\s+"
    r"(?:[a-z']+\s+){0,4}$"
)
_COMPARES = re.compile(
    r"[^,;。\d]{0,8}?(?:相比|[增减]|[上下提降][升降高低调]|多|少|高|低|翻|持平|回落|扩大|缩小)"
)
_LEADS_BACK = re.compile(
    r"\s*(?:[a-z%$]+\s+){0,4}?(?:in|of|for|during|at|by|since|as of|on)\s+(?:[a-z']+\s+){0,6}$"
)
_ENDS_CLAUSE = re.compile(r"[,;:、()]|\b(?:and|while|but|whereas|which|compared)\b")
_IN_BRACKETS = re.compile(r"[^\s,;。()]{0,4}\s*\([^()\d]{0,4}$")
_OF_ANOTHER_YEAR = re.compile(
    r"上年|去年|前年|上一年|次年|翌年|(?<!^)同期|今年|本年|(?:a year|years?) (?:earlier|later|before|ago)|"
    r"(?:previous|prior|last|next|following) year"
)
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Dating:
    """The date of a number, None where its sentence does not say; it is of none that is ``compared``."""

    moment: Moment | None = None
    compared: tuple[Moment, ...] = ()

    def is_of(self, wanted: Moment) -> bool | None:
        """Whether the number is of this date; None where nobody can say."""
        if self.moment is not None:
            return _meet(self.moment, wanted)
        return False if any(_meet(each, wanted) for each in self.compared) else None


def datings(text: str, numbers: Sequence[Quantity], moments: Sequence[Moment]) -> list[Dating]:
    """The date of each number of a sentence; all places are those in ``text``, which is normalised."""
    if not moments:
        return [Dating()] * len(numbers)
    compared = tuple(moment for moment in moments if is_compared(text, moment))
    own = [moment for moment in moments if moment not in compared]
    measured = [number for number in numbers if not _is_place(text, number, moments)]
    return [
        Dating(_beside(text, number, measured, own), compared) if number in measured else Dating()
        for number in numbers
    ]


def is_compared(text: str, moment: Moment) -> bool:
    """Whether something is only compared with a date: it is followed or led to by words that compare."""
    before = _COMPARED.search(text[max(0, moment.start - 60) : moment.start])
    if before is None:
        return False
    return before.group()[:1].isascii() or _COMPARES.match(text[moment.end :]) is not None


def is_close(text: str, number: Quantity, moment: Moment) -> bool:
    """Whether number and date stand in one clause, or the date alone in the one before."""
    first, last = sorted(((moment.start, moment.end), (number.start, number.end)))
    between = text[first[1] : last[0]].strip()
    ends = list(_ENDS_CLAUSE.finditer(between))
    return not ends or (len(ends) == 1 and ends[0].start() == 0 and first[0] == moment.start)


def _beside(
    text: str, number: Quantity, numbers: Sequence[Quantity], moments: Sequence[Moment]
) -> Moment | None:
    def is_parted(start: int, end: int) -> bool:
        return any(start <= each.start < end and each.same_measure(number) for each in numbers)

    before = [m for m in moments if m.end <= number.start and not is_parted(m.end, number.start)]
    behind = [m for m in moments if m.start >= number.end and not is_parted(number.end, m.start)]
    after = behind[0] if behind else None
    if after is not None:
        between = text[number.end : after.start]
        if _IN_BRACKETS.fullmatch(between):
            return after
        leads_back = _LEADS_BACK.fullmatch(between) is not None and _ENDS_CLAUSE.search(between) is None
        if leads_back and not _HAN.search(text):
            return after
    free = [m for m in before if not _OF_ANOTHER_YEAR.search(text[m.end : number.start])]
    free = [m for m in free if text[m.end : number.start].count(")") <= text[m.end : number.start].count("(")]
    if free:
        return free[-1] if len(before) == 1 or not _are_listed(text, before) else None
    if before or after is None or _ENDS_CLAUSE.search(text[number.end : after.start]):
        return None
    return after


def _are_listed(text: str, moments: Sequence[Moment]) -> bool:
    """Whether the last two of some dates are said together (2022年和2023年分别为): then each has a number."""
    between = text[moments[-2].end : moments[-1].start].strip()
    return len(between) <= 3 or between in ("and", "to", "from")


def _is_place(text: str, number: Quantity, moments: Iterable[Moment]) -> bool:
    """Whether a number counts nothing: of a date, or the third quarter."""
    written = text[number.start : number.end]
    is_ordinal = text[number.start - 1 : number.start] == "第" or written in ENGLISH_ORDINALS
    return is_ordinal or any(m.start <= number.start < m.end for m in moments)


def _meet(one: Moment, other: Moment) -> bool:
    return one.within(other) or other.within(one)
