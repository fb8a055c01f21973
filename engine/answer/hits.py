"""Chunks of a library as the passages that people, gate and prompt see."""

from collections.abc import Mapping, Sequence

from engine.documents import Page, SearchHit
from engine.index.library import Library
from engine.index.rows import StoredChunk


def hit(library: Library, stored: StoredChunk, score: float) -> SearchHit:
    """A passage without a rank; the scores of the lanes are added by who knows them."""
    chunk = stored.chunk
    return SearchHit(
        rank=0,
        score=score,
        dense=None,
        lexical=None,
        library=library.name,
        document=stored.document,
        title=stored.title,
        page=chunk.page,
        label=stored.label,
        location=chunk.location,
        section=chunk.section,
        spans=chunk.spans,
        chunk=chunk.id,
        text=chunk.text,
        row=stored.row,
        path=stored.file,
        kind=stored.kind,
        copies=tuple(place.document for place in library.places(stored.row)[1:]),
    )


def neighbours(found: SearchHit, library: Library) -> tuple[SearchHit, ...]:
    """The passages after and before a hit in the same section, the one after first; rank 0."""
    rows = library.db.execute(
        "SELECT n.id FROM chunks c JOIN chunks n ON n.document_id = c.document_id"
        " AND n.ordinal IN (c.ordinal - 1, c.ordinal + 1) WHERE c.id = ? ORDER BY n.ordinal DESC",
        (found.row,),
    ).fetchall()
    stored = library.chunks(row for (row,) in rows).values()
    return tuple(hit(library, each, found.score) for each in stored if each.chunk.section == found.section)


def passages_of(document: int, library: Library) -> list[SearchHit]:
    """All passages of a document, by its row id, in order; rank and score 0."""
    rows = library.db.execute(
        "SELECT id FROM chunks WHERE document_id = ? ORDER BY ordinal", (document,)
    ).fetchall()
    return [hit(library, each, 0.0) for each in library.chunks(row for (row,) in rows).values()]


def pages_of(found: SearchHit, libraries: Sequence[Library]) -> Mapping[int, Page]:
    """The pages that a passage of one of the libraries lies on, by number."""
    library = next(item for item in libraries if item.name == found.library)
    return {page.number: page for page in library.pages(found.row, sorted({s.page for s in found.spans}))}
