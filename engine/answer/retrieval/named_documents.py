"""Documents whose name holds words of the question come forward: Boeing and FY2022 in BOEING_2022_10K.pdf.

Softer than :mod:`engine.answer.mentions`: nothing is left out. Only words and numbers count; Chinese titles
are long and made of common characters, and :mod:`reranking` knows when one is named whole.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.answer.gate import missing
from engine.answer.retrieval.lanes import Key
from engine.index import lexical
from engine.index.library import Library

RAISE = 1.0
"""What the document named best gains, in fused deviations; others gain their share of it."""


def raise_named(question: str, fused: Mapping[Key, float], libraries: Sequence[Library]) -> dict[Key, float]:
    """The fused scores, with what each passage's document gains.

    A word weighs the more, the fewer of the candidates' documents have it in title or file name; one that all
    of them have weighs nothing.
    """
    asked = {term for term in lexical.query_terms(missing.named(question)) if not lexical.is_han(term)}
    if not asked or not fused:
        return dict(fused)
    documents, names = _named(fused, libraries)
    held = {document: asked & _words(name) for document, name in names.items()}
    among = Counter(term for terms in held.values() for term in terms)
    gains = {
        document: sum(math.log(len(names) / among[term]) for term in terms)
        for document, terms in held.items()
    }
    most = max(gains.values())
    if not most:
        return dict(fused)
    return {key: score + RAISE * gains[documents[key]] / most for key, score in fused.items()}


def _named(
    keys: Iterable[Key], libraries: Sequence[Library]
) -> tuple[dict[Key, tuple[int, int]], dict[tuple[int, int], str]]:
    """The document of each chunk, and title with path of each document."""
    documents: dict[Key, tuple[int, int]] = {}
    names: dict[tuple[int, int], str] = {}
    for at, library in enumerate(libraries):
        rows = json.dumps([row for position, row in keys if position == at])
        for row, document, title, path in library.db.execute(
            "SELECT c.id, d.id, d.title, d.path FROM chunks c JOIN documents d ON d.id = c.document_id"
            " WHERE c.id IN (SELECT value FROM json_each(?))",
            (rows,),
        ):
            documents[at, row] = at, document
            names[at, document] = f"{title}\n{path}"
    return documents, names


@lru_cache(maxsize=8192)
def _words(name: str) -> frozenset[str]:
    """Kept, because the names of the same documents are looked at for every question (10 ms for 200)."""
    return frozenset(term for term in lexical.terms(name) if not lexical.is_han(term))
