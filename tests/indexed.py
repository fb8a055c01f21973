"""Libraries filled by hand: chunks and documents without loaders or a folder."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from engine.documents import Chunk, FileState, Page, PageSpan, SourceDocument
from engine.events import FileReport
from engine.index.embedding import Embedder, vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord

FOLDER = Path("/文档")


def piece(text: str, ordinal: int = 0, page: int = 1, section: tuple[str, ...] = ()) -> Chunk:
    """A chunk that is the whole text of its page."""
    name = hashlib.sha256(f"{ordinal}{page}{text}".encode()).hexdigest()[:20]
    spans = (PageSpan(page, 0, len(text)),)
    return Chunk(name, ordinal, page, page, spans, text, tokens=len(text) + 2, section=section)


def put(
    library: Library,
    path: str,
    texts: Sequence[str],
    embedder: Embedder | None = None,
    *,
    title: str = "",
    section: tuple[str, ...] = (),
    folder: Path = FOLDER,
) -> int:
    """Write a document with one page and one chunk a text; returns the number of chunks replaced."""
    chunks = [piece(text, n, n + 1, section) for n, text in enumerate(texts)]
    keys: list[str] = []
    vectors = {}
    if embedder is not None:
        keys = [vector_key(embedder.model_id, embedder.precision, text) for text in texts]
        vectors = dict(zip(keys, embedder.embed_passages(list(texts)), strict=True))
    return library.write_document(
        FileRecord(
            folder_id=library.folder_id(folder),
            path=path,
            size=sum(map(len, texts)),
            mtime_ns=1,
            content_hash=hashlib.sha256("\0".join(texts).encode()).hexdigest(),
            report=FileReport(path, FileState.INDEXED, None, len(texts), len(texts)),
            document=SourceDocument("text", title),
            pages=[Page(n + 1, text) for n, text in enumerate(texts)],
            chunks=chunks,
            keys=keys,
            vectors=vectors,
        )
    )


def row_of(library: Library, text: str) -> int:
    """The row id of the first chunk with this text."""
    return int(library.db.execute("SELECT min(id) FROM chunks WHERE text = ?", (text,)).fetchone()[0])
