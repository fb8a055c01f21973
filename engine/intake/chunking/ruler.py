"""Token counts and boundaries of a stretch of text, for finding where chunks may end."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from engine.intake.chunking.structure import Whole
from engine.intake.chunking.tokens import TokenCounter
from engine.intake.cleaning.clean_text import CleanText

CHARACTERS_A_TOKEN = 12
"""A chunk has at most so many characters a token: an endless word is one token, and unreadable."""

_REACH = 60_000
"""Characters measured at once: a section of 50 MB must not need memory for all its tokens."""

# A boundary lies behind line breaks, but before the next line's indentation.
_BLANKS = r"(?:(?:[^\S\n]*\n)+|[^\S\n]*)"
# Best first, behind the starts of articles; each pattern ends where the next chunk may start.
_BOUNDARIES = (
    re.compile(r"\n(?:[^\S\n]*\n)+"),
    re.compile(r"\n"),
    re.compile(rf"[。！？；][”’」』）)】》\"']*{_BLANKS}"),
    re.compile(r"[.!?;][\"')\]]*(?:(?:[^\S\n]*\n)+|[^\S\n]+)"),
    re.compile(r"(?:[^\S\n]*\n)+|[^\S\n]+"),
    # A hard cut, but at least not inside a phrase.
    re.compile(rf"[，、：]{_BLANKS}"),
)
RANKS = range(len(_BOUNDARIES) + 1)
LINE = 2
"""Boundaries up to this rank end a line."""
SENTENCE = 4
"""Boundaries up to this rank end a sentence."""


class Ruler:
    """Token counts between any two places of a section, without encoding anything twice.

    Measures the first :data:`_REACH` characters behind ``start``; ``until`` is how far that is, ``end``
    the section's end.
    """

    def __init__(self, clean: CleanText, start: int, end: int, counter: TokenCounter) -> None:
        self.text = clean.text
        self.tables = clean.tables
        self.start, self.end = start, end
        self.until = min(end, start + _REACH)
        piece = clean.text[start : self.until]
        self.whole = Whole(clean, start, self.until)
        self._starts = array("q", counter.starts(piece))
        self._boundaries = [array("q", [place - start for place in self.whole.article_starts])]
        self._boundaries += [
            array("q", (match.end() for match in pattern.finditer(piece))) for pattern in _BOUNDARIES
        ]

    def is_used_up(self, place: int, room: int) -> bool:
        """Whether a chunk of ``room`` tokens from ``place`` on could run over what is measured."""
        return self.until < self.end and place + 2 * CHARACTERS_A_TOKEN * room > self.until

    def tokens(self, begin: int, end: int) -> int:
        low = bisect_left(self._starts, begin - self.start)
        return bisect_left(self._starts, end - self.start) - low

    def weight(self, begin: int, end: int) -> int:
        """Tokens that a chunk needs for ``text[begin:end]``: endless words weigh by their length."""
        return max(self.tokens(begin, end), -(-(end - begin) // CHARACTERS_A_TOKEN))

    def reach(self, begin: int, tokens: int) -> int:
        """The furthest end so that ``text[begin:end]`` has at most ``tokens`` tokens."""
        at = bisect_left(self._starts, begin - self.start) + tokens
        furthest = self.start + self._starts[at] if at < len(self._starts) else self.until
        return min(furthest, begin + CHARACTERS_A_TOKEN * tokens)

    def back(self, end: int, tokens: int) -> int:
        """The earliest start so that ``text[start:end]`` has at most ``tokens`` tokens."""
        at = bisect_left(self._starts, end - self.start) - tokens
        earliest = self.start + self._starts[at] if at > 0 else self.start
        return max(earliest, end - CHARACTERS_A_TOKEN * tokens)

    def boundaries(self, rank: int, after: int, until: int) -> Iterator[int]:
        """The boundaries of this rank in (after, until], the last one first."""
        places = self._boundaries[rank]
        at = bisect_right(places, until - self.start) - 1
        while at >= 0 and places[at] + self.start > after:
            yield places[at] + self.start
            at -= 1

    def last_boundary(self, rank: int, after: int, until: int) -> int | None:
        """The last boundary of this rank in (after, until]."""
        return next(self.boundaries(rank, after, until), None)

    def first_boundary(self, rank: int, since: int, before: int) -> int | None:
        """The first boundary of this rank in [since, before)."""
        places = self._boundaries[rank]
        at = bisect_left(places, since - self.start)
        return places[at] + self.start if at < len(places) and places[at] + self.start < before else None

    def torn(self, place: int, fresh: int, room: int) -> tuple[int, int] | None:
        """What a cut at ``place`` would tear although a chunk that starts at ``fresh`` or later holds it."""
        for start, end in self.whole.around(place):
            if start >= fresh and self.weight(start, end) <= room:
                return start, end
        return None
