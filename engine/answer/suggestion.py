"""One suggestion how to ask differently, for a question that was refused: a code and its parameters.

The first that applies, from what narrowed the search most to what is near: the documents chosen,
words that no passage holds, several questions in one, and at last what the nearest passage does
speak of.
"""

import re
from collections.abc import Sequence

from engine.answer.evidence import place
from engine.answers import Gate
from engine.documents import Reason, SearchHit

_SEVERAL = re.compile(r"[？?].+[？?]|分别|以及各自|\brespectively\b", re.S)


def suggest(question: str, hits: Sequence[SearchHit], gate: Gate | None, *, narrowed: bool) -> Reason | None:
    """What to try; None where nothing was found at all. ``narrowed``: only some documents were searched."""
    if narrowed:
        return Reason("suggest_all_documents")
    if not hits:
        return None
    if gate is not None and gate.missing_terms:
        return Reason("suggest_other_words", {"term": gate.missing_terms[0]})
    if _SEVERAL.search(question):
        return Reason("suggest_one_at_a_time")
    return Reason("suggest_nearest", {"place": place(hits[0])})
