"""The answer without a chat model: the sentences of the best passages that say most about the question."""

from dataclasses import replace

from engine.answer import trimming
from engine.answer.evidence import Evidence
from engine.answer.grounding.citations import PageTexts, cite
from engine.answer.trimming import Rarity
from engine.answers import Answer, Citation, Sentence

PASSAGES = 3
"""Passages quoted; more is a list of hits, which the window shows anyway."""


CHARACTERS = 160
"""Of a passage that are looked at for its quote, chosen as they are for a prompt."""


def answer(draft: Answer, page_texts: PageTexts, rarity: Rarity = trimming.general_rarity) -> Answer:
    """``draft`` with a text made of quotes, each with its citation."""
    citations: list[Citation] = []
    sentences: list[Sentence] = []
    kept = [
        each
        for hit in draft.hits[:PASSAGES]
        for each in trimming.trim(draft.question, [hit], (), len, CHARACTERS, lambda hit: 0, rarity)
    ]
    for each in kept:
        number = len(citations) + 1
        citation = cite(number, draft.question, Evidence.of(number, each), page_texts)
        if any(citation.quote == other.quote for other in citations):
            continue
        citations.append(citation)
        sentences.append(Sentence(citation.quote, "supported", (citation.number,)))
    text = "\n".join(f"{s.text}[{s.citations[0]}]" for s in sentences)
    return replace(
        draft, text=text, sentences=tuple(sentences), citations=tuple(citations), evidence_only=True,
        evidence=tuple(citation.chunk for citation in citations),
    )  # fmt: skip
