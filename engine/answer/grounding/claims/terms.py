"""The words of a text that are compared, and how rare each is in general."""

from collections.abc import Mapping, Sequence

from engine.answer.gate import background
from engine.answer.gate.figures import stem
from engine.index import lexical

HEAVIEST = 7.0
"""In a comparison of wordings a term weighs its rarity, but no more: one odd word must not decide alone."""

_LIGHTEST = 0.1

_rarity: dict[str, float] = {}
_KEPT = 50_000


def held(text: str) -> frozenset[str]:
    """The terms of a text without numbers and lone characters; English words without their endings."""
    return frozenset(stem(term) for term in _words(text))


def rare(text: str) -> dict[str, float]:
    """The same terms in order, each with its rarity: −log of the share of general passages that hold it."""
    found = _words(text)
    return {stem(term): each for term, each in zip(found, _rarities(found), strict=True)}


def weighted(text: str) -> dict[str, float]:
    """The same terms, each with what it counts in a comparison of wordings."""
    return {term: min(max(each, _LIGHTEST), HEAVIEST) for term, each in rare(text).items()}


def share_held(wanted: Mapping[str, float], text: str) -> float:
    """The share of terms, each by its weight, that a text holds; 0 of none."""
    known, total = held(text), sum(wanted.values())
    return sum(weight for term, weight in wanted.items() if term in known) / total if total else 0.0


def rarity(term: str) -> float:
    """−log of the share of general passages that hold one term."""
    return _rarities([term])[0]


def _words(text: str) -> list[str]:
    return [
        term
        for term in dict.fromkeys(lexical.terms(text))
        if not (term[0].isdigit() or (len(term) == 1 and lexical.is_han(term)))
    ]


def _rarities(terms: Sequence[str]) -> list[float]:
    unknown = [term for term in terms if term not in _rarity]
    if unknown:
        if len(_rarity) > _KEPT:
            _rarity.clear()
            unknown = list(terms)
        _rarity.update(zip(unknown, background.load().rarity(unknown).tolist(), strict=True))
    return [_rarity[term] for term in terms]
