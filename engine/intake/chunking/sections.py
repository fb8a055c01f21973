"""Sections of a text: what stands under one heading, with the path of headings that leads there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.documents import Heading, SourceDocument
from engine.intake.chunking.tokens import TokenCounter
from engine.intake.cleaning.clean_text import CleanText

Path = list[tuple[int, str]]
"""Levels and texts of the headings above a place, the outermost first."""


_GENERIC = re.compile(
    r"扫描件?|新建|文本|文档|文件|资料|副本|终稿|定稿|最终|版本?|无标题|未命名|微信|图片|"
    r"scan(?:ned)?|document|untitled|copy|final|draft|file|image|img|doc|pdf|new|page"
)
_LEAST_HAN, _LEAST_LATIN = 2, 4
"""Letters that a file's name must have besides what any file may be called."""


@dataclass(frozen=True, slots=True)
class Section:
    start: int
    end: int
    path: tuple[str, ...]


def sections(clean: CleanText, path: Path) -> Iterator[Section]:
    """Cover the text without holes: what stands before the first heading, then heading by heading.

    A heading without text of its own goes with the section below it. ``path`` is where the text before
    left off, and is moved on.
    """
    text, headings = clean.text, clean.headings
    start = 0
    has_text = bool(headings) and bool(text[: headings[0].offset].strip())
    for number, heading in enumerate(headings):
        if has_text and text[start : heading.offset].strip():
            yield Section(start, heading.offset, _titles(path))
            start = heading.offset
        _enter(path, heading)
        end = headings[number + 1].offset if number + 1 < len(headings) else len(text)
        has_text = bool(text[heading.offset + len(heading.text) : end].strip())
    if start < len(text):
        yield Section(start, len(text), _titles(path))


def merged(found: Iterator[Section], characters: int) -> Iterator[Section]:
    """Sections that follow each other together, while they have no more than ``characters``."""
    open_: Section | None = None
    for section in found:
        if open_ is not None and section.end - open_.start <= characters:
            open_ = Section(open_.start, section.end, _common(open_.path, section.path))
            continue
        if open_ is not None:
            yield open_
        open_ = section
    if open_ is not None:
        yield open_


def prefix(document: SourceDocument, path: Sequence[str], counter: TokenCounter, limit: int) -> str:
    """The document's own title and the section path as a line of at most ``limit`` tokens; perhaps empty."""
    parts = list(path)
    if document.title and document.title not in parts and not document.title_from_name:
        parts.insert(0, document.title)
    # The heading next to the text says most: leave out from the front of the path, but for the title.
    while len(parts) > 2 and counter.count(" > ".join(parts)) > limit:
        del parts[1]
    return _shortened(" > ".join(parts), counter, limit)


def name(
    document: SourceDocument, path: Sequence[str], counter: TokenCounter, limit: int, *, named: bool
) -> str:
    """The file's name, where it stands for a title, shortened to ``limit`` tokens; else empty.

    It counts where it says something (差旅报销管理办法, not 扫描件 0012), or where no heading ``named`` by
    the file says what the passage belongs to.
    """
    if not document.title_from_name or document.title in path:
        return ""
    if path and named and not _says_something(document.title):
        return ""
    return _shortened(document.title, counter, limit)


def _shortened(line: str, counter: TokenCounter, limit: int) -> str:
    line = " ".join(line.split())
    if counter.count(line) > limit:
        starts = counter.starts(line)
        line = line[: starts[limit]].rstrip() if limit < len(starts) else line
        while line and counter.count(line) > limit:
            line = line[: len(line) * 3 // 4].rstrip()
    return line


def _says_something(name: str) -> bool:
    """Whether a file's name tells what the file is about."""
    letters = [char for char in _GENERIC.sub("", name.casefold()) if char.isalpha()]
    return len(letters) >= (_LEAST_HAN if any(char >= "\u3400" for char in letters) else _LEAST_LATIN)


def _enter(path: Path, heading: Heading) -> None:
    while path and path[-1][0] >= heading.level:
        path.pop()
    path.append((heading.level, heading.text))


def _titles(path: Path) -> tuple[str, ...]:
    return tuple(title for _, title in path)


def _common(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return tuple(one[:shared])
