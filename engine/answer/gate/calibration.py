"""How high questions without an answer score in one library: the threshold's correction for it.

A library of look-alike contracts gives every question more support than an encyclopedia does. So when an
index is complete, clauses of its own passages are asked, each after its document's title and with the
document left out, and a share of what their scores differ from other libraries' moves the score of every
question. With it the eight sets of tests/quality/README.md, each left out of the fit, have 93 % of the absent
refused instead of 86 %, and 2.7 % of the others instead of 4.1 %.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.answer import retrieval
from engine.answer.gate import background
from engine.answer.gate.figures import DENSE, Held
from engine.answer.gate.missing import named
from engine.answer.gate.search_figures import TERMS, Surroundings, figures_of
from engine.answer.gate.surroundings import of_libraries
from engine.answer.gate.weights import level, load
from engine.config import Settings
from engine.index import embedders, lexical
from engine.index.embedding import Embedder
from engine.index.library import Library

QUESTIONS = 32
_FEWEST = 8
"""Scores without which nothing is corrected."""

_CHANGED = 0.1
"""Share by which a library grows or shrinks before it is measured again."""

_DEPTH, _JUDGED = 20, 5
_PASSAGES = 64
"""Of a document, those whose terms are taken out of the counts."""

_SENTENCE, _CLAUSE = re.compile(r"[。！？!?；;\n]|\.\s"), re.compile(r"[，,：:]")


def calibrating(library: Library, embedder: Embedder | None, settings: Settings) -> Iterator[None]:
    """Measure a library that has changed since it was measured; one step is one search."""
    count = library.chunk_count()
    if embedder is None or embedder.model_id != background.load().model or not count:
        return
    known = json.loads(library.meta("gate", "{}"))
    is_recent = bool(known) and abs(known["passages"] - count) <= _CHANGED * known["passages"]
    if is_recent and known.get("models") == _models():
        return
    if not embedders.fits(library, embedder):
        return
    made: list[Mapping[str, float]] = []
    for figures in self_made(library, embedder, settings):
        if figures is not None and DENSE[0] in figures:
            made.append(figures)
        yield
    levels = {}
    if len(made) >= _FEWEST:
        levels = {lanes: level([model.score(figures) for figures in made]) for lanes, model in load().items()}
    content = {
        "generation": library.generation, "passages": count, "models": _models(), "levels": levels,
    }  # fmt: skip
    library.set_meta("gate", json.dumps(content))


def shift(libraries: Sequence[Library], lanes: str = "hybrid") -> float:
    """What is taken off a question's score: the mean over the libraries' passages, 0 where not measured.

    ``lanes`` is the model that gave the score.
    """
    weighed = total = 0.0
    model = load()[lanes]
    for library in libraries:
        known = json.loads(library.meta("gate", "{}"))
        count = library.chunk_count()
        total += count
        if known.get("models") == _models() and lanes in known["levels"]:
            weighed += count * model.shift(known["levels"][lanes])
    return weighed / total if total else 0.0


def _models() -> list[float]:
    """What says whether a level was measured with the models that ship: their biases."""
    return [model.bias for model in load().values()]


def self_made(
    library: Library, embedder: Embedder, settings: Settings
) -> Iterator[Mapping[str, float] | None]:
    """Figures of questions made from passages spread over the library, each with its document left out."""
    rows = [row for (row,) in library.db.execute("SELECT id FROM chunks ORDER BY id")]
    step = max(1, len(rows) // QUESTIONS)
    for row in rows[::step][:QUESTIONS]:
        stored = library.chunks([row])[row]
        question = made_from(stored.chunk.text, stored.title)
        if question is None:
            continue
        found = retrieval.search(question, [library], embedder, settings, _DEPTH)
        hits = [hit for hit in found if hit.document != stored.document][:_JUDGED]
        wanted = lexical.query_terms(named(question))[:TERMS]
        if not hits or not wanted:
            yield None
            continue
        around = of_libraries(question, wanted, [library], embedder)
        fewer = without(library, around, library.rows_of([stored.document])[:_PASSAGES])
        yield figures_of(named(question), wanted, hits, Held.of(wanted, hits), fewer)


def without(library: Library, around: Surroundings, rows: Sequence[int]) -> Surroundings:
    """The surroundings as they are when these passages are not in the library."""
    texts = [stored.chunk.text for stored in library.chunks(rows).values()]
    gone = Counter(term for text in texts for term in set(lexical.terms(text)))
    moments = around.moments
    if around.query is not None:
        scores = library.vectors(rows) @ around.query
        count, total, squares = moments
        moments = count - len(scores), total - float(scores.sum()), squares - float(scores @ scores)
    frequency = {term: max(0, held - gone[term]) for term, held in around.frequency.items()}
    return Surroundings(around.passages - len(texts), frequency, around.query, moments)


def made_from(text: str, title: str) -> str | None:
    """A question about a passage: its title, and the clause whose terms are of middling rarity.

    The title makes it resemble a question that names its subject, which is what a neighbouring document of
    the same kind supports most. The rarest clause would be mostly numbers and names.
    """
    clauses = sorted(clauses_of(text))
    if not clauses:
        return None
    clause = clauses[(len(clauses) - 1) // 2][1]
    return clause if title in clause else f"{title} {clause}"


def clauses_of(text: str) -> Iterator[tuple[float, str]]:
    """The clauses of a passage that are as long as a question, with how rare their terms are on average."""
    general = background.load()
    for sentence in _SENTENCE.split(text):
        for part in _CLAUSE.split(sentence):
            clause = part.strip()
            shortest, longest = (25, 110) if clause.isascii() else (10, 45)
            if not shortest <= len(clause) <= longest:
                continue
            if terms := lexical.query_terms(clause):
                yield float(general.rarity(terms).mean()), clause
