"""The figures of one search, and what it is seen against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.answer.gate import background
from engine.answer.gate.figures import Held, of_meaning, of_words
from engine.documents import SearchHit
from engine.index.embedding import Vectors

TERMS = 96
"""As many as the lexical lane looks for."""

_CHARACTERS = 400
"""Of a long question, what the longest shared run is looked for in."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the hits stand out from: the libraries' size, in how many passages each term occurs, and, where
    meaning counts, the question's vector with count, sum and sum of squares of its scores."""

    passages: int
    frequency: Mapping[str, int]
    query: Vectors | None = None
    moments: tuple[int, float, float] = (0, 0.0, 0.0)


def figures_of(
    asked: str, wanted: Sequence[str], hits: Sequence[SearchHit], held: Held, around: Surroundings
) -> dict[str, float]:
    """The figures that are weighed: of words, and of meaning where ``around`` has the question's vector."""
    general = background.load()
    rarity = general.rarity_here(wanted, around.frequency, around.passages)
    figures = of_words(asked[:_CHARACTERS], wanted, rarity, held)
    scores = [hit.dense for hit in hits if hit.dense is not None]
    if around.query is None or not scores:
        return figures
    here = general.scores_here(around.query, around.moments)
    return figures | of_meaning(max(scores), general.scores(around.query), here)
