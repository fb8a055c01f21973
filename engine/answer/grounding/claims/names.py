"""Names in a statement: quoted ones, designations, latin words, and Chinese ones by lexicon and surname."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.answer.grounding.claims import terms, words
from engine.answer.grounding.claims.lexicon import SURNAMES, segment
from engine.answer.grounding.claims.numerals import ENGLISH, ENGLISH_ORDINALS
from engine.answer.grounding.claims.units import UNITS
from engine.normalise import normalise

_QUOTED = re.compile(r"《([^《》]{1,40})》|[“\"「『]([^“”\"「」『』。！？]{2,40})[”\"」』]")
_FILE_NUMBER = re.compile(r"[\u4e00-\u9fff]{2,8}?[〔\[(【（]\s*\d{4}\s*[〕\])】）]\s*第?\s*\d{1,6}\s*号")
_CONNECTING = "和与及按据以照由的见依"
_STANDARD = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,4}(?:/[A-Z]{1,3})\s?\d{3,}(?:[-.:]\d+)*(?![A-Za-z0-9])")
_CODE = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z0-9/_.-]*\d)(?=[A-Za-z0-9/_.-]*[A-Za-z])[A-Za-z0-9]+(?:[-_/.][A-Za-z0-9]+)*"
    r"(?:\s\d{3,}(?:[-.]\d+)*)?(?![A-Za-z0-9])"
)
_LATIN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z'’&-]*[A-Za-z](?![A-Za-z0-9])")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_ANONYMOUS = re.compile(r"(?![是在由为对与和及将被把于就从向到给经有])[\u4e00-\u9fff]某某?(?:[甲乙丙丁])?")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：；\n]\s*[\"“‘(]?)$")

# A measure is no code: 15mg, 36.8°C, 5G is one.
_MEASURE = re.compile(r"\d+(?:\.\d+)?\s?([A-Za-z/0-9]+)")
_MEASURED = frozenset({"x", "mmhg", "k", "bn", "pm", "am"})
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)$", re.I)
# Nor is what a number is of: 82-year-old, 12-month.
_SPAN = re.compile(r"\d+(?:-[a-z]{3,})+")

_TITLES = frozenset(words("mr mrs ms dr prof inc ltd co corp llc plc no am pm bc ad ok etc vs"))
LEADS_IN = frozenset(
    words(
        "when while after before during although though since if once until because despite following both ",
        "according however therefore additionally furthermore meanwhile finally firstly secondly overall",
    )
)
"""What a sentence begins with, also before a name."""

_CALENDAR = frozenset(
    words(
        "january february march april may june july august september october november december jan feb mar ",
        "apr jun ",
        "jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday",
    )
)
_NUMBER_WORDS = frozenset([*ENGLISH, *ENGLISH_ORDINALS, "hundred", "thousand", "million", "billion"])

_ORDINARY = 1.5
"""Rarity below which a latin word is one of the language's commonest and no name."""

_LONGEST_UNKNOWN = 8


@dataclass(frozen=True, slots=True)
class Name:
    """``text`` at ``[start, end)`` of the statement; a designation is made of numbers and letters."""

    text: str
    start: int
    end: int
    is_designation: bool = False


def names(statement: str, is_known: Callable[[str], bool]) -> list[Name]:
    """The names of a statement as it is written, in order and without overlaps.

    ``is_known`` says whether the evidence holds a piece of text. Pieces that it does not hold and that no
    dictionary knows are taken for names, too; those that it holds are not looked at.
    """
    found: list[Name] = []

    def add(text: str, start: int, *, is_designation: bool = False) -> None:
        end = start + len(text)
        if not any(start < name.end and name.start < end for name in found):
            found.append(Name(text, start, end, is_designation))

    for match in _QUOTED.finditer(statement):
        group = 1 if match[1] else 2
        add(match[group], match.start(group))
    for match in _FILE_NUMBER.finditer(statement):
        text = match.group().lstrip(_CONNECTING)
        add(text, match.end() - len(text), is_designation=True)
    for match in _STANDARD.finditer(statement):
        add(match.group(), match.start(), is_designation=True)
    for match in _CODE.finditer(statement):
        code = match.group()
        if not (_is_measure(code) or _ORDINAL.fullmatch(code) or _SPAN.fullmatch(code)):
            add(match.group(), match.start(), is_designation=True)
    for start, text in _latin(statement):
        add(text, start)
    for match in _ANONYMOUS.finditer(statement):
        add(match.group(), match.start())
    for start, text in _chinese(statement, is_known):
        add(text, start)
    return sorted(found, key=lambda name: name.start)


def _is_measure(text: str) -> bool:
    match = _MEASURE.fullmatch(text)
    return match is not None and (match[1].lower() in UNITS or match[1].lower() in _MEASURED)


def _latin(statement: str) -> Iterator[tuple[int, str]]:
    """Capitalised words; among Chinese characters also others."""
    in_chinese = len(re.findall(r"[\u4e00-\u9fff]", statement)) * 3 > len(statement)
    for match in _LATIN.finditer(statement):
        word = re.sub(r"['’]s?$", "", match.group())
        lower = word.lower()
        if (
            lower in _TITLES
            or lower in _CALENDAR
            or lower in UNITS
            or lower in _NUMBER_WORDS
            or lower in LEADS_IN
            or len(word) < 2
        ):
            continue
        if terms.rarity(lower) < _ORDINARY:
            continue
        if in_chinese or (word[0].isupper() and not _is_first(statement, match)):
            yield match.start(), word


def _is_first(statement: str, match: re.Match[str]) -> bool:
    """Whether a word is capital because it begins a sentence: the next one then begins with a small
    letter."""
    if not _SENTENCE_START.search(statement[: match.start()]):
        return False
    following = _LATIN.match(statement, match.end() + 1)
    return not (following and following.group()[0].isupper()) and not match.group().isupper()


def _chinese(statement: str, is_known: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    for match in _HAN.finditer(statement):
        run, offset = match.group(), match.start()
        parts = list(segment(normalise(run))) if len(normalise(run)) == len(run) else []
        unknown: list[int] = []
        for word in [*parts, None]:
            if word is not None and word.kind == "unknown":
                unknown.append(word.start)
                continue
            if unknown:
                start, end = unknown[0], unknown[-1] + 1
                unknown = []
                piece = run[start:end]
                # Of two characters only a surname with a given name: others are words too rare for the list.
                is_long = 3 <= len(piece) <= _LONGEST_UNKNOWN
                if (is_long or (len(piece) == 2 and piece[0] in SURNAMES)) and not is_known(piece):
                    yield offset + start, piece
            if word is not None and word.kind == "name":
                yield offset + word.start, run[word.start : word.end]
