"""From fused scores to a list: repeats take one place, boilerplate steps back, no file takes all places.

None of this changes a score; it decides who stands where. Measured by :mod:`tests.quality.retrieval`.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from engine.answer.retrieval.lanes import Key
from engine.index.library import Library
from engine.index.rows import StoredChunk

SHINGLE = 5
"""Letters and digits."""

REPEATED = 0.9
"""Share of a passage's shingles from which it says nothing that a better one does not say."""

BOILERPLATE, SETBACK = 3, 0.5
"""Documents in which the same text makes it boilerplate, and what it then loses, in fused deviations."""

ONE_FILE, NEAR = 0.8, 0.3
"""Share of the places that one file takes, four at least, before another one goes first whose score is at
most this much lower. Measured on rageval_zh and rageval_en: all right files among the first five 0.995 to
0.998 and 0.989 to 0.991, all evidence sentences 0.789 to 0.788 and 0.710 to 0.710; from three places on 0.780
and 0.710."""

_FEW = 4

_AHEAD = 10
"""Passages that are read to know who could go first."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in its place. ``also_in`` are the documents of lower ones that say the same."""

    key: Key
    stored: StoredChunk
    score: float
    also_in: tuple[str, ...] = ()

    @property
    def file(self) -> tuple[int, str]:
        return self.key[0], self.stored.document


def rank(
    libraries: Sequence[Library], fused: Mapping[Key, float], top: int, least: float | None = None
) -> list[Ranked]:
    """The ``top`` best, best first; none with a score under ``least``."""
    found = _in_order(libraries, fused, least)
    chosen: list[Ranked] = []
    said: list[frozenset[str]] = []
    by_file: Counter[tuple[int, str]] = Counter()
    while len(chosen) < top and (waiting := _boilerplate_last(list(islice(found, max(_AHEAD, 2 * top))))):
        while waiting and len(chosen) < top:
            passage = waiting.pop(_next(waiting, by_file))
            own = shingles(passage.stored.chunk.text)
            at = next((at for at, better in enumerate(said) if is_repeated(own, better)), None)
            if at is not None:
                chosen[at] = _also_in(chosen[at], passage)
                continue
            chosen.append(passage)
            said.append(frozenset(own))
            by_file[passage.file] += 1
    return chosen


def shingles(text: str) -> list[str]:
    """Every run of five letters and digits, in order; the text itself where it is shorter."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    return [letters[at : at + SHINGLE] for at in range(max(1, len(letters) - SHINGLE + 1))]


def is_repeated(own: Sequence[str], better: frozenset[str]) -> bool:
    """Whether a passage is part of a better one, but for a little at its beginning and its end.

    What differs in the middle is another number or another name: a newer version, or a source that says
    otherwise. Such a passage is never hidden.
    """
    held = [shingle in better for shingle in own]
    if sum(held) < REPEATED * len(held):
        return False
    first, last = held.index(True), len(held) - held[::-1].index(True)
    return all(held[first:last])


def _in_order(
    libraries: Sequence[Library], fused: Mapping[Key, float], least: float | None
) -> Iterator[Ranked]:
    """The chunks, best first; those of one score by document and place, not by when they were indexed."""
    best = sorted(fused, key=lambda key: (-fused[key], key))
    for score, alike in groupby(best, key=lambda key: fused[key]):
        if least is not None and score < least:
            return
        found = [
            Ranked(key, stored, score)
            for key in alike
            for stored in libraries[key[0]].chunks([key[1]]).values()
        ]  # fmt: skip
        yield from sorted(
            found, key=lambda each: (each.key[0], each.stored.document, each.stored.chunk.ordinal)
        )


def _boilerplate_last(found: Sequence[Ranked]) -> list[Ranked]:
    """What stands word for word in several documents, where it would stand with a lower score."""
    places: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
    for passage in found:
        places[passage.stored.chunk.text].add(passage.file)

    def standing(passage: Ranked) -> float:
        repeated = len(places[passage.stored.chunk.text]) >= BOILERPLATE
        return passage.score - SETBACK * repeated

    return sorted(found, key=standing, reverse=True)


def _next(waiting: Sequence[Ranked], by_file: Counter[tuple[int, str]]) -> int:
    """Who comes next: the first, or one of another file close behind when the first's has had its share."""
    allowed = max(_FEW, math.ceil(ONE_FILE * (by_file.total() + 1)))
    first = waiting[0]
    if by_file[first.file] < allowed:
        return 0
    near = (
        at
        for at, passage in enumerate(waiting)
        if by_file[passage.file] < allowed and passage.score >= first.score - NEAR
    )
    return next(near, 0)


def _also_in(chosen: Ranked, repeat: Ranked) -> Ranked:
    document = repeat.stored.document
    if document in (chosen.stored.document, *chosen.also_in):
        return chosen
    return replace(chosen, also_in=(*chosen.also_in, document))
