"""Hybrid retrieval: two lanes (:mod:`lanes`), joined (:mod:`fusion`) and put in order (:mod:`ranking`).

Measured by ``python -m tests.quality.retrieval``; its table stands in tests/quality/README.md.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.answer import filters
from engine.answer.hits import hit
from engine.answer.retrieval import fusion, lanes, named_documents, ranking, reranking
from engine.answer.retrieval.lanes import Key
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.index.embedding import Embedder
from engine.index.library import Library

Documents = frozenset[str] | DocumentFilter | list[Key]


def search(
    question: str,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    top: int,
    documents: Documents | None = None,
    others: Sequence[Embedder] = (),
) -> tuple[SearchHit, ...]:
    """The ``top`` best passages, best first, none of which repeats a better one.

    ``documents`` (paths as people see them, a filter, or its chunks) restricts the candidates, not what
    scores are measured against. A library whose vectors another embedder made is searched with that one when
    it is among the ``others``. Where no embedder fits, the lexical lane alone decides and ``dense`` is None.
    """
    allowed = None if documents is None else rows_of(libraries, documents)
    usable = () if embedder is None else (embedder, *others)
    found = lanes.search(question, libraries, usable, allowed)
    fused = fusion.fuse(question, found, libraries, settings)
    if settings.rerank and settings.fusion == "standardised":
        fused = named_documents.raise_named(question, fused, libraries)
        fused = reranking.raise_best(question, fused, libraries)
    cosines = found.cosines()
    return tuple(
        replace(
            hit(libraries[each.key[0]], each.stored, each.score),
            rank=rank,
            dense=cosines.get(each.key),
            lexical=found.lexical.scores.get(each.key, 0.0),
            also_in=each.also_in,
        )
        for rank, each in enumerate(ranking.rank(libraries, fused, top, settings.min_score), start=1)
    )


def rows_of(libraries: Sequence[Library], documents: Documents) -> list[Key]:
    """The chunks of the documents that are chosen; looked up once, they serve several searches."""
    if isinstance(documents, list):
        return documents
    chosen = documents if isinstance(documents, DocumentFilter) else DocumentFilter(documents=documents)
    return [(at, row) for at, library in enumerate(libraries) for row in filters.rows(chosen, library)]
