"""为什么没找到: what is nearest by words and by meaning, which words are missing, which files unread."""

from collections.abc import Sequence

from engine.answer.suggestion import as_words, suggest
from engine.answers import Gate, WhyNot
from engine.documents import FAILED, FileState, SearchHit
from engine.index import lexical
from engine.index.library import Library

_UNREAD = FAILED | {FileState.PARTIAL, FileState.UNSUPPORTED}


def explain(
    question: str,
    hits: Sequence[SearchHit],
    gate: Gate | None,
    libraries: Sequence[Library],
    *,
    narrowed: bool = False,
) -> WhyNot:
    """What can be said about a question that was refused; ``hits`` are its nearest passages.

    ``narrowed``: only some of the documents were searched.
    """
    by_words = [hit for hit in hits if hit.lexical]
    by_meaning = [hit for hit in hits if hit.dense is not None]
    return WhyNot(
        lexical=max(by_words, key=lambda hit: hit.lexical or 0.0, default=None),
        dense=max(by_meaning, key=lambda hit: hit.dense or 0.0, default=None),
        missing_terms=as_words(gate.missing_terms) if gate else (),
        unreadable=unreadable(question, libraries),
        suggestion=suggest(question, hits, gate, narrowed=narrowed),
    )


def unreadable(question: str, libraries: Sequence[Library]) -> tuple[tuple[str, str], ...]:
    """Name and state of files that were not read in full: first those whose name has the question's words."""
    asked = set(lexical.query_terms(question))
    found = [file for library in libraries for file in library.names_in(_UNREAD)]
    return tuple(sorted(found, key=lambda file: (-len(asked & set(lexical.terms(file[0]))), file)))
