"""The statements that replace and forget a document; the library runs them inside its transactions."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from engine.documents import Chunk, Page, SourceDocument
from engine.events import FileReport
from engine.index import lexical, rows
from engine.index.embedding import Vectors


@dataclass(slots=True)
class FileRecord:
    """Everything that is stored of one file; filled in stage by stage.

    ``pages`` come after those that were staged, if any were (:mod:`engine.index.staging`). ``reading`` names
    how it was read, ``keys`` each chunk's vector (empty when nothing could be embedded),
    ``vectors`` holds those that the library does not have yet.
    """

    folder_id: int
    path: str
    size: int
    mtime_ns: int
    content_hash: str | None
    report: FileReport
    reading: str = ""
    dropped: Sequence[Any] = ()
    document: SourceDocument | None = None
    pages: Iterable[Page] = ()
    are_pages_staged: bool = False
    chunks: Sequence[Chunk] = ()
    keys: Sequence[str] = ()
    vectors: Mapping[str, Vectors] = field(default_factory=dict)


def insert(db: sqlite3.Connection, record: FileRecord) -> list[int]:
    """Store a file with its pages, chunks and terms; returns the chunks' row ids."""
    document, report = record.document, record.report
    document_id = db.execute(
        "INSERT INTO documents (folder_id, path, size, mtime_ns, content_hash, kind, title, encoding,"
        " metadata, state, reason, details, reading, indexed_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            record.folder_id, record.path, record.size, record.mtime_ns, record.content_hash,
            document.kind if document else "", document.title if document else "",
            report.encoding, rows.dump(document.metadata if document else {}),
            report.state.value, rows.dump_reason(report.reason), rows.dump_details(report, record.dropped),
            record.reading, datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    ).lastrowid  # fmt: skip
    assert document_id is not None, "an INSERT has a row id"
    if record.are_pages_staged:
        db.execute(
            f"INSERT INTO pages (document_id, {rows.PAGE_COLUMNS})"
            f" SELECT ?, {rows.PAGE_COLUMNS} FROM staged_pages",
            (document_id,),
        )
        db.execute("DELETE FROM staged_pages")
    insert_pages(db, f"pages (document_id, {rows.PAGE_COLUMNS})", record.pages, (document_id,))
    title = document.title if document else ""
    new: list[int] = []
    for i, chunk in enumerate(record.chunks):
        row = db.execute(
            "INSERT INTO chunks (document_id, chunk, ordinal, page, page_end, spans, location,"
            " section, text, prefix, overlap, tokens, vector_key) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (*rows.chunk(document_id, chunk), record.keys[i] if record.keys else None),
        ).lastrowid
        assert row is not None, "an INSERT has a row id"
        lexical.add(db, row, chunk.text, _heading(title, chunk.section), record.path)
        new.append(row)
    return new


def insert_pages(
    db: sqlite3.Connection, into: str, pages: Iterable[Page], before: tuple[int, ...] = ()
) -> None:
    """Insert pages ``into`` a table; ``before`` are values that come before those of the page."""
    values = ((*before, *rows.page(page)) for page in pages)
    marks = ",".join("?" * (len(before) + rows.PAGE_COLUMNS.count(",") + 1))
    db.executemany(f"INSERT INTO {into} VALUES ({marks})", values)


def delete(db: sqlite3.Connection, folder_id: int, path: str) -> tuple[list[int], set[str]]:
    """Row ids of the file's chunks, which are gone, and the keys of their vectors, which are not."""
    found = db.execute(
        "SELECT id, title FROM documents WHERE folder_id = ? AND path = ?", (folder_id, path)
    ).fetchone()
    if found is None:
        return [], set()
    document_id, title = found
    old, keys = [], set()
    for row, text, section, key in db.execute(
        "SELECT id, text, section, vector_key FROM chunks WHERE document_id = ?", (document_id,)
    ).fetchall():
        lexical.remove(db, row, text, _heading(title, json.loads(section)), path)
        old.append(row)
        keys.add(key)
    db.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    return old, keys


def move(db: sqlite3.Connection, document_id: int, folder_id: int, path: str) -> None:
    """Give a document another folder and path; its text and vectors stay, only its name is indexed anew."""
    before, title = db.execute("SELECT path, title FROM documents WHERE id = ?", (document_id,)).fetchone()
    for row, text, section in db.execute(
        "SELECT id, text, section FROM chunks WHERE document_id = ?", (document_id,)
    ).fetchall():
        heading = _heading(title, json.loads(section))
        lexical.remove(db, row, text, heading, before)
        lexical.add(db, row, text, heading, path)
    db.execute("UPDATE documents SET folder_id = ?, path = ? WHERE id = ?", (folder_id, path, document_id))


def drop_vectors(db: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Drop those of the vectors that no chunk has any more."""
    db.executemany(
        "DELETE FROM vectors WHERE key = ? AND NOT EXISTS"
        " (SELECT 1 FROM chunks WHERE chunks.vector_key = vectors.key)",
        ((key,) for key in keys),
    )


def _heading(title: str, section: Sequence[str]) -> str:
    return " ".join((title, *section))
