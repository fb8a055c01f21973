"""Hits and answers as a search or a model might have given them."""

from typing import Any

from engine.answers import Answer, Citation
from engine.documents import SearchHit


def hit(document: str, rank: int = 1, *, row: int = 0, text: str = "文字", **more: Any) -> SearchHit:
    """A hit in the library 库; its chunk is named by document and rank."""
    return SearchHit(
        rank, 1.0, None, None, "库", document, "", 1, None, None, (), (), f"{document}{rank}", text,
        row or -rank, **more,
    )  # fmt: skip


def citation(document: str) -> Citation:
    return Citation(1, "库", document, 1, None, None, (), (), "", "", "", 1)


def answer(
    question: str, text: str, *, refused: bool = False, cited: tuple[str, ...] = (), **more: Any
) -> Answer:
    """An answer; a refusal is the gate's unless ``refused_by`` says another."""
    by = more.pop("refused_by", "gate" if refused else None)
    return Answer(
        question, text, refused, by, more.pop("sentences", ()),
        tuple(citation(document) for document in cited), more.pop("hits", ()), None, **more,
    )  # fmt: skip
