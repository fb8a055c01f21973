"""Sets of questions and corpora in JSON lines.

Two forms of questions: ``{qid, question, answers, doc_id | document, doc_ids, page | pages, evidence,
answerable}`` and the shorter ``{question, expected_source}``, where the source is part of a file name.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.config import Settings
from engine.documents import Chunk, FileState, Page, SourceDocument
from engine.errors import WrongUse
from engine.events import FileReport
from engine.index.embedding import Embedder, batches, vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord
from engine.intake.chunking.tokens import embedder_tokens
from engine.intake.flow import Flow
from engine.jsonlines import read_objects


@dataclass(frozen=True, slots=True)
class Question:
    """``documents`` are the ids, paths or names that hold the answer; ``source_part`` is part of a path.

    ``evidence`` are the sentences of the documents, word for word, that the answer needs; ``pages`` their
    sheets, from 1.
    """

    qid: str
    question: str
    answers: tuple[str, ...] = ()
    documents: frozenset[str] = frozenset()
    pages: tuple[int, ...] = ()
    answerable: bool = True
    source_part: str | None = None
    evidence: tuple[str, ...] = ()

    def is_right(self, document: str) -> bool:
        """Whether ``document`` was looked for: by its path, its name or its name without suffix."""
        if self.source_part is not None:
            return self.source_part in document
        return not self.documents.isdisjoint(short_forms(document))


def short_forms(document: str) -> frozenset[str]:
    """What a document may be called in a set of questions: its path, its name, its name without suffix."""
    name = document.rsplit("/", 1)[-1]
    return frozenset({document, name, name.rsplit(".", 1)[0]})


def read_questions(file: Path) -> list[Question]:
    """All questions of a file; raises NotReadable or WrongUse."""
    return [_question(number, item, file) for number, item in enumerate(read_objects(file), start=1)]


def _question(number: int, item: dict[str, Any], file: Path) -> Question:
    documents = [item.get("doc_id"), item.get("document"), *_listed(item, "doc_ids", number, file)]
    pages = [item.get("page"), *_listed(item, "pages", number, file)]
    # Evidence that was written in other words cannot be looked for.
    evidence = _listed(item, "evidence", number, file) if item.get("evidence_verbatim", True) else []
    source = item.get("expected_source")
    return Question(
        qid=str(item.get("qid") or number),
        question=str(item.get("question") or ""),
        answers=tuple(str(a) for a in _listed(item, "answers", number, file)),
        documents=frozenset(str(d) for d in documents if d),
        pages=tuple(page for page in pages if isinstance(page, int)),
        answerable=bool(item.get("answerable", True)),
        source_part=None if source is None else str(source),
        evidence=tuple(str(sentence) for sentence in evidence if str(sentence).strip()),
    )


def _listed(item: dict[str, Any], key: str, number: int, file: Path) -> list[Any]:
    """A list; one thing alone is a list of it."""
    value = item.get(key)
    if isinstance(value, dict):
        raise WrongUse(detail=f"{file}:{number}: {key}")
    return value if isinstance(value, list) else [] if value is None else [value]


def index_corpus(
    file: Path,
    embedder: Embedder | None,
    settings: Settings,
    leave_out: Iterable[str] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> Library:
    """A library in memory made of ``{doc_id, title, text}`` lines; documents are named by their id.

    The texts go through the product's own cleaning and chunking.

    Raises:
        NotReadable, WrongUse: the file is not there, or a line is no document.
    """
    library = Library(None, dimension=embedder.dimension if embedder else 1)
    try:
        fill(library, file, embedder, settings, leave_out, progress)
    except BaseException:
        library.close()
        raise
    return library


def fill(
    library: Library,
    file: Path,
    embedder: Embedder | None,
    settings: Settings,
    leave_out: Iterable[str] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Put a corpus into a library; raises as :func:`index_corpus` does."""
    without = frozenset(leave_out)
    library.set_meta("name", "corpus")
    folder_id = library.folder_id(Path())
    for done, item in enumerate(read_objects(file), start=1):
        if "doc_id" not in item or "text" not in item:
            raise WrongUse(detail=f"{file}: doc_id, text")
        doc_id = str(item["doc_id"])
        if doc_id in without:
            continue
        page = Page(1, str(item["text"]))
        document = SourceDocument(
            "text", str(item.get("title") or doc_id), title_from_name=not item.get("title")
        )
        chunks = list(_chunks(document, page, doc_id, settings))
        keys, vectors = _embed(chunks, embedder)
        library.write_document(FileRecord(
            folder_id=folder_id, path=doc_id, size=0, mtime_ns=0, content_hash=doc_id,
            report=FileReport(doc_id, FileState.INDEXED, None, 1, len(chunks)), document=document,
            pages=[page], chunks=chunks, keys=keys, vectors=vectors,
        ))  # fmt: skip
        progress(done)


def _chunks(document: SourceDocument, page: Page, doc_id: str, settings: Settings) -> Iterator[Chunk]:
    flow = Flow(document, doc_id, embedder_tokens(), settings.cut)
    yield from flow.add(page)
    yield from flow.finish()


def _embed(chunks: list[Chunk], embedder: Embedder | None) -> tuple[list[str], dict[str, Any]]:
    if embedder is None:
        return [], {}
    inputs = [c.prefix + c.text for c in chunks]
    keys = [vector_key(embedder.model_id, embedder.precision, text) for text in inputs]
    vectors: dict[str, Any] = {}
    for batch in batches([c.tokens for c in chunks], embedder.step_tokens):
        made = embedder.embed_passages([inputs[i] for i in batch])
        vectors.update(zip((keys[i] for i in batch), made, strict=True))
    return keys, vectors
