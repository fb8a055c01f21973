"""Searching for a question: the best passages, and whether they may hold the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from engine.answer import filters, gate, other_versions, parts, retrieval, wordings
from engine.answers import Gate
from engine.config import QUESTION_LIMIT, Settings
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.errors import QuestionEmpty, QuestionTooLong
from engine.events import Notice
from engine.index import embedders, lexical
from engine.index.embedding import Embedder
from engine.index.library import Library


def search(
    question: str,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    top: int | None = None,
    documents: retrieval.Documents | None = None,
    others: Sequence[Embedder] = (),
) -> tuple[tuple[SearchHit, ...], Gate]:
    """The best passages, and whether they may hold the answer; ``documents`` restricts both to those.

    ``others`` are used for libraries whose vectors they made.

    Raises:
        QuestionEmpty: nothing in the question can be searched for.
        QuestionTooLong: more than 10,000 characters.
    """
    if len(question) > QUESTION_LIMIT:
        raise QuestionTooLong(length=len(question), limit=QUESTION_LIMIT)
    if not lexical.query_terms(question):
        raise QuestionEmpty()
    count = top or settings.top_k
    hits = retrieval.search(question, libraries, embedder, settings, count, documents, others)
    return hits, gate.judge(question, hits[: settings.top_k], libraries, settings.mode, embedder)


def find(
    question: str,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    settings: Settings,
    top: int | None = None,
    others: Sequence[Embedder] = (),
    *,
    chosen: DocumentFilter | None = None,
    rewritten: str | None = None,
) -> wordings.Found:
    """:func:`search` in the ways that the question may be meant (:mod:`engine.answer.wordings`).

    ``chosen`` restricts it to some documents, ``rewritten`` is the question in full where it leans on
    another.
    """
    given = chosen or None

    # Which chunks a filter leaves takes a tenth of a second for 6,000 documents.
    left = cache(lambda among: retrieval.rows_of(libraries, among))

    def look_up(wording: str, among: DocumentFilter | None) -> tuple[tuple[SearchHit, ...], Gate]:
        documents = None if among is None else left(among)
        return search(wording, libraries, embedder, settings, top, documents, others)

    def look(text: str, full: str | None) -> wordings.Found:
        return wordings.best(text, full, libraries, given, look_up)

    found = parts.best(question, rewritten, look, settings, top or settings.top_k)
    among = found.understood or given
    return replace(found, hits=other_versions.newest_first(found.wording, found.hits, libraries, among))


def notices(
    task_id: int,
    libraries: Sequence[Library],
    embedder: Embedder | None,
    others: Sequence[Embedder],
    chosen: DocumentFilter | None,
) -> Iterator[Notice]:
    """What limits a search before it begins: no library, no embedder for it, no document that is chosen."""
    if not libraries:
        yield Notice(task_id, "no_library")
        return
    if embedder is None:
        yield Notice(task_id, "lexical_only")
    else:
        for params in embedders.strangers(libraries, embedder, others):
            yield Notice(task_id, "other_embedder", params)
    if chosen and not filters.matching(libraries, chosen)[0]:
        yield Notice(task_id, "no_document_matches", {"filter": str(chosen)})
