"""Clean text to chunks that the embedder can read whole.

A chunk ends at the best boundary that leaves it well filled: blank line, newline, 。！？；, ``.!?;`` and
a blank, any blank, and a hard cut only where nothing else is left. Sections (what stands under one
heading) are never mixed; a heading without text of its own goes with the section below it.
The texts of all chunks without their overlaps, joined, are the clean text again.
"""

import hashlib
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.documents import Chunk, SourceDocument
from engine.intake.cleaning import CleanText
from engine.intake.tokens import SPECIAL_TOKENS, TokenCounter

PREFIX_TOKENS = 64
"""Most tokens that title and section path may take of a chunk, and never more than a quarter."""

_FILL = 0.5
"""A chunk is filled at least to this share before a better boundary is preferred to a later one."""

_TAIL, _FIRST_PART = 1.3, 0.6
"""Where less than ``_TAIL`` times what fits is left, the next chunk takes about ``_FIRST_PART`` of it."""

# Best first; each pattern ends where the next chunk may start. Blanks stay with the text before them.
_BOUNDARIES = (
    re.compile(r"\n[^\S\n]*\n\s*"),
    re.compile(r"\n\s*"),
    re.compile(r"[。！？；][”’」』）)】》\"']*\s*"),
    re.compile(r"[.!?;][\"')\]]*\s+"),
    re.compile(r"\s+"),
    # A hard cut, but at least not inside a phrase.
    re.compile(r"[，、：]\s*"),
)
_SENTENCE = 3
"""Boundaries up to this rank end a sentence."""


@dataclass(frozen=True, slots=True)
class _Section:
    start: int
    end: int
    path: tuple[str, ...]


class _Ruler:
    """Token counts between any two places of one section, without encoding anything twice."""

    def __init__(self, text: str, start: int, end: int, counter: TokenCounter) -> None:
        self.text = text
        self.start, self.end = start, end
        self._starts = counter.starts(text[start:end])
        piece = text[start:end]
        self._boundaries = [[m.end() for m in pattern.finditer(piece)] for pattern in _BOUNDARIES]

    def tokens(self, begin: int, end: int) -> int:
        low = bisect_left(self._starts, begin - self.start)
        return bisect_left(self._starts, end - self.start) - low

    def reach(self, begin: int, tokens: int) -> int:
        """The furthest end so that ``text[begin:end]`` has at most ``tokens`` tokens."""
        at = bisect_left(self._starts, begin - self.start) + tokens
        return self.start + self._starts[at] if at < len(self._starts) else self.end

    def back(self, end: int, tokens: int) -> int:
        """The earliest start so that ``text[start:end]`` has at most ``tokens`` tokens."""
        at = bisect_left(self._starts, end - self.start) - tokens
        return self.start + self._starts[at] if at > 0 else self.start

    def last_boundary(self, rank: int, after: int, until: int) -> int | None:
        """The last boundary of this rank in (after, until]."""
        places = self._boundaries[rank]
        at = bisect_right(places, until - self.start) - 1
        return places[at] + self.start if at >= 0 and places[at] + self.start > after else None

    def first_boundary(self, rank: int, since: int, before: int) -> int | None:
        """The first boundary of this rank in [since, before)."""
        places = self._boundaries[rank]
        at = bisect_left(places, since - self.start)
        return places[at] + self.start if at < len(places) and places[at] + self.start < before else None


def chunk(
    document: SourceDocument,
    clean: CleanText,
    content_hash: str,
    counter: TokenCounter,
    *,
    size: int,
    overlap: int,
    locations: Mapping[int, Mapping[str, Any]] | None = None,
) -> Iterator[Chunk]:
    """Cut ``clean`` into chunks of at most ``size`` tokens (prefix and special tokens included).

    ``overlap`` is the number of tokens repeated from the chunk before, in whole sentences where they
    fit. ``locations`` gives the place of a page in formats without pages.
    """
    ordinal = 0
    for section in _sections(clean):
        prefix = _prefix(document, section.path, counter, min(PREFIX_TOKENS, size // 4))
        room = size - SPECIAL_TOKENS - counter.count(prefix)
        ruler = _Ruler(clean.text, section.start, section.end, counter)
        for begin, fresh, end in _cut(ruler, counter, room, min(overlap, room // 2)):
            text = clean.text[begin:end]
            spans = clean.spans(begin, end)
            page, page_end = (spans[0].page, spans[-1].page) if spans else (1, 1)
            yield Chunk(
                id=_id(content_hash, page, section.path, ordinal, text),
                ordinal=ordinal,
                page=page,
                page_end=page_end,
                spans=spans,
                text=text,
                prefix=prefix,
                overlap=fresh - begin,
                tokens=SPECIAL_TOKENS + counter.count(prefix + text),
                section=section.path,
                location=(locations or {}).get(page),
            )
            ordinal += 1


def _id(content_hash: str, page: int, section: Sequence[str], ordinal: int, text: str) -> str:
    """First 20 hex digits of the SHA-256 of what makes a chunk, joined by U+001F.

    The section's headings are joined by U+001E. No file name: a rename changes no id.
    """
    parts = (content_hash, str(page), "\x1e".join(section), str(ordinal), text)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:20]


def _sections(clean: CleanText) -> Iterator[_Section]:
    """Cover the text without holes: what stands before the first heading, then heading by heading."""
    text = clean.text
    start = 0
    path: list[tuple[int, str]] = []
    has_text = False
    marks = [(heading.offset, heading) for heading in clean.headings]
    for number, (offset, heading) in enumerate(marks):
        # A heading right below another one has no text of its own above it: both begin one section.
        if has_text and text[start:offset].strip():
            yield _Section(start, offset, tuple(title for _, title in path))
            start = offset
        while path and path[-1][0] >= heading.level:
            path.pop()
        path.append((heading.level, heading.text))
        body_end = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        has_text = bool(text[offset + len(heading.text) : body_end].strip())
        if number == 0 and text[:offset].strip():
            yield _Section(0, offset, ())
            start = offset
    if start < len(text):
        yield _Section(start, len(text), tuple(title for _, title in path))


def _prefix(document: SourceDocument, path: Sequence[str], counter: TokenCounter, limit: int) -> str:
    """Title and section path as a line of its own, shortened to ``limit`` tokens.

    A title that is only the file's name is searched by name; it is embedded where nothing else says
    what the passage belongs to.
    """
    parts = list(path)
    if document.title and document.title not in parts and not (document.title_from_name and parts):
        parts.insert(0, document.title)
    # The heading next to the text says most: leave out from the front of the path, but for the title.
    while len(parts) > 2 and counter.count(" > ".join(parts)) > limit:
        del parts[1]
    line = " ".join(" > ".join(parts).split())
    if counter.count(line) > limit:
        starts = counter.starts(line)
        line = line[: starts[limit]].rstrip() if limit < len(starts) else line
        while line and counter.count(line) > limit:
            line = line[: len(line) * 3 // 4].rstrip()
    return line + "\n" if line else ""


def _cut(ruler: _Ruler, counter: TokenCounter, room: int, overlap: int) -> Iterator[tuple[int, int, int]]:
    """``(begin, fresh, end)`` of each chunk; ``text[begin:fresh]`` repeats the chunk before."""
    previous = fresh = ruler.start
    while fresh < ruler.end:
        begin = _overlap_start(ruler, previous, fresh, overlap)
        limit = room
        end = _end(ruler, begin, fresh, limit)
        while (excess := counter.count(ruler.text[begin:end]) - room) > 0:
            # The count inside the whole text was too low; rare, so the simple way: less of it.
            if begin < fresh:
                begin = fresh
            else:
                limit = max(1, min(limit, ruler.tokens(begin, end)) - excess)
                shorter = _end(ruler, begin, fresh, limit)
                end = shorter if shorter < end else max(fresh + 1, fresh + (end - fresh) // 2)
                if end == fresh + 1:
                    break
                continue
            end = _end(ruler, begin, fresh, limit)
        if not ruler.text[end : ruler.end].strip():
            end = ruler.end  # no chunk of blanks alone
        yield begin, fresh, end
        previous, fresh = begin, end


def _end(ruler: _Ruler, begin: int, fresh: int, room: int) -> int:
    """Where the chunk that starts at ``begin`` ends; always behind ``fresh``."""
    furthest = ruler.reach(begin, room)
    if furthest >= ruler.end:
        return ruler.end
    left = ruler.tokens(begin, ruler.end)
    if left < room * _TAIL:
        # Two chunks of like size, not a full one and a scrap.
        room = max(1, min(room, int(left * _FIRST_PART)))
        furthest = ruler.reach(begin, room)
    furthest = max(furthest, fresh + 1)
    filled = max(fresh, ruler.reach(begin, int(room * _FILL)))
    for rank in range(len(_BOUNDARIES)):
        boundary = ruler.last_boundary(rank, filled, furthest)
        if boundary is not None:
            return boundary
    while furthest > fresh + 1 and unicodedata.combining(ruler.text[furthest]):
        furthest -= 1
    return furthest


def _overlap_start(ruler: _Ruler, previous: int, fresh: int, overlap: int) -> int:
    """Where the repeated text begins: whole sentences if one fits, else words, else characters."""
    if not overlap or fresh == ruler.start:
        return fresh
    earliest = max(ruler.back(fresh, overlap), previous + 1)
    if earliest >= fresh:
        return fresh
    candidates = [ruler.first_boundary(rank, earliest, fresh) for rank in range(len(_BOUNDARIES))]
    sentences = [place for place in candidates[: _SENTENCE + 1] if place is not None]
    if sentences:
        return min(sentences)
    # The chunk before ended with a sentence longer than the overlap: half of it helps nobody.
    if any(ruler.last_boundary(rank, fresh - 1, fresh) for rank in range(_SENTENCE + 1)):
        return fresh
    return next((place for place in reversed(candidates) if place is not None), earliest)
