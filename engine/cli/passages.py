"""Passages as people read them in a terminal."""

from collections.abc import Sequence

from engine.answer.evidence import place
from engine.answers import Citation
from engine.cli.console import Console
from engine.documents import SearchHit
from engine.wording import Language

_QUOTED, _SHOWN = 120, 80
"""Characters of a quoted sentence, and of a passage that was found."""


def source_lines(citations: Sequence[Citation], console: Console) -> list[str]:
    """Below an answer: each citation with its place and its sentence; nothing where there is none."""
    if not citations:
        return []
    lines = ["", console.say("heading_sources")]
    for citation in citations:
        lines.append(f"[{citation.number}] {place(citation, console.language)}")
        lines.append(f"    {citation.quote[:_QUOTED]}")
    return lines


def hit_lines(hits: Sequence[SearchHit], language: Language) -> list[str]:
    """One hit in two lines."""
    lines = []
    for hit in hits:
        lines.append(f"{hit.rank:>2}. {place(hit, language)}  ({hit.score:.2f})")
        lines.append(f"    {' '.join(hit.text.split())[:_SHOWN]}")
    return lines
