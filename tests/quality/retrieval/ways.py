"""The ways of joining two lanes that are compared, all over the same candidates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.answer.retrieval import fusion, lanes, ranking
from engine.answer.retrieval.lanes import Key, Lanes
from engine.config import Settings
from engine.index.embedding import Embedder
from engine.index.library import Library

Fuse = Callable[[str, Lanes, Sequence[Library]], Mapping[Key, float]]

DEPTH = 10
WEIGHTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Passage:
    document: str
    text: str


@dataclass(frozen=True, slots=True)
class Way:
    """``shipped``: its list is the product's, else the plain order of the scores."""

    name: str
    fuse: Fuse
    shipped: bool = False


def ways(weights: Sequence[float] = WEIGHTS) -> list[Way]:
    """Each lane alone, reciprocal ranks, weighted sums, and what ships."""
    weighted = [
        Way(f"sum, dense {weight:.1f}", lambda _, found, __, w=weight: fusion.weighted_sum(found, w))  # type: ignore[misc]
        for weight in weights
    ]
    return [
        Way("dense", lambda _, found, __: found.cosines()),
        Way("lexical", lambda _, found, __: {key: found.lexical.scores[key] for key in found.best}),
        Way("RRF", lambda _, found, __: fusion.by_ranks(found)),
        *weighted,
        Way("sum, dense by language", _by_language),
        Way("the same, ranked", _by_language, shipped=True),
    ]


def _by_language(question: str, found: Lanes, libraries: Sequence[Library]) -> Mapping[Key, float]:
    return fusion.fuse(question, found, libraries, Settings())


def compared(
    question: str,
    library: Library,
    embedder: Embedder,
    chosen: Sequence[Way],
    passages: Mapping[int, Passage],
) -> Iterator[list[Passage]]:
    """The ten best passages of each way, in the order of the ways; ``passages`` are the library's by row."""
    found = lanes.search(question, [library], [embedder])
    for way in chosen:
        fused = way.fuse(question, found, [library])
        if way.shipped:
            yield [passages[each.key[1]] for each in ranking.rank([library], fused, DEPTH)]
        else:
            best = sorted(fused, key=lambda key: (-fused[key], key))
            yield _distinct([passages[row] for _, row in best[: 2 * DEPTH]])


def _distinct(found: Sequence[Passage]) -> list[Passage]:
    return list({passage.text: passage for passage in found}.values())[:DEPTH]
