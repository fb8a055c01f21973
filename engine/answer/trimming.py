"""Trimming: the sentences of the passages found that say most about a question, inside a budget of tokens.

A prompt is short, because each token of it has to be read before the answer begins. What a sentence is worth
is the share of the question's rarity that it holds (terms weighted by how rare they are), or that a sentence
near it holds; the place of its passage among those found counts more. Table rows bring their header along,
sentences their heading. The order within a passage stays, and what was left out is marked by a gap.
Measured against whole passages by :mod:`tests.quality.retrieval.context`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.answer import sentences
from engine.answer.gate import background
from engine.answer.gate.figures import stem
from engine.answer.gate.search_figures import TERMS
from engine.answer.gate.surroundings import frequency_in
from engine.documents import SearchHit
from engine.index import lexical
from engine.index.library import Library

Span = tuple[int, int]
Rarity = Callable[[Sequence[str]], Sequence[float]]
"""How rare each term is; positive."""

GAP = "…"
"""Stands where sentences of a passage were left out; on a line of its own between lines."""

_NEARBY = 0.7
"""What a sentence says, as worth to the one beside it; once more for each sentence farther away."""

_PLACE, _AROUND = 2.0, 0.7
"""Weight of the passage's place among those found (1, 1/2, 1/3 …); and what sentence and place are worth in a
passage that only stands beside one of those. Anything from 1 to 3 measures alike; without a weight of the
place (and only the next sentence counted) the evidence of lawbench_articles within 300 tokens falls from 1 to
0.650."""

_LONGEST = 200
"""Characters from which a sentence is taken in pieces, at a comma if there is one."""

_CELLS = " | "
"""Between the cells of a table's row, as the loaders write it."""

_SCRAP = 8
"""Tokens that are not worth another look."""


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A passage and the spans of its text that are kept, in order, not touching each other."""

    hit: SearchHit
    kept: tuple[Span, ...]


def rarity_in(libraries: Sequence[Library]) -> Rarity:
    """How rare terms are in these libraries together, with text in general added."""

    def of(terms: Sequence[str]) -> Sequence[float]:
        frequency, passages = frequency_in(libraries, terms)
        rare: list[float] = background.load().rarity_here(terms, frequency, passages).tolist()
        return rare

    return of


def general_rarity(terms: Sequence[str]) -> Sequence[float]:
    """How rare terms are in text in general, where no library is at hand."""
    rare: list[float] = background.load().rarity(terms).tolist()
    return rare


def gap(text: str, end: int, start: int) -> str:
    """The mark for what was left out between a span's end and the next one's start."""
    return f"\n{GAP}\n" if "\n" in text[end:start] else GAP


def joined(text: str, kept: Sequence[Span]) -> str:
    """The kept spans of a text, with a mark for every gap between two of them."""
    pieces: list[str] = []
    last = None
    for start, end in kept:
        if last is not None:
            pieces.append(gap(text, last, start))
        pieces.append(text[start:end])
        last = end
    return "".join(pieces)


def trim(
    question: str,
    hits: Sequence[SearchHit],
    around: Sequence[SearchHit],
    count_tokens: Callable[[str], int],
    budget: int,
    block_cost: Callable[[SearchHit], int],
    rarity: Rarity,
) -> tuple[Trimmed, ...]:
    """What to keep of the ``hits`` (best first) and the passages ``around`` them, in this order.

    ``block_cost`` is what a passage costs beside its text, in tokens like ``budget``. Sentences are taken by
    their worth, best first, until nothing more fits. Where not one fits, the best is cut off inside.
    """
    terms = _weights(question, rarity)
    passages = [_Passage.of(hit, terms) for hit in (*hits, *around)]
    worth = [
        (-value, number, at)
        for number, passage in enumerate(passages)
        for at, value in enumerate(passage.worth(min(number, len(hits)), number >= len(hits)))
    ]
    left, gap_tokens = budget, count_tokens(f"\n{GAP}\n")
    closed: set[int] = set()
    for _, number, at in sorted(worth):
        passage = passages[number]
        if number in closed:
            continue
        chosen = passage.with_unit(at)
        tokens = passage.tokens_of(chosen, count_tokens, gap_tokens)
        cost = tokens - passage.tokens + (0 if passage.kept else block_cost(passage.hit))
        if cost <= left:
            passage.kept, passage.tokens = chosen, tokens
            left -= cost
        elif left < _SCRAP:
            break
        elif not passage.kept:  # its best does not fit: a scrap of it could mislead
            closed.add(number)
    found = tuple(Trimmed(passage.hit, passage.spans(passage.kept)) for passage in passages if passage.kept)
    if found or not worth:
        return found
    _, number, at = min(worth)
    return _cut_off(passages[number], at, count_tokens, budget - block_cost(passages[number].hit))


def _weights(question: str, rarity: Rarity) -> dict[str, float]:
    """The question's terms without English endings, and the share of each in their rarity."""
    wanted = lexical.query_terms(question)[:TERMS]
    found: dict[str, float] = {}
    for term, rare in zip(wanted, rarity(wanted), strict=True):
        found[stem(term)] = max(rare, found.get(stem(term), 0.0))
    total = sum(found.values())
    return {term: rare / total for term, rare in found.items()}


def _cut_off(
    passage: "_Passage", at: int, count_tokens: Callable[[str], int], room: int
) -> tuple[Trimmed, ...]:
    start, end = passage.units[at]
    while end > start and count_tokens(passage.hit.text[start:end]) > room:
        end = start + (end - start) * 3 // 4
    return (Trimmed(passage.hit, ((start, end),)),) if end > start else ()


@dataclass(slots=True)
class _Passage:
    """A passage in pieces. ``says`` is what each unit holds of the question, ``companions`` are the units
    that each cannot stand without, ``kept`` those chosen so far, with their ``tokens``; ``sizes`` are tokens
    of units."""

    hit: SearchHit
    units: list[Span]
    says: list[float]
    companions: list[tuple[int, ...]]
    kept: frozenset[int] = frozenset()
    tokens: int = 0
    sizes: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, hit: SearchHit, terms: dict[str, float]) -> "_Passage":
        units = list(_units(hit.text))
        held = [set(map(stem, lexical.terms(hit.text[start:end]))) for start, end in units]
        says = [sum(weight for term, weight in terms.items() if term in each) for each in held]
        return cls(hit, units, says, list(_companions(hit, units)))

    def worth(self, place: int, is_around: bool) -> list[float]:
        """The worth of each unit; ``place`` of the passage from 0."""
        of_place = _PLACE / (1 + place)
        # A heading comes along with each of its sentences, so that it makes none of them worth more.
        leading = {at for units in self.companions for at in units}
        near = _spread([0.0 if at in leading else said for at, said in enumerate(self.says)])
        return [
            (of_place + max(value, said)) * (_AROUND if is_around else 1)
            for value, said in zip(near, self.says, strict=True)
        ]

    def with_unit(self, at: int) -> frozenset[int]:
        return self.kept.union((at, *self.companions[at]))

    def tokens_of(self, chosen: frozenset[int], count_tokens: Callable[[str], int], gap_tokens: int) -> int:
        """Tokens of the text of the chosen units, each with the blanks behind it; at most a few too many."""
        for at in chosen - self.sizes.keys():
            end = self.units[at + 1][0] if at + 1 < len(self.units) else self.units[at][1]
            self.sizes[at] = count_tokens(self.hit.text[self.units[at][0] : end])
        return sum(self.sizes[at] for at in chosen) + gap_tokens * (len(self.spans(chosen)) - 1)

    def spans(self, chosen: frozenset[int]) -> tuple[Span, ...]:
        """The chosen units, those side by side as one span."""
        found: list[Span] = []
        last = None
        for at in sorted(chosen):
            start, end = self.units[at]
            if last is not None and at == last + 1:
                start = found.pop()[0]
            found.append((start, end))
            last = at
        return tuple(found)


def _spread(says: Sequence[float]) -> list[float]:
    """For each unit the most that it or one near it says, less with the distance."""
    near = list(says)
    for order in (range(1, len(near)), range(len(near) - 2, -1, -1)):
        step = order.step
        for at in order:
            near[at] = max(near[at], near[at - step] * _NEARBY)
    return near


def _units(text: str) -> Iterator[Span]:
    """The sentences of a text, long ones in pieces; a table's row is one, whatever its cells hold."""
    for start, end in _rows_whole(text):
        while end - start > _LONGEST and _CELLS not in text[start:end]:
            comma = max(text.rfind(mark, start + _LONGEST // 2, start + _LONGEST) for mark in "，、,; ")
            cut = comma + 1 if comma >= 0 else start + _LONGEST
            yield start, cut
            start = cut
        yield start, end


def _rows_whole(text: str) -> Iterator[Span]:
    at = 0
    for line in text.splitlines(keepends=True):
        if _CELLS in line:
            body = line.strip()
            start = at + line.index(body)
            yield start, start + len(body)
        else:
            yield from ((at + start, at + end) for start, end in sentences.split(line))
        at += len(line)


def _companions(hit: SearchHit, units: Sequence[Span]) -> Iterator[tuple[int, ...]]:
    """For each unit the ones it cannot stand without: the heading above it, the header of its table."""
    headings = {hit.title, *hit.section}
    heading = header = None
    for at, (start, end) in enumerate(units):
        text = hit.text[start:end]
        is_row = _CELLS in text
        if not is_row:
            header = None
        elif header is None:
            header = at
        if text.lstrip("# ") in headings:
            heading = at
        yield tuple(each for each in (heading, header) if each is not None and each != at)
