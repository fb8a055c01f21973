"""The two lanes of a search, and each lane's scores as figures that can be added.

Scores are standardised for the question over the whole library: mean and deviation of all scores, over the
union when several libraries are asked. The dense lane's come from the vectors' moments without a scan.
"""

import heapq
import logging
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from engine.errors import TeamStoreUnreachable
from engine.index import embedders, lexical
from engine.index.embedding import Embedder, Vectors
from engine.index.library import Library
from engine.index.vector_store import VectorStore

_log = logging.getLogger(__name__)

CANDIDATES = 200
"""Chunks taken from each lane before fusion."""

_ASKING = re.compile(r"(.+[?？])[^?？]+[.。!！]\s*", re.S)

_NO_DEVIATION = 1e-5
"""Below this all scores of a lane are the same: what differs is float32 rounding, not likeness."""

_BESIDE = ThreadPoolExecutor(1, thread_name_prefix="zhiye-dense")
"""Where the dense lane runs beside the lexical one, whose database belongs to the caller's thread."""

Key = tuple[int, int]
"""A chunk among several libraries: position of the library, row id."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane's scores of the candidates, and how a score is standardised over the union."""

    scores: Mapping[Key, float]
    mean: float
    deviation: float
    floor: float

    def standardised(self, key: Key) -> float:
        if self.deviation <= _NO_DEVIATION:
            return 0.0
        return (self.scores.get(key, self.floor) - self.mean) / self.deviation

    def ranks(self) -> dict[Key, int]:
        """1 for the best; equal scores in order of the key, so that the result is the same every time."""
        ordered = sorted(self.scores, key=lambda key: (-self.scores[key], key))
        return {key: rank for rank, key in enumerate(ordered, start=1)}


@dataclass(frozen=True, slots=True)
class Lanes:
    """What a search found before fusion.

    ``best`` are the lexical lane's best, best first. ``dense`` is by the library's position, one lane for all
    libraries of the same embedder; positions that no embedder fits, or whose server is silent, are not there.
    """

    lexical: Lane
    best: Sequence[Key]
    dense: Mapping[int, Lane]

    def cosines(self) -> dict[Key, float]:
        """The dense scores of all candidates."""
        return {key: score for lane in self.dense.values() for key, score in lane.scores.items()}


def asking(question: str) -> str:
    """The question up to its last question mark when full sentences follow, which say how to answer.

    Round your answer to two decimals. 请用表格回答。 Embedded with it, they draw passages about themselves.
    Words before the mark stay: they often name the subject. Measured on financebench, where 6 of 20 questions
    go on so: right page among ten 0.55 to 0.60. None of 10,175 questions of the other sets does.
    """
    found = _ASKING.fullmatch(question)
    return found.group(1) if found else question


def search(
    question: str,
    libraries: Sequence[Library],
    usable: Sequence[Embedder],
    allowed: Sequence[Key] | None = None,
) -> Lanes:
    """Both lanes' candidates, all with exact scores.

    ``allowed`` restricts the candidates, not what scores are measured against. Each library's vectors are
    searched with that one of the ``usable`` embedders which made them. SQLite, torch and FAISS all let go of
    the interpreter, so the two lanes run at the same time.
    """
    stores = _stores(libraries, usable)
    nearest = _BESIDE.submit(_nearest, question, stores, CANDIDATES if allowed is None else 0)
    try:
        lexical_lane, best = _lexical(question, libraries, allowed)
    finally:
        wait([nearest])  # the stores are the caller's own again
    also = best if allowed is None else allowed
    return Lanes(lexical_lane, best, _dense(stores, nearest.result(), also))


def _lexical(
    question: str, libraries: Sequence[Library], allowed: Sequence[Key] | None
) -> tuple[Lane, list[Key]]:
    scores: dict[Key, float] = {}
    moments = []
    for position, library in enumerate(libraries):
        found = lexical.search(library.db, question, library.chunk_count())
        scores.update({(position, row): score for row, score in found.scores.items()})
        moments.append(found.moments())
    mean, deviation = _mean_and_deviation(moments)
    possible = scores if allowed is None else [key for key in allowed if key in scores]
    best = heapq.nsmallest(CANDIDATES, possible, key=lambda key: (-scores[key], key))
    # A chunk without any of the terms scores 0, and that is the lane's floor.
    return Lane(scores, mean, deviation, 0.0), best


def _stores(
    libraries: Sequence[Library], usable: Sequence[Embedder]
) -> dict[int, tuple[Embedder, VectorStore]]:
    """The vectors of each library's position, and what made them; none where no embedder fits or a shared
    library's server does not answer (its ``team_problem`` says why)."""
    stores: dict[int, tuple[Embedder, VectorStore]] = {}
    for position, library in enumerate(libraries):
        if embedder := embedders.fitting(library, usable):
            try:
                stores[position] = embedder, library.store
            except TeamStoreUnreachable as exc:
                _log.warning("searched by words only: %s", exc)
    return stores


@dataclass(frozen=True, slots=True)
class _Nearest:
    """What one store gives for the question, and the question's vector."""

    query: Vectors
    scores: dict[int, float]


def _nearest(
    question: str, stores: Mapping[int, tuple[Embedder, VectorStore]], count: int
) -> dict[int, _Nearest]:
    """The ``count`` nearest chunks of each store that answers, by position; nothing here asks SQLite."""
    queries: dict[int, Vectors] = {}
    found: dict[int, _Nearest] = {}
    for position, (embedder, store) in stores.items():
        if id(embedder) not in queries:
            queries[id(embedder)] = embedder.embed_query(asking(question))
        query = queries[id(embedder)]
        try:
            ids, scores = store.search(query, count)
        except TeamStoreUnreachable as exc:
            _log.warning("searched by words only: %s", exc)
            continue
        found[position] = _Nearest(query, dict(zip(ids.tolist(), scores.tolist(), strict=True)))
    return found


def _dense(
    stores: Mapping[int, tuple[Embedder, VectorStore]], nearest: Mapping[int, _Nearest], also: Sequence[Key]
) -> dict[int, Lane]:
    """The dense lane of each library's position: the nearest chunks and those of ``also``, all exact."""
    together: dict[int, list[int]] = {}
    for position in nearest:
        together.setdefault(id(stores[position][0]), []).append(position)
    lanes: dict[int, Lane] = {}
    for positions in together.values():
        scores: dict[Key, float] = {}
        moments, answered = [], []
        for position in positions:
            query, found = nearest[position].query, nearest[position].scores
            store = stores[position][1]
            try:
                ids, more = store.scores(
                    query, [row for at, row in also if at == position and row not in found]
                )
                moments.append(store.moments(query))
            except TeamStoreUnreachable as exc:
                _log.warning("searched by words only: %s", exc)
                continue
            found |= zip(ids.tolist(), more.tolist(), strict=True)
            scores.update({(position, row): score for row, score in found.items()})
            answered.append(position)
        mean, deviation = _mean_and_deviation(moments)
        lane = Lane(scores, mean, deviation, min(scores.values(), default=0.0))
        lanes.update(dict.fromkeys(answered, lane))
    return lanes


def _mean_and_deviation(moments: Iterable[tuple[int, float, float]]) -> tuple[float, float]:
    count, total, squares = (sum(column) for column in zip(*moments, strict=True)) if moments else (0, 0, 0)
    if not count:
        return 0.0, 0.0
    mean = total / count
    return mean, math.sqrt(max(0.0, squares / count - mean * mean))
