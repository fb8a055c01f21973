"""One suggestion how to ask differently, for a question that was refused: a code and its parameters.

The first that applies, from what narrowed the search most to what is near: the documents chosen,
words that no passage holds, several questions in one, and at last what the nearest passage does
speak of.
"""

import re
from collections.abc import Sequence

from engine.answer.grounding.claims import lexicon
from engine.answer.trimming import general_rarity
from engine.answers import Gate
from engine.documents import Reason, SearchHit
from engine.index import lexical

_RUN = re.compile(r"[\u3400-\u9fff]+")
_WHEN = re.compile(
    r"[去今明前后當当][年天日]|[本上下]个?[月周季]|昨[天日]|最近|目前|last|this|next|recent", re.I
)
_SEVERAL = re.compile(r"[？?].+[？?]|分别|以及各自|\brespectively\b", re.S)


def suggest(question: str, hits: Sequence[SearchHit], gate: Gate | None, *, narrowed: bool) -> Reason | None:
    """What to try; None where nothing was found at all. ``narrowed``: only some documents were searched."""
    if narrowed:
        return Reason("suggest_all_documents")
    if not hits:
        return None
    words = as_words(gate.missing_terms) if gate is not None else ()
    if missing := [word for word in words if not _WHEN.search(word)]:
        return Reason("suggest_other_words", {"term": max(missing, key=_says)})
    if _SEVERAL.search(question):
        return Reason("suggest_one_at_a_time")
    return _nearest(hits[0])


def as_words(missing: Sequence[str]) -> tuple[str, ...]:
    """Missing terms without what a person would not look up: 班车 and 地铁站发车 of 班车几点从地铁站发车, and
    nothing of a lone 能."""
    found: list[str] = []
    for term in missing:
        for run in _RUN.findall(term):
            piece = ""
            for word in lexicon.segment(run):
                if word.kind != "function":
                    piece += run[word.start : word.end]
                    continue
                found.append(piece)
                piece = ""
            found.append(piece)
        if not _RUN.search(term):
            found.append(term)
    return tuple(dict.fromkeys(each for each in found if len(each) > 1))


def _says(word: str) -> float:
    """How much a word says of what is asked for: net of net profit says little."""
    return max(general_rarity(lexical.terms(word)))


def _nearest(hit: SearchHit) -> Reason:
    """In parameters without a word of any language: a refusal is read in that of the window."""
    name = hit.document.rsplit("/", 1)[-1]
    if hit.kind == "pdf":
        return Reason("suggest_nearest_page", {"document": name, "page": hit.page})
    return Reason("suggest_nearest", {"place": f"{name}｜{hit.section[-1]}" if hit.section else name})
