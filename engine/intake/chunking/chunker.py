"""Clean text to chunks that the embedder can read whole.

A chunk ends at the best boundary that leaves it well filled: the start of an article, blank line, newline,
。！？；, ``.!?;`` and a blank, any blank, and a hard cut only where nothing else is left. Articles, list
items, rows of tables and code blocks are not torn while they fit into a chunk; a chunk that begins among
the rows of a table repeats the table's header. Sections are never mixed, unless short ones are merged.
The texts of all chunks without their overlaps, joined, are the clean text again.
"""

import hashlib
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.documents import Chunk, SourceDocument
from engine.intake.chunking.places import Places
from engine.intake.chunking.ruler import RANKS, SENTENCE, Ruler
from engine.intake.chunking.sections import Path, Section, merged, name, prefix, sections
from engine.intake.chunking.structure import table_at
from engine.intake.chunking.tokens import SPECIAL_TOKENS, TokenCounter
from engine.intake.cleaning.clean_text import CleanText

PREFIX_TOKENS = 64
"""Most tokens that title and section path may take of a chunk, and never more than a quarter."""

NAME_TOKENS = 28
"""Most tokens that a file's name may take in front of them. They come on top of a chunk's size, within what
the embedder reads: the name must not decide where a text is cut, or a rename would cut it anew."""

_FILL = 0.5
"""A chunk is filled at least to this share before a better boundary is preferred to a later one."""

_TAIL, _FIRST_PART = 1.3, 0.6
"""Where less than ``_TAIL`` times what fits is left, the next chunk takes about ``_FIRST_PART`` of it."""

_HEADER_SHARE = 3
"""A table's header is repeated if it takes less than one part of so many of a chunk."""


@dataclass(frozen=True, slots=True)
class Cut:
    """``text[begin:end]`` makes a chunk; up to ``fresh`` it repeats the chunk before.

    ``header`` ([start, end), perhaps empty) is a table's header that is said again in front of it;
    ``tokens`` counts both.
    """

    header: tuple[int, int]
    begin: int
    fresh: int
    end: int
    tokens: int


class Chunker:
    """Cuts a document's text, which may come in blocks, into chunks of at most ``size`` tokens.

    ``size`` includes title, section path and special tokens, but not the file's name. ``overlap`` is the
    number of tokens repeated from the chunk before, in whole sentences where they fit. Neighbouring sections
    of together up to ``merge`` characters are taken as one. ``places`` gives locations in formats without
    pages.
    """

    def __init__(
        self,
        document: SourceDocument,
        content_hash: str,
        counter: TokenCounter,
        *,
        size: int,
        overlap: int,
        merge: int = 0,
        places: Places | None = None,
    ) -> None:
        self._document = document
        self._hash = content_hash
        self._counter = counter
        self._size = size
        self._overlap = overlap
        self._merge = merge
        self._places = places or Places("")
        self._path: Path = []
        self._ordinal = 0

    def cut(self, clean: CleanText, *, named: bool = True) -> Iterator[Chunk]:
        """The chunks of the next block; section path and ordinals go on from the block before.

        ``named``: the headings are the file's own, not recognised by their form.
        """
        found = sections(clean, self._path)
        for section in merged(found, self._merge) if self._merge else found:
            yield from self._section(clean, section, named=named)

    def _section(self, clean: CleanText, section: Section, *, named: bool) -> Iterator[Chunk]:
        limit = min(PREFIX_TOKENS, self._size // 4)
        title = prefix(self._document, section.path, self._counter, limit)
        called = name(self._document, section.path, self._counter, NAME_TOKENS, named=named)
        before = " > ".join(filter(None, (called, title)))
        before += "\n" if before else ""
        room = self._size - SPECIAL_TOKENS - self._counter.count(title)
        # The prefix ends with a line break, over which no token reaches: the counts may be added.
        around = SPECIAL_TOKENS + self._counter.count(before)
        for cut in _cut(clean, section, self._counter, room, min(self._overlap, room // 2)):
            header = clean.text[slice(*cut.header)]
            text = header + clean.text[cut.begin : cut.end]
            own = clean.spans(cut.begin, cut.end)
            page, page_end = (own[0].page, own[-1].page) if own else (1, 1)
            yield Chunk(
                id=_id(self._hash, page, section.path, self._ordinal, text),
                ordinal=self._ordinal,
                page=page,
                page_end=page_end,
                spans=clean.spans(*cut.header) + own,
                text=text,
                prefix=before,
                overlap=len(header) + cut.fresh - cut.begin,
                tokens=around + cut.tokens,
                section=section.path,
                location=self._places.of(own),
            )
            self._ordinal += 1


def _id(content_hash: str, page: int, section: Sequence[str], ordinal: int, text: str) -> str:
    """First 20 hex digits of the SHA-256 of what makes a chunk, joined by U+001F.

    The section's headings are joined by U+001E. No file name: a rename changes no id.
    """
    parts = (content_hash, str(page), "\x1e".join(section), str(ordinal), text)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:20]


def _cut(clean: CleanText, section: Section, counter: TokenCounter, room: int, overlap: int) -> Iterator[Cut]:
    """Cover the section; ``room`` and ``overlap`` are tokens."""
    ruler = Ruler(clean, section.start, section.end, counter)
    blanks = section.start + len(clean.text[section.start : section.end].rstrip())
    previous = fresh = section.start
    while fresh < section.end:
        if ruler.is_used_up(fresh, room):
            ruler = Ruler(clean, previous, section.end, counter)
        header = _header(clean, counter, fresh, room)
        said_again = clean.text[slice(*header)]
        space = room - counter.count(said_again)
        begin = fresh
        if table_at(clean.tables, fresh) is None and fresh > section.start:
            begin = _overlap_start(ruler, previous, fresh, overlap)
            repeated = clean.text[begin:fresh]
            begin = fresh - len(repeated.lstrip())
            if any(
                ruler.tokens(fresh, end) <= space < ruler.tokens(begin, end)
                for _, end in ruler.whole.begun_at(fresh)
            ):
                begin = fresh  # the repeated text would tear what fits without it
        begin, end, tokens = _fit(ruler, counter, said_again, begin, fresh, space)
        if end >= blanks:
            end = section.end  # no chunk of blanks alone; blanks are no tokens
        yield Cut(header, begin, fresh, end, tokens)
        previous, fresh = begin, end


def _fit(
    ruler: Ruler, counter: TokenCounter, header: str, begin: int, fresh: int, space: int
) -> tuple[int, int, int]:
    """Begin and end of a chunk of at most ``space`` tokens besides its header, and all its tokens."""
    room = space + counter.count(header)
    limit = space
    end = _end(ruler, begin, fresh, limit)
    while (tokens := counter.count(header + ruler.text[begin:end])) > room:
        # The count inside the whole text was too low; rare, so the simple way: less of it.
        if begin < fresh:
            begin = fresh
            end = _end(ruler, begin, fresh, limit)
            continue
        if end == fresh + 1:
            break
        limit = max(1, min(limit, ruler.tokens(begin, end)) - (tokens - room))
        shorter = _end(ruler, begin, fresh, limit)
        end = shorter if shorter < end else max(fresh + 1, fresh + (end - fresh) // 2)
    return begin, end, tokens


def _header(clean: CleanText, counter: TokenCounter, fresh: int, room: int) -> tuple[int, int]:
    """The header to repeat in front of a row at ``fresh``; an empty range where there is none."""
    table = table_at(clean.tables, fresh)
    if table is None or table.header_end == table.start:
        return fresh, fresh
    header = clean.text[table.start : table.header_end]
    if not header.endswith("\n") or counter.count(header) * _HEADER_SHARE >= room:
        return fresh, fresh
    return table.start, table.header_end


def _end(ruler: Ruler, begin: int, fresh: int, room: int) -> int:
    """Where the chunk that starts at ``begin`` ends; always behind ``fresh``."""
    furthest = ruler.reach(begin, room)
    is_last = ruler.until == ruler.end
    if is_last and furthest >= ruler.end:
        return ruler.end
    filling = room
    if is_last and (left := ruler.weight(begin, ruler.end)) < room * _TAIL:
        # Two chunks of like size, not a full one and a scrap.
        filling = max(1, min(room, int(left * _FIRST_PART)))
        furthest = ruler.reach(begin, filling)
    furthest = max(furthest, fresh + 1)
    torn = ruler.torn(furthest, fresh, room)
    if torn is not None:
        furthest = torn[0] if torn[0] > fresh else torn[1]
    filled = max(fresh, ruler.reach(begin, int(filling * _FILL)))
    if torn is not None and furthest <= filled:
        return furthest
    for rank in RANKS:
        for boundary in ruler.boundaries(rank, filled, furthest):
            if ruler.torn(boundary, fresh, room) is None:
                return boundary
    while furthest > fresh + 1 and furthest < ruler.end and unicodedata.combining(ruler.text[furthest]):
        furthest -= 1
    return furthest


def _overlap_start(ruler: Ruler, previous: int, fresh: int, overlap: int) -> int:
    """Where the repeated text begins: whole sentences if one fits, else words, else characters."""
    if not overlap:
        return fresh
    earliest = max(ruler.back(fresh, overlap), previous + 1)
    # Rows are not repeated: half a table says nothing.
    table = bisect_left(ruler.tables, fresh, key=lambda each: each.start) - 1
    if table >= 0:
        earliest = max(earliest, ruler.tables[table].end)
    if earliest >= fresh:
        return fresh
    candidates = [ruler.first_boundary(rank, earliest, fresh) for rank in RANKS]
    sentences = [place for place in candidates[: SENTENCE + 1] if place is not None]
    if sentences:
        return min(sentences)
    # The chunk before ended with a sentence longer than the overlap: half of it helps nobody.
    if any(ruler.last_boundary(rank, fresh - 1, fresh) for rank in range(SENTENCE + 1)):
        return fresh
    return next((place for place in reversed(candidates) if place is not None), earliest)
