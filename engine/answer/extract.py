"""The answer without a chat model: the sentences of the best passages that say most about the question."""

from dataclasses import replace

from engine.answer.citations import PageTexts, cite
from engine.answer.evidence import Evidence
from engine.documents import Answer, Citation, Sentence

PASSAGES = 3
"""Passages quoted; more is a list of hits, which the window shows anyway."""


def answer(draft: Answer, page_texts: PageTexts) -> Answer:
    """``draft`` with a text made of quotes, each with its citation."""
    citations: list[Citation] = []
    sentences: list[Sentence] = []
    for hit in draft.hits[:PASSAGES]:
        block = Evidence(len(citations) + 1, hit, hit.text)
        citation = cite(len(citations) + 1, draft.question, block, page_texts)
        if any(citation.quote == other.quote for other in citations):
            continue
        citations.append(citation)
        sentences.append(Sentence(citation.quote, "supported", (citation.number,)))
    text = "\n".join(f"{s.text}[{s.citations[0]}]" for s in sentences)
    return replace(
        draft, text=text, sentences=tuple(sentences), citations=tuple(citations), evidence_only=True,
        evidence=tuple(citation.chunk for citation in citations),
    )  # fmt: skip
