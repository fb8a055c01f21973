"""What a library holds, in a form that can be compared with another library of the same folder.

Row ids, times and the order of writing are left out: two libraries that answer alike are alike. A document
that is a copy of another one has no text of its own; here it has the text of that one.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.index.embedding import Vectors
from engine.index.library import Library

_FACTS = ("state", "reason", "content_hash", "kind", "title", "encoding", "missing_pages", "from_ocr")
_OF_A_COPY = _FACTS[:3]
_WITHOUT_TEXT = ("unreadable", "set_aside", "excluded")


@dataclass(frozen=True)
class DocumentSnapshot:
    """One document. ``facts`` are the values of its row, ``pages`` and ``chunks`` those of its text.

    ``inputs`` are what the embedder was given before each chunk's own text, ``vectors`` has one row a chunk,
    ``terms`` what the lexical index holds of each chunk (column, term and place; of a copy nothing).
    """

    facts: Mapping[str, Any]
    is_copy: bool
    pages: tuple[Any, ...] = ()
    chunks: tuple[Any, ...] = ()
    inputs: tuple[str, ...] = ()
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    terms: tuple[Any, ...] = ()

    @property
    def state(self) -> str:
        return str(self.facts["state"])

    @property
    def reason(self) -> str | None:
        return None if self.facts["reason"] is None else str(self.facts["reason"])


TEXT = 7
"""Where in the values of a chunk its text stands."""

Snapshot = Mapping[str, DocumentSnapshot]
"""Documents by the path of their file."""


def take(library: Library) -> dict[str, DocumentSnapshot]:
    """Everything that a library holds."""
    db = library.db
    terms = _terms(db)
    found = {}
    for row in db.execute(
        "SELECT f.path || '/' || d.path, d.id, coalesce(d.copy_of, d.id), d.state, d.reason ->> 'code',"
        " d.content_hash, d.kind, d.title, d.encoding, d.details ->> 'missing_pages',"
        " d.details ->> 'from_ocr'"
        " FROM documents d JOIN folders f ON f.id = d.folder_id"
    ).fetchall():
        path, own, holder, *facts = row
        is_copy = own != holder
        named = dict(zip(_FACTS, facts, strict=True))
        found[path] = DocumentSnapshot(
            {name: named[name] for name in _OF_A_COPY} if is_copy else named, is_copy,
            *_text(db, holder, {} if is_copy else terms),
        )  # fmt: skip
    return found


def differences(have: Snapshot, *wanted: Snapshot, vectors_within: float = 0.0) -> list[str]:
    """What is not alike, in words; empty when ``have`` holds the same as a fresh index.

    Each document has to be as in one of ``wanted``. ``vectors_within`` is how far two numbers of a vector
    may lie apart: batches of another composition round otherwise.
    """
    first = wanted[0]
    found = [f"{path}: only one side knows it" for path in sorted(have.keys() ^ first.keys())]
    for path in sorted(have.keys() & first.keys()):
        if have[path].is_copy != first[path].is_copy:
            found.append(f"{path}: {'a copy' if have[path].is_copy else 'the original'}, not so there")
        ways = [unlike(have[path], want[path], vectors_within) for want in wanted]
        if all(ways):
            found += [f"{path}: {what}" for what in ways[0]]
    return found


def unlike(have: DocumentSnapshot, want: DocumentSnapshot, vectors_within: float = 0.0) -> list[str]:
    """In what two readings of one document differ; one of them may be the original and the other a copy."""
    shared = have.facts.keys() & want.facts.keys()
    found = [
        f"{fact} {have.facts[fact]!r} instead of {want.facts[fact]!r}"
        for fact in sorted(shared) if have.facts[fact] != want.facts[fact]
    ]  # fmt: skip
    for what in ("pages", "chunks", "inputs", "terms"):
        if what != "terms" or not (have.is_copy or want.is_copy):
            found += _first_difference(what, getattr(have, what), getattr(want, what))
    if have.vectors.shape != want.vectors.shape:
        found.append(f"vectors {have.vectors.shape} instead of {want.vectors.shape}")
    elif np.abs(have.vectors - want.vectors).max(initial=0.0) > vectors_within:
        found.append("vectors of other numbers")
    return found


def _first_difference(what: str, have: tuple[Any, ...], want: tuple[Any, ...]) -> list[str]:
    if have == want:
        return []
    if len(have) != len(want):
        return [f"{len(have)} {what} instead of {len(want)}"]
    place = next(i for i, (a, b) in enumerate(zip(have, want, strict=True)) if a != b)
    return [f"{what}[{place}] {have[place]!r:.300} instead of {want[place]!r:.300}"]


def damage(library: Library) -> list[str]:
    """In what a library is not whole, in words: SQLite's own checks, then document by document.

    After a round that finished nothing of removed text may be left: :func:`remains`.
    """
    db = library.db
    found = [f"integrity: {row[0]}" for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    found += [f"foreign key: {row}" for row in db.execute("PRAGMA foreign_key_check")]
    try:
        db.execute("INSERT INTO terms (terms) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as exc:
        found.append(f"terms: {exc}")
    rows = {row[0] for row in db.execute("SELECT id FROM chunks")}
    indexed = {row[0] for row in db.execute("SELECT id FROM terms_docsize")}
    if rows != indexed:
        found.append(f"terms: {len(rows - indexed)} chunks missing, {len(indexed - rows)} of none")
    ghosts = {row for row, *_ in db.execute(f"SELECT doc FROM {_vocabulary(db)}")} - rows
    if ghosts:
        found.append(f"terms: words of {len(ghosts)} chunks that are gone")
    for what, query in _NEVER.items():
        found += [f"{what}: {row}" for row in db.execute(query).fetchmany(3)]
    for path, document in take(library).items():
        found += [f"{path}: {what}" for what in _holes(document)]
    return found + _store_damage(library, rows)


_NEVER = {
    "chunk without a vector": "SELECT id FROM chunks c WHERE c.vector_key IS NULL"
    " OR NOT EXISTS (SELECT 1 FROM vectors v WHERE v.key = c.vector_key)",
    "copy with text of its own": "SELECT path FROM documents d WHERE copy_of IS NOT NULL"
    " AND EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id)",
    "copy of other bytes": "SELECT d.path FROM documents d JOIN documents o ON o.id = d.copy_of"
    " WHERE d.content_hash IS NOT o.content_hash OR o.copy_of IS NOT NULL",
    "chunk without its page": "SELECT c.id FROM chunks c WHERE NOT EXISTS"
    " (SELECT 1 FROM pages p WHERE p.document_id = c.document_id AND p.number = c.page)",
}
"""Rows that must not be there, by what is wrong with them."""


def remains(library: Library) -> list[str]:
    """What a round that finished should have cleared away, in words."""
    unused = (
        "SELECT count(*) FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.vector_key = v.key)"
    )
    counts = {"files in work": "SELECT count(*) FROM work", "unused vectors": unused}
    counts["staged pages"] = "SELECT count(*) FROM staged_pages"
    counts["removals not finished"] = "SELECT count(*) FROM meta WHERE key = 'remains'"
    found = [f"{n} {what}" for what, query in counts.items() for (n,) in library.db.execute(query) if n]
    if library.folder is not None:
        found += [f"left over: {path.name}" for path in library.folder.glob(".index.faiss.*")]
    return found


def _holes(document: DocumentSnapshot) -> list[str]:
    found = []
    numbers = [page[0] for page in document.pages]
    if numbers != list(range(1, len(numbers) + 1)):
        found.append(f"pages {numbers}")
    if [chunk[1] for chunk in document.chunks] != list(range(len(document.chunks))):
        found.append(f"chunks {[chunk[1] for chunk in document.chunks]}")
    if document.state == "indexed" and not document.chunks:
        found.append("indexed without a chunk")
    if document.state in _WITHOUT_TEXT and document.reason != "kept_unreadable" and document.pages:
        found.append(f"{document.state} with text")
    return found


def _store_damage(library: Library, rows: set[int]) -> list[str]:
    """Whether the vector store, loaded or rebuilt, is what SQLite says."""
    store = library.store
    ids = store.ids()
    if sorted(ids.tolist()) != sorted(rows):
        return [f"vector store: {len(store)} vectors for {len(rows)} chunks"]
    stored = library.db.execute("SELECT c.id, v.vector FROM chunks c JOIN vectors v ON v.key = c.vector_key")
    wanted = {row: np.frombuffer(data, "<f4") for row, data in stored}
    vectors = store.vectors(ids)
    wrong = sum(
        not np.array_equal(wanted[row], vector) for row, vector in zip(ids.tolist(), vectors, strict=True)
    )
    return [f"vector store: {wrong} other vectors than in SQLite"] if wrong else []


def _text(db: sqlite3.Connection, document_id: int, terms: Mapping[int, Any]) -> tuple[Any, ...]:
    pages = db.execute(
        "SELECT number, label, location, text, from_ocr, width, height, boxes FROM pages"
        " WHERE document_id = ? ORDER BY number",
        (document_id,),
    ).fetchall()
    chunks, inputs, words, vectors = [], [], [], []
    for row, prefix, vector, *chunk in db.execute(
        "SELECT c.id, c.prefix, v.vector, c.chunk, c.ordinal, c.page, c.page_end, c.spans, c.location,"
        " c.section, c.text, c.overlap, c.tokens FROM chunks c LEFT JOIN vectors v ON v.key = c.vector_key"
        " WHERE c.document_id = ? ORDER BY c.ordinal",
        (document_id,),
    ):
        chunks.append(tuple(chunk))
        inputs.append(prefix)
        words.append(tuple(sorted(terms.get(row, ()))))
        vectors.append(vector or b"")
    matrix = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1) if vectors else None
    empty = np.zeros((0, 0), np.float32)
    return tuple(pages), tuple(chunks), tuple(inputs), empty if matrix is None else matrix, tuple(words)


def _terms(db: sqlite3.Connection) -> Mapping[int, list[Any]]:
    """What the lexical index holds, by the row id of the chunk."""
    found: dict[int, list[Any]] = defaultdict(list)
    for row, *place in db.execute(f"SELECT doc, col, term, offset FROM {_vocabulary(db)}"):
        found[row].append(tuple(place))
    return found


def _vocabulary(db: sqlite3.Connection) -> str:
    """A table that lists each occurrence of each term; it lives with the connection, not in the file."""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.each_term USING fts5vocab(main, 'terms', 'instance')")
    return "temp.each_term"
