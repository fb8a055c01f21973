"""Small libraries, hits and evidence for tests of the answer's way, without files and without models."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine import pipeline
from engine.answer.evidence import Evidence
from engine.answer.generation import Generator
from engine.answer_events import AnswerFinished
from engine.answers import Answer
from engine.cancel import CancelToken
from engine.config import Settings
from engine.documents import Chunk, FileState, Page, PageSpan, SearchHit, SourceDocument
from engine.events import Event, FileReport
from engine.index.embedding import Embedder, Vectors, vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord
from tests.fakes import FakeEmbedder


class ConstantEmbedder:
    """The same vector for everything: the dense lane can tell nothing apart."""

    model_id = "constant"
    precision = "fp32"
    step_tokens = 512

    def __init__(self, dimension: int = 60) -> None:
        self.dimension = dimension
        self._vector: Vectors = np.full(dimension, dimension**-0.5, np.float32)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector] * len(texts))

    def embed_query(self, question: str) -> Vectors:
        return self._vector


def memory_library(
    documents: Mapping[str, str], embedder: Embedder | None = None, *, name: str = "制度", kind: str = "text"
) -> Library:
    """A library in memory; each document is one page and one chunk. Its title is the name without suffix."""
    maker = embedder or FakeEmbedder()
    library = Library(None, dimension=maker.dimension)
    library.set_meta("name", name)
    for path, text in documents.items():
        add_pages(library, path, [Page(1, text)], maker, kind=kind)
    return library


def add_pages(
    library: Library,
    path: str,
    pages: Sequence[Page],
    embedder: Embedder,
    *,
    kind: str = "pdf",
    joint: str = "",
) -> None:
    """One document whose only chunk runs over all ``pages``."""
    text = joint.join(page.text for page in pages)
    spans = tuple(PageSpan(page.number, 0, len(page.text)) for page in pages)
    chunk_id = hashlib.sha256(f"{path}\x1f{text}".encode()).hexdigest()[:20]
    chunk = Chunk(chunk_id, 0, pages[0].number, pages[-1].number, spans, text)
    key = vector_key(embedder.model_id, embedder.precision, text)
    vectors = {key: embedder.embed_passages([text])[0]}
    _write(library, path, chunk_id, kind, pages, [chunk], [key], vectors)


def _write(
    library: Library,
    path: str,
    content_hash: str,
    kind: str,
    pages: Sequence[Page],
    chunks: Sequence[Chunk],
    keys: Sequence[str],
    vectors: Mapping[str, Vectors],
) -> None:
    title = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    report = FileReport(path, FileState.INDEXED, None, len(pages), len(chunks))
    library.write_document(
        FileRecord(
            folder_id=library.folder_id(Path("/资料")),
            path=path,
            size=0,
            mtime_ns=0,
            content_hash=content_hash,
            report=report,
            document=SourceDocument(kind, title),
            pages=pages,
            chunks=chunks,
            keys=keys,
            vectors=vectors,
        )
    )


def add_chunks(
    library: Library, path: str, texts: Sequence[str], sections: Sequence[tuple[str, ...]] = ()
) -> None:
    """One document of one page whose chunks are the ``texts``, in this order and without overlap."""
    embedder = FakeEmbedder()
    starts = [sum(map(len, texts[:at])) for at in range(len(texts))]
    chunks = [
        Chunk(
            f"{path}-{at}", at, 1, 1, (PageSpan(1, start, start + len(text)),), text,
            section=sections[at] if sections else (),
        )
        for at, (start, text) in enumerate(zip(starts, texts, strict=True))
    ]  # fmt: skip
    keys = [vector_key(embedder.model_id, embedder.precision, text) for text in texts]
    vectors = dict(zip(keys, embedder.embed_passages(texts), strict=True))
    _write(library, path, path, "text", [Page(1, "".join(texts))], chunks, keys, vectors)


def make_hit(text: str, **changes: Any) -> SearchHit:
    """A hit on the first page of 制度.pdf whose chunk is the whole page."""
    facts: dict[str, Any] = {
        "rank": 1,
        "score": 1.0,
        "dense": 0.5,
        "lexical": 1.0,
        "library": "制度",
        "document": "制度.pdf",
        "title": "制度",
        "page": 1,
        "label": None,
        "location": None,
        "section": (),
        "spans": (PageSpan(1, 0, len(text)),),
        "chunk": hashlib.sha256(text.encode()).hexdigest()[:20],
        "text": text,
        "row": 1,
        "kind": "pdf",
    }
    return SearchHit(**(facts | changes))


def make_evidence(text: str, number: int = 1, **changes: Any) -> Evidence:
    hit = make_hit(text, **({"row": number} | changes))
    return Evidence(number, hit, hit.text)


def pages_of(hit: SearchHit) -> dict[int, Page]:
    """The pages of a hit made by :func:`make_hit`: each span is a page of its own."""
    return {1: Page(1, hit.text)}


def events_of(
    question: str,
    libraries: Sequence[Library],
    *,
    generator: Generator | None = None,
    embedder: Embedder | None = None,
    settings: Settings | None = None,
    documents: frozenset[str] | None = None,
    token: CancelToken | None = None,
) -> list[Event]:
    """Everything that ``pipeline.ask`` says."""
    steps = pipeline.ask(
        7,
        question,
        libraries,
        embedder=embedder or FakeEmbedder(),
        load_generator=lambda: generator,
        settings=settings or Settings(),
        token=token or CancelToken(),
        documents=documents,
    )
    return [event for event in steps if event is not None]


def answer_of(question: str, libraries: Sequence[Library], **options: Any) -> Answer:
    """The answer that ``pipeline.ask`` ends with."""
    last = events_of(question, libraries, **options)[-1]
    assert isinstance(last, AnswerFinished)
    return last.answer
