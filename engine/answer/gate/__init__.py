"""The gate: do the documents hold an answer at all? Decided before a model is asked, in milliseconds.

A constant cosine threshold refuses almost nothing (unrelated texts score 0.2 to 0.4 with bge). What tells
an answer from its absence is whether one passage both holds the question's rare vocabulary and stands out by
its meaning, and whether what was found gathers in one place. A small logistic regression weighs seven such
figures, most of them taken against a shipped background, so that one threshold serves libraries of very
different sizes.
Near misses, passages about the very subject that lack the answer, look like answers to it: those are left
to the checks of the answer.
"""

from collections.abc import Sequence

from engine.answer.gate import calibration, weights
from engine.answer.gate.figures import DENSE, Held
from engine.answer.gate.missing import named, words
from engine.answer.gate.search_figures import TERMS, figures_of
from engine.answer.gate.surroundings import of_libraries
from engine.answers import Gate
from engine.documents import SearchHit
from engine.index import lexical
from engine.index.embedding import Embedder
from engine.index.library import Library


def judge(
    question: str,
    hits: Sequence[SearchHit],
    libraries: Sequence[Library],
    mode: str,
    embedder: Embedder | None = None,
) -> Gate:
    """Whether the hits may hold the answer, and the question's words that none of them holds.

    With an ``embedder`` that the background was made for and that made the vectors of all libraries,
    meaning counts too; otherwise words alone decide.
    """
    models = weights.load()
    asked = named(question)
    wanted = lexical.query_terms(asked)[:TERMS]
    if not hits or not wanted:
        return Gate(bool(hits), None, models["lexical"].thresholds[mode], ())
    held = Held.of(wanted, hits)
    figures = figures_of(asked, wanted, hits, held, of_libraries(question, wanted, libraries, embedder))
    is_hybrid = DENSE[0] in figures
    lanes = "hybrid" if is_hybrid else "lexical"
    model, shift = models[lanes], calibration.shift(libraries, lanes)
    probability, threshold = model.probability(figures, shift), model.thresholds[mode]
    missing = words(asked, held.missing(wanted), held.terms)
    return Gate(probability >= threshold, probability, threshold, missing)
