"""The portable layout: index.faiss, chunks.jsonl and metadata.json (vector i belongs to line i).

The three files are one set: metadata.json holds the hashes of the other two. A set is replaced file by
file, with the old one kept aside until the new one is whole, so that a crash between two files costs
nothing: on reading, a torn set gives way to the one kept aside.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from engine import normalise
from engine.config import Settings
from engine.documents import Chunk, FileState, Page, PageSpan, SourceDocument
from engine.errors import IndexDamaged, IndexMismatch, StorageFailed
from engine.events import FileReport
from engine.index.embedding import Embedder, vector_key
from engine.index.library import Library
from engine.index.replacing import replace
from engine.index.rows import StoredChunk
from engine.index.store import FlatStore
from engine.index.writing import FileRecord

FORMAT = 1
INDEX, CHUNKS, METADATA = NAMES = ("index.faiss", "chunks.jsonl", "metadata.json")
_NEW, _PREVIOUS = ".new", ".previous"


def write(library: Library, out: Path, model: str, precision: str, settings: Settings) -> None:
    """Write a library as the three files, all or nothing.

    Raises:
        StorageFailed: the files that were there before still are, complete.
        IndexDamaged: a chunk has no vector (it was indexed without an embedder).
    """
    chunks, files = list(library.all_chunks()), library.files()
    if any(chunk.vector_key is None for chunk in chunks):
        raise IndexDamaged(path=str(out), detail="chunks without vectors")
    store = FlatStore(library.dimension)
    store.add(np.arange(len(chunks)), library.vectors([chunk.row for chunk in chunks]))
    texts = PageTexts(library)
    lines = "".join(
        json.dumps(line(chunk, chunk.document, texts.of(chunk)), ensure_ascii=False) + "\n"
        for chunk in chunks
    )
    data = {INDEX: store.to_bytes(), CHUNKS: lines.encode("utf-8")}
    about = metadata(
        library.name, model, precision, library.dimension, len(chunks),
        [(file.report.path, file.report.state.value, file.content_hash) for file in files],
        {name: _digest(content) for name, content in data.items()}, settings,
    )  # fmt: skip
    data[METADATA] = json.dumps(about, ensure_ascii=False, indent=1).encode("utf-8")
    try:
        _replace_set(out, data)
    except OSError as exc:
        shutil.rmtree(out / _NEW, ignore_errors=True)
        raise StorageFailed(path=str(out), detail=exc.strerror or str(exc)) from exc


def metadata(
    name: str,
    model: str,
    precision: str,
    dimension: int,
    count: int,
    documents: Sequence[tuple[str, str, str | None]],
    digests: Mapping[str, str],
    settings: Settings,
) -> dict[str, Any]:
    """What metadata.json holds.

    ``documents`` are names, states and content hashes, ``digests`` the SHA-256 of the other two files,
    ``settings`` those that the library is cut with.
    """
    corpus = "\n".join(sorted(f"{content_hash} {path}" for path, _, content_hash in documents))
    return {
        "format": FORMAT,
        "library": name,
        "model": model,
        "precision": precision,
        "normaliser": normalise.VERSION,
        "dimension": dimension,
        "count": count,
        "chunk_size": settings.cut.size,
        "chunk_overlap": settings.cut.overlap,
        "corpus_hash": _digest(corpus.encode("utf-8")),
        "documents": [{"path": path, "state": state} for path, state, _ in documents],
        "files": dict(digests),
    }


def read(folder: Path, embedder: Embedder | None, dimension: int) -> Library:
    """A library in memory made of the three files; searched like any other.

    Raises:
        IndexDamaged: no complete set, torn files, zero or non-finite vectors.
        IndexMismatch: another model, dimension, normaliser or count of chunks.
    """
    whole = _complete_set(folder)
    metadata = json.loads((whole / METADATA).read_text(encoding="utf-8"))
    expected: dict[str, object] = {"dimension": dimension, "normaliser": normalise.VERSION, "format": FORMAT}
    if embedder is not None:
        expected |= {"model": embedder.model_id, "dimension": embedder.dimension}
    for key, value in expected.items():
        if metadata.get(key) != value:
            raise IndexMismatch(path=str(folder), found=f"{key} {metadata.get(key)}", expected=value)
    store = FlatStore.from_bytes((whole / INDEX).read_bytes(), dimension, str(folder / INDEX))
    lines = _lines(whole / CHUNKS)
    if not len(store) == len(lines) == metadata.get("count"):
        raise IndexMismatch(path=str(folder), found=f"{len(store)} vectors", expected=f"{len(lines)} chunks")
    library = Library(None, dimension=dimension)
    try:
        _fill(library, metadata, lines, store)
    except (KeyError, TypeError, ValueError) as exc:
        library.close()
        raise IndexDamaged(path=str(folder / CHUNKS), detail=f"{type(exc).__name__}: {exc}") from exc
    return library


def _fill(library: Library, metadata: dict[str, Any], lines: list[dict[str, Any]], store: FlatStore) -> None:
    library.set_meta("name", str(metadata.get("library") or "index"))
    library.set_meta("portable", "1")
    folder_id = library.folder_id(Path())
    vectors = store.vectors(np.arange(len(lines), dtype=np.int64))
    indexed = enumerate(lines)
    for path, group in groupby(indexed, key=lambda item: item[1]["document"]):
        members = list(group)
        chunks = [_chunk(line) for _, line in members]
        first = members[0][1]
        keys = [vector_key(metadata["model"], metadata["precision"], c.prefix + c.text) for c in chunks]
        pages = list(_pages(line for _, line in members))
        library.write_document(
            FileRecord(
                folder_id=folder_id,
                path=path,
                size=0,
                mtime_ns=0,
                content_hash=first.get("content_hash"),
                report=FileReport(path, FileState.INDEXED, None, len(pages), len(chunks)),
                document=SourceDocument(first["kind"], first["title"]),
                pages=pages,
                chunks=chunks,
                keys=keys,
                vectors={key: vectors[i] for key, (i, _) in zip(keys, members, strict=True)},
            )
        )
    known = {line["document"] for line in lines}
    for document in metadata.get("documents", ()):
        if document["path"] not in known:
            state = FileState(document["state"])
            library.write_document(FileRecord(
                folder_id=folder_id, path=document["path"], size=0, mtime_ns=0, content_hash=None,
                report=FileReport(document["path"], state),
            ))  # fmt: skip


class PageTexts:
    """The texts of the pages that passages lie on; a page, be it a whole text file, is read once for all that
    come one after another."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._document: tuple[Path, str] | None = None
        self._texts: Mapping[int, str] = {}

    def of(self, stored: StoredChunk) -> Mapping[int, str]:
        """Texts by page number, of more pages than the passage's own perhaps."""
        document = stored.folder, stored.relative
        if document != self._document or not {stored.chunk.page, stored.chunk.page_end} <= self._texts.keys():
            self._document, self._texts = document, self._library.page_texts(stored.row)
        return self._texts


def line(stored: StoredChunk, document: str, texts: Mapping[int, str]) -> dict[str, Any]:
    """A line of chunks.jsonl; ``document`` is what its document is called there."""
    chunk = stored.chunk
    return {
        "id": chunk.id,
        "document": document,
        "title": stored.title,
        "kind": stored.kind,
        "content_hash": stored.content_hash,
        "ordinal": chunk.ordinal,
        "page": chunk.page,
        "page_end": chunk.page_end,
        "label": stored.label,
        "location": chunk.location,
        "section": list(chunk.section),
        "spans": [
            {"page": s.page, "span": [s.start, s.end], "text": texts.get(s.page, "")[s.start : s.end]}
            for s in chunk.spans
        ],
        "text": chunk.text,
        "prefix": chunk.prefix,
        "overlap": chunk.overlap,
        "tokens": chunk.tokens,
    }


def _chunk(line: dict[str, Any]) -> Chunk:
    return Chunk(
        line["id"], line["ordinal"], line["page"], line["page_end"],
        tuple(PageSpan(s["page"], *s["span"]) for s in line["spans"]),
        line["text"], line["prefix"], line["overlap"], line["tokens"], tuple(line["section"]),
        line["location"],
    )  # fmt: skip


def _pages(lines: Iterator[dict[str, Any]]) -> Iterator[Page]:
    """The pages' texts put together again from the pieces that the chunks carry."""
    texts: dict[int, list[str]] = {}
    labels: dict[int, str | None] = {}
    for line in lines:
        labels.setdefault(line["page"], line["label"])
        for piece in line["spans"]:
            text = texts.setdefault(piece["page"], [])
            start, end = piece["span"]
            text.extend("\n" * (end - len(text)))
            text[start:end] = piece["text"]
    for number in sorted(texts):
        yield Page(number, "".join(texts[number]), labels.get(number))


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        # Iterating the bytes splits at \n only; str.splitlines would also split at U+2028 inside the JSON.
        with path.open("rb") as file:
            return [json.loads(line) for line in file]
    except (OSError, ValueError) as exc:
        raise IndexDamaged(path=str(path), detail=str(exc)) from exc


def _replace_set(out: Path, data: dict[str, bytes]) -> None:
    new, previous = out / _NEW, out / _PREVIOUS
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name in NAMES:
        with (new / name).open("wb") as file:
            file.write(data[name])
            file.flush()
            os.fsync(file.fileno())
    if _is_whole(out):
        shutil.rmtree(previous, ignore_errors=True)
        previous.mkdir()
        for name in NAMES:
            shutil.copy2(out / name, previous / name)
    for name in NAMES:
        replace(new / name, out / name)
    shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(previous, ignore_errors=True)


def _complete_set(folder: Path) -> Path:
    for candidate in (folder, folder / _PREVIOUS):
        if _is_whole(candidate):
            return candidate
    raise IndexDamaged(path=str(folder), detail=f"no complete set of {', '.join(NAMES)}")


def _is_whole(folder: Path) -> bool:
    try:
        metadata = json.loads((folder / METADATA).read_text(encoding="utf-8"))
        return all(
            _digest((folder / name).read_bytes()) == metadata["files"][name] for name in (INDEX, CHUNKS)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
