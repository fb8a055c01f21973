"""What cleaning and chunking do for retrieval: ``python -m tests.quality.cleaning SET [--sizes …]``.

The texts of a question set are laid out as PDFs with running headers, footers, page numbers and wrapped
lines, read again by the own loader, and searched in several ways: the raw text of pages cut at a fixed
length, raw text through the chunker, and cleaned text through the chunker at several chunk sizes. A question
is answered when its evidence sentences stand unbroken (blanks not counted) in the first five passages.
"""

import argparse
import json
import random
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import models
from engine import seal
from engine.answer import budget, retrieval
from engine.config import Settings
from engine.documents import Chunk, FileState, Page, PageSpan, SourceDocument
from engine.events import FileReport
from engine.index.embedding import BgeEmbedder, Embedder, batches, vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord
from engine.intake.chunking.profiles import Profile
from engine.intake.chunking.tokens import SPECIAL_TOKENS, embedder_tokens
from engine.intake.flow import Flow
from engine.intake.loaders import load

MODEL = "bge-small-zh-v1.5"
TOP = 5
DEPTH = 10
BUDGET = budget.MOST
FIXED = 400
"""Characters of a raw passage."""

_WIDTH, _HEIGHT, _MARGIN, _SIZE, _LEADING = 420.0, 595.0, 54.0, 10.5, 17.0

Chunks = Callable[[str, str, Sequence[Page]], list[Chunk]]


@dataclass(frozen=True)
class Figures:
    """Shares of the questions.

    ``whole``: each evidence sentence is whole in some passage; ``all_evidence``, ``any_evidence`` of it are
    in the top five, ``in_budget``: all of it is in the best passages that fit into the prompt's evidence.
    """

    passages: int
    whole: float
    all_evidence: float
    any_evidence: float
    in_budget: float
    mrr: float
    document: float


def lay_out(path: Path, title: str, text: str) -> None:
    """A small book: header with the title, a footer, page numbers, paragraphs wrapped at the margin."""
    import pymupdf

    rows = int((_HEIGHT - 2 * _MARGIN - 20) // _LEADING)
    lines = [line for paragraph in text.split("\n") if paragraph.strip() for line in _wrapped(paragraph)]
    document = pymupdf.open()
    pages = [lines[at : at + rows] for at in range(0, len(lines), rows)]
    for number, page in enumerate(pages, 1):
        sheet = document.new_page(width=_WIDTH, height=_HEIGHT)
        put = lambda x, y, line, size: sheet.insert_text((x, y), line, fontname="china-s", fontsize=size)  # noqa: E731, B023
        put(_MARGIN, 34, f"{title}　内部资料　第二版", 8)
        for row, line in enumerate(page):
            put(_MARGIN, _MARGIN + 20 + row * _LEADING, line, _SIZE)
        put(_MARGIN, _HEIGHT - 34, "未经书面许可不得复制或向第三方提供", 8)
        put(_WIDTH / 2 - 20, _HEIGHT - 20, f"第 {number} 页 共 {len(pages)} 页", 8)
    document.save(path, deflate=True)
    document.close()


def _wrapped(paragraph: str) -> Iterator[str]:
    """Lines that fit between the margins."""
    import pymupdf

    line, room = "", _WIDTH - 2 * _MARGIN
    for char in "\u3000\u3000" + paragraph.strip():
        width = pymupdf.get_text_length(line + char, fontname="china-s", fontsize=_SIZE)
        if width > room and char not in "，。、；：！？）》”":
            yield line
            line = ""
        line += char
    yield line


def fixed(doc_id: str, title: str, pages: Sequence[Page]) -> list[Chunk]:
    """The raw text of each page in pieces of the same length: what a simple program does."""
    counter = embedder_tokens()
    chunks: list[Chunk] = []
    for page in pages:
        for start in range(0, len(page.text), FIXED):
            text = page.text[start : start + FIXED]
            span = PageSpan(page.number, start, start + len(text))
            tokens = counter.count(text) + SPECIAL_TOKENS
            number = len(chunks)
            chunks.append(
                Chunk(f"{doc_id}-{number}", number, page.number, page.number, (span,), text, tokens=tokens)
            )
    return chunks


def chunked(profile: Profile, *, cleaned: bool) -> Chunks:
    """The product's way, or its chunker alone on the raw text of the pages."""

    def make(doc_id: str, title: str, pages: Sequence[Page]) -> list[Chunk]:
        kind = "pdf" if cleaned else "html"  # a kind whose pages are taken as they are
        flow = Flow(SourceDocument(kind, title, title_from_name=True), doc_id, embedder_tokens(), profile)
        chunks = [chunk for page in pages for chunk in flow.add(page)]
        return chunks + list(flow.finish())

    return make


def index(documents: Sequence[tuple[str, str, Sequence[Page]]], make: Chunks, embedder: Embedder) -> Library:
    library = Library(None, dimension=embedder.dimension)
    folder_id = library.folder_id(Path())
    for doc_id, title, pages in documents:
        chunks = make(doc_id, title, pages)
        inputs = [chunk.prefix + chunk.text for chunk in chunks]
        keys = [vector_key(embedder.model_id, embedder.precision, text) for text in inputs]
        vectors: dict[str, Any] = {}
        for batch in batches([chunk.tokens for chunk in chunks], embedder.step_tokens):
            made = embedder.embed_passages([inputs[i] for i in batch])
            vectors.update(zip((keys[i] for i in batch), made, strict=True))
        library.write_document(FileRecord(
            folder_id=folder_id, path=doc_id, size=0, mtime_ns=0, content_hash=doc_id,
            report=FileReport(doc_id, FileState.INDEXED, None, len(pages), len(chunks)),
            document=SourceDocument("pdf", title), pages=list(pages), chunks=chunks, keys=keys,
            vectors=vectors,
        ))  # fmt: skip
    return library


def measure(
    library: Library, texts: Sequence[str], questions: Sequence[dict[str, Any]], embedder: Embedder
) -> Figures:
    counter = embedder_tokens()
    whole = everything = something = fitting = documents = 0
    reciprocal = 0.0
    for question in questions:
        evidence = evidence_of(question)
        wanted = {question.get("doc_id"), *question.get("doc_ids", ())}
        whole += all(any(sentence in text for text in texts) for sentence in evidence)
        hits = retrieval.search(question["question"], [library], embedder, Settings(), DEPTH)
        found = [squeezed(hit.text) for hit in hits]
        everything += all(any(sentence in text for text in found[:TOP]) for sentence in evidence)
        something += any(sentence in text for text in found[:TOP] for sentence in evidence)
        fits = sum(total <= BUDGET for total in accumulate(counter.count(hit.text) for hit in hits))
        fitting += all(any(sentence in text for text in found[:fits]) for sentence in evidence)
        documents += any(hit.document in wanted for hit in hits[:TOP])
        ranks = (rank for rank, text in enumerate(found, 1) if any(sentence in text for sentence in evidence))
        reciprocal += 1 / next(ranks, 10**9)
    counts = (whole, everything, something, fitting, reciprocal, documents)
    shares = [count / len(questions) for count in counts]
    return Figures(len(texts), *shares)


def evidence_of(question: Mapping[str, Any]) -> list[str]:
    """The sentences that answer; of a set that marks none, the answer itself."""
    return [squeezed(text) for text in question.get("evidence") or (question.get("answers") or [])[:1]]


def squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def main() -> None:
    seal.install()
    parser = argparse.ArgumentParser(prog="python -m tests.quality.cleaning", description=__doc__)
    parser.add_argument("set", type=Path, help="folder with corpus.jsonl and questions.jsonl")
    parser.add_argument("--documents", type=int, default=10**6)
    parser.add_argument("--questions", type=int, default=10**6)
    parser.add_argument("--sizes", default="256,400,480", help="largest chunks in tokens")
    parser.add_argument("--overlap", type=int, default=50)
    arguments = parser.parse_args()
    embedder = BgeEmbedder(Path(models.__file__).parent / MODEL, MODEL, 512, threads=1)
    corpus = _objects(arguments.set / "corpus.jsonl")[: arguments.documents]
    texts = {item["doc_id"]: squeezed(item["text"]) for item in corpus}
    questions = [q for q in _objects(arguments.set / "questions.jsonl") if _has_evidence(q, texts)]
    random.Random(4).shuffle(questions)
    questions = questions[: arguments.questions]
    documents = []
    with tempfile.TemporaryDirectory() as folder:
        for item in corpus:
            path = Path(folder) / f"{item['doc_id']}.pdf"
            lay_out(path, item.get("title") or item["doc_id"], item["text"])
            pages = [page for page in load(path) if isinstance(page, Page)]
            documents.append((item["doc_id"], item.get("title") or item["doc_id"], pages))
    ways: list[tuple[str, Chunks]] = [(f"raw, {FIXED} characters", fixed)]
    for size in map(int, arguments.sizes.split(",")):
        profile = Profile(size, min(arguments.overlap, size // 2))
        if len(ways) == 1:
            ways.append((f"raw lines, chunks of {size}", chunked(profile, cleaned=False)))
        ways.append((f"cleaned, chunks of {size}", chunked(profile, cleaned=True)))
    sheets = sum(len(pages) for _, _, pages in documents)
    print(f"{len(documents)} documents, {sheets} pages, {len(questions)} questions")
    print(f"{'':30} passages  whole  all@{TOP}  any@{TOP} budget    mrr  doc@{TOP}  seconds")
    for name, make in ways:
        begun = time.monotonic()
        library = index(documents, make, embedder)
        passages = [
            squeezed(chunk.text) for doc_id, title, pages in documents for chunk in make(doc_id, title, pages)
        ]
        result = measure(library, passages, questions, embedder)
        print(
            f"{name:30} {result.passages:8} {result.whole:6.3f} {result.all_evidence:6.3f}"
            f" {result.any_evidence:6.3f} {result.in_budget:6.3f} {result.mrr:6.3f} {result.document:6.3f}"
            f" {time.monotonic() - begun:8.0f}",
            flush=True,
        )
        library.close()


def _has_evidence(question: dict[str, Any], texts: Mapping[str, str]) -> bool:
    """Whether the question can be answered with sentences that stand word for word in its documents."""
    wanted = {question.get("doc_id"), *question.get("doc_ids", ())} - {None}
    evidence = evidence_of(question)
    return (
        bool(question.get("answerable", True) and evidence)
        and wanted <= texts.keys()
        and all(any(sentence in texts[doc_id] for doc_id in wanted) for sentence in evidence)
    )


def _objects(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]


if __name__ == "__main__":
    main()
