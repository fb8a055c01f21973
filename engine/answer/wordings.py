"""One question, searched for in the ways it may be meant: few, in a fixed order, and the best is kept.

The documents that it names come first; a follow-up is looked for as rewritten, then as it was asked; where
the gate lets none of these through, with the library's aliases for its words. Five searches at most.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.answer import mentions
from engine.answers import Gate, Part
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.index import aliases
from engine.index.library import Library

LookUp = Callable[[str, DocumentFilter | None], tuple[tuple[SearchHit, ...], Gate]]
"""A search for a wording among the documents of a filter, and what the gate says to it."""

_WITH_ALIASES = 2


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, for which ``wording``, and the filter ``understood`` from it (None: none was used).

    ``parts`` are those of a question that was searched for in parts (:mod:`engine.answer.parts`).
    """

    hits: tuple[SearchHit, ...]
    gate: Gate
    wording: str
    understood: DocumentFilter | None = None
    parts: tuple[Part, ...] = ()


def best(
    question: str,
    rewritten: str | None,
    libraries: Sequence[Library],
    given: DocumentFilter | None,
    look_up: LookUp,
) -> Found:
    """The first search that the gate lets through, else the one with the highest probability.

    ``rewritten`` is the question in full where it leans on the one before, ``given`` the filter that was
    asked for: then none is understood.
    """
    wordings = [question] if rewritten is None else [rewritten, question]
    if not given and (understood := mentions.understood(wordings[0], libraries)) is not None:
        hits, gate = look_up(wordings[0], understood)
        if gate.answerable:
            return Found(hits, gate, wordings[0], understood)
    found: list[Found] = []
    for wording in wordings:
        found.append(Found(*look_up(wording, given), wording))
        # The bare question has fewer words that may be missing, so its probability says less.
        if found[-1].gate.answerable:
            break
    else:
        groups = [group for library in libraries for group in aliases.read(library.db)]
        for wording in islice(aliases.other_wordings(groups, wordings[0]), _WITH_ALIASES):
            found.append(Found(*look_up(wording, given), wording))
    # The first of equals: what is asked for as it was meant.
    return max(found, key=lambda each: (each.gate.answerable, each.gate.probability or 0.0))
