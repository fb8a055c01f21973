"""The statements that replace and forget a document; the library runs them inside its transactions."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from engine.documents import Chunk, FileState, Page, SourceDocument
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


def insert(db: sqlite3.Connection, record: FileRecord) -> tuple[int, list[int]]:
    """Store a file with its pages, chunks and terms; returns its row id and those of the chunks."""
    document = record.document
    document_id = insert_file(db, record, record.report.state)
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
        lexical.add(db, row, chunk.text, heading(title, chunk.section), record.path)
        new.append(row)
    return document_id, new


def insert_file(db: sqlite3.Connection, record: FileRecord, state: FileState) -> int:
    """Store what is known of a file besides its text; returns its row id."""
    document, report = record.document, record.report
    document_id = db.execute(
        "INSERT INTO documents (folder_id, path, size, mtime_ns, content_hash, kind, title, title_from_name,"
        " encoding, metadata, state, reason, details, reading, indexed_at)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            record.folder_id, record.path, record.size, record.mtime_ns, record.content_hash,
            document.kind if document else "", document.title if document else "",
            int(document.title_from_name) if document else 0,
            report.encoding, rows.dump(document.metadata if document else {}),
            state.value, rows.dump_reason(report.reason), rows.dump_details(report, record.dropped),
            record.reading, datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    ).lastrowid  # fmt: skip
    assert document_id is not None, "an INSERT has a row id"
    return document_id


def insert_pages(
    db: sqlite3.Connection, into: str, pages: Iterable[Page], before: tuple[int, ...] = ()
) -> None:
    """Insert pages ``into`` a table; ``before`` are values that come before those of the page."""
    values = ((*before, *rows.page(page)) for page in pages)
    marks = ",".join("?" * (len(before) + rows.PAGE_COLUMNS.count(",") + 1))
    db.executemany(f"INSERT INTO {into} VALUES ({marks})", values)


def delete(db: sqlite3.Connection, document_id: int) -> list[int]:
    """Forget a document; returns the row ids of its chunks. Their vectors stay for text that comes back."""
    path, title = db.execute("SELECT path, title FROM documents WHERE id = ?", (document_id,)).fetchone()
    old = []
    for row, text, section in db.execute(
        "SELECT id, text, section FROM chunks WHERE document_id = ?", (document_id,)
    ).fetchall():
        lexical.remove(db, row, text, heading(title, json.loads(section)), path)
        old.append(row)
    db.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    return old


def move(db: sqlite3.Connection, document_id: int, folder_id: int, path: str) -> None:
    """Give a document another folder and path; its text and vectors stay, only its name is indexed anew.

    The embedder has read the passages under the name that the file had then, and does not read them again.
    """
    before, title, is_name = db.execute(
        "SELECT path, title, title_from_name FROM documents WHERE id = ?", (document_id,)
    ).fetchone()
    called = PurePosixPath(path).stem if is_name else title
    for row, text, section in db.execute(
        "SELECT id, text, section FROM chunks WHERE document_id = ?", (document_id,)
    ).fetchall():
        headings = json.loads(section)
        was, is_ = (heading(title, headings), before), (heading(called, headings), path)
        lexical.rename(db, row, text, was, is_)
    db.execute(
        "UPDATE documents SET folder_id = ?, path = ?, title = ? WHERE id = ?",
        (folder_id, path, called, document_id),
    )


def drop_unused_vectors(db: sqlite3.Connection) -> None:
    """Drop the vectors that no chunk has any more."""
    db.execute(
        "DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.vector_key = vectors.key)"
    )


def heading(title: str, section: Sequence[str]) -> str:
    return " ".join((title, *section))
