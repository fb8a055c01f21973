"""Two lanes joined into one score: the weighted sum of standardised scores, or reciprocal ranks.

The weights are measured (:mod:`tests.quality.retrieval`). On Chinese sets 0.7 for the dense lane is best or
within 0.002 MRR of the best. bge-*-zh is weak in English: there the best weight lies at 0.3 to 0.5 on each of
xquad_en, rageval_en and expmrc_en, and 0.4 is within 0.001 MRR of the best on all three. An English question
about Chinese passages shares no words with them, so that the dense lane must decide.
"""

import re
from collections.abc import Sequence

from engine.answer.retrieval.lanes import CANDIDATES, Key, Lane, Lanes
from engine.config import Settings
from engine.index.library import Library

DENSE_WEIGHT, DENSE_WEIGHT_ENGLISH = 0.7, 0.4
"""Share of the dense lane in the sum: in general, and for an English question about English passages."""

RRF_K = 60
"""Cormack, Clarke and Büttcher (SIGIR 2009)."""

_LOOKED_AT = 10
"""Best passages of the lexical lane whose language is looked at."""

_BEGINNING = 200
"""Characters of each of them."""

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{2,}")


def fuse(question: str, lanes: Lanes, libraries: Sequence[Library], settings: Settings) -> dict[Key, float]:
    """A score for every candidate; only those of the lexical lane where there is no other."""
    if not lanes.dense:
        return {key: lanes.lexical.standardised(key) for key in lanes.best}
    if settings.fusion == "rrf":
        return by_ranks(lanes)
    weight = settings.dense_weight
    if weight is None:
        weight = weight_for(question, lanes, libraries)
    return weighted_sum(lanes, weight)


def weighted_sum(lanes: Lanes, weight: float) -> dict[Key, float]:
    """``weight`` · dense + (1 - ``weight``) · lexical, both in deviations from the library's mean."""
    return {key: _weighted(key, lanes.dense.get(key[0]), lanes.lexical, weight) for key in _candidates(lanes)}


def by_ranks(lanes: Lanes) -> dict[Key, float]:
    """Reciprocal rank fusion over the first 200 of each lane."""
    distinct = {id(lane): lane for lane in (*lanes.dense.values(), lanes.lexical)}
    ranks = [lane.ranks() for lane in distinct.values()]
    return {
        key: sum(1 / (RRF_K + lane[key]) for lane in ranks if lane.get(key, CANDIDATES + 1) <= CANDIDATES)
        for key in _candidates(lanes)
    }


def weight_for(question: str, lanes: Lanes, libraries: Sequence[Library]) -> float:
    """The dense lane's share by the language of the question and of the passages that hold its words."""
    if not is_english(question):
        return DENSE_WEIGHT
    texts = [
        beginning
        for position, row in lanes.best[:_LOOKED_AT]
        for (beginning,) in libraries[position].db.execute(
            "SELECT substr(text, 1, ?) FROM chunks WHERE id = ?", (_BEGINNING, row)
        )
    ]
    english = sum(map(is_english, texts))
    return DENSE_WEIGHT_ENGLISH if english * 2 > len(texts) else DENSE_WEIGHT


def is_english(text: str) -> bool:
    """Whether a text has more words of letters than Han characters."""
    return len(_WORD.findall(text)) > len(_HAN.findall(text))


def _candidates(lanes: Lanes) -> set[Key]:
    return {*lanes.best, *lanes.cosines()}


def _weighted(key: Key, dense: Lane | None, lexical_lane: Lane, weight: float) -> float:
    if dense is None:  # standardised scores are on one scale, with the other lane or without
        return lexical_lane.standardised(key)
    return weight * dense.standardised(key) + (1 - weight) * lexical_lane.standardised(key)
