"""Headings of a text that names none itself: numbered lines of their own, found conservatively.

第一章 总则, 第二节 休假, 一、适用范围, 1.2 Scope, Chapter 3. A line of a table of contents is none, nor is
an item of a list: a heading has text below it that is no further line of its kind.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.documents import Heading
from engine.intake.cleaning.clean_text import CleanText

_NUMERAL = r"[〇零一二三四五六七八九十百千两\d０-９]{1,7}"
_LONGEST = 40
_LONGEST_CLAUSE = 30

# Kind, level, form. The levels leave room: what matters is their order.
_KINDS: tuple[tuple[str, int, re.Pattern[str]], ...] = (
    ("part", 1, re.compile(rf"第\s?{_NUMERAL}\s?[编部篇卷](?=[\s：:、.]|$)(?P<title>.*)")),
    ("chapter", 2, re.compile(rf"第\s?{_NUMERAL}\s?[章回集幕](?P<title>.*)")),
    ("chapter", 2, re.compile(r"(?:Chapter|CHAPTER)\s(?:\d{1,3}|[IVXLC]{1,7}|[A-Z][a-z]+)\b(?P<title>.*)")),
    ("part", 1, re.compile(r"(?:Part|PART)\s(?:\d{1,3}|[IVXLC]{1,7})\b(?P<title>.*)")),
    ("section", 3, re.compile(rf"第\s?{_NUMERAL}\s?节(?P<title>.*)")),
    ("clause", 4, re.compile(r"[一二三四五六七八九十]{1,3}、\s?(?P<title>.+)")),
    ("subclause", 5, re.compile(r"[（(][一二三四五六七八九十]{1,3}[)）]\s?(?P<title>.+)")),
)
_DECIMAL = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})\.?[ \u3000]+(?P<title>[^\W\d_].*)")
_SURE = frozenset({"part", "chapter", "section"})
_ENDS = tuple("。，；：！？,;:!?…、")
_CONTENTS = re.compile(r"(?:[.．…⋯·]\s*){3,}|[ \u3000\t]\d{1,4}\s*$")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: str
    level: int
    number: tuple[int, ...] = ()


def recognise(clean: CleanText) -> tuple[Heading, ...]:
    """The headings of ``clean``, where tables and code blocks have none."""
    regions = sorted([(table.start, table.end) for table in clean.tables] + list(clean.code))
    found: list[Heading] = []
    before: _Candidate | None = None
    numbers: dict[int, tuple[int, ...]] = {}
    for line, below in _with_next(_lines(clean.text)):
        candidate = None if _inside(regions, line.start) else _candidate(line.text)
        if candidate is None:
            before = None
            continue
        following = _candidate(below.text) if below is not None else None
        is_row = below is not None and " | " in below.text and candidate.kind not in _SURE
        if candidate.number and not _goes_on(candidate.number, numbers):
            before = None
            continue
        is_list = following is not None and following.kind == candidate.kind
        was_list = before is not None and before.kind == candidate.kind
        before = candidate
        if is_list or is_row or below is None or (was_list and candidate.kind not in _SURE):
            continue
        found.append(Heading(line.start, candidate.level, " ".join(line.text.split())))
    return tuple(found)


def with_recognised(clean: CleanText) -> CleanText:
    return replace(clean, headings=recognise(clean))


def is_heading(line: str) -> bool:
    """Whether a line looks like a heading by itself."""
    return _candidate(line) is not None


def _candidate(line: str) -> _Candidate | None:
    text = line.strip()
    if not text or len(text) > _LONGEST * (2 if _LATIN.search(text) else 1):
        return None
    if text.endswith(_ENDS) or " | " in text or _CONTENTS.search(text) or not _is_balanced(text):
        return None
    for kind, level, pattern in _KINDS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        title = match["title"].strip()
        # 第一章规定的事项 is the start of a sentence, and 第三节课 are lessons.
        if kind in _SURE and title and not _sets_off(match["title"]):
            return None
        if kind not in _SURE and (len(title) > _LONGEST_CLAUSE or "。" in title):
            return None
        return _Candidate(kind, level)
    match = _DECIMAL.fullmatch(text)
    if match is None or len(match["title"]) < 2 or "。" in match["title"] or match["title"].endswith("."):
        return None
    number = tuple(int(part) for part in match["number"].split("."))
    return _Candidate("decimal", 4 + len(number), number)


def _is_balanced(text: str) -> bool:
    """Whether brackets and quotes that are opened are closed: else the line is a piece of something."""
    return all(text.count(a) == text.count(b) for a, b in ("（）", "()", "“”", "《》", "「」"))


def _sets_off(title: str) -> bool:
    """Whether a title may stand behind the number: after a blank or mark, or short and no sentence."""
    if title[:1] in " \u3000\t：:、.．—-":
        return "。" not in title
    return len(title) <= 16 and not re.search(r"[。，；]|^[的所中里课第与和及至到规有是]", title)


def _goes_on(number: tuple[int, ...], numbers: dict[int, tuple[int, ...]]) -> bool:
    """Whether 2.3 comes after 2.2, or begins its own row as 3.1; notes it."""
    depth = len(number)
    last = numbers.get(depth)
    first = number[-1] == 1
    goes_on = first or (last is not None and number[:-1] == last[:-1] and number[-1] == last[-1] + 1)
    if goes_on:
        numbers[depth] = number
    return goes_on


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start : min(end, start + 2 * _LONGEST + 2)]
        if line.strip():
            yield _Line(start + len(line) - len(line.lstrip()), line)
        start = end + 1


def _with_next(lines: Iterator[_Line]) -> Iterator[tuple[_Line, _Line | None]]:
    before: _Line | None = None
    for line in lines:
        if before is not None:
            yield before, line
        before = line
    if before is not None:
        yield before, None


def _inside(regions: Sequence[tuple[int, int]], place: int) -> bool:
    at = bisect_right(regions, place, key=lambda region: region[0]) - 1
    return at >= 0 and place < regions[at][1]
