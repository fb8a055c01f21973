"""The schema of library.sqlite as appended steps: never change a step, append the next one."""

import sqlite3
from collections.abc import Callable
from pathlib import PurePosixPath

from engine.errors import LibraryNewer
from engine.index.database import Transaction


def m001_initial(db: sqlite3.Connection) -> None:
    """Folders, documents, pages, chunks, vectors by content key, and the terms of the lexical lane."""
    _run(
        db,
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY,
            folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
            path TEXT NOT NULL,            -- relative to the folder, with /
            size INTEGER NOT NULL,         -- bytes
            mtime_ns INTEGER NOT NULL,
            content_hash TEXT,             -- SHA-256 of the bytes, hex
            kind TEXT NOT NULL DEFAULT '',
            title TEXT NOT NULL DEFAULT '',
            encoding TEXT,
            metadata TEXT NOT NULL DEFAULT '{}',
            state TEXT NOT NULL,
            reason TEXT,                   -- JSON: code, params
            details TEXT NOT NULL DEFAULT '{}',  -- JSON: dropped, missing_pages, from_ocr
            reading TEXT NOT NULL DEFAULT '',    -- reader version and chunk settings
            indexed_at TEXT,
            UNIQUE (folder_id, path)
        );
        CREATE INDEX documents_by_path ON documents (path);
        CREATE TABLE pages (
            document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            number INTEGER NOT NULL,       -- from 1
            label TEXT,
            location TEXT,                 -- JSON
            text TEXT NOT NULL,
            from_ocr INTEGER NOT NULL DEFAULT 0,
            width REAL, height REAL,       -- points, as displayed
            boxes BLOB,
            PRIMARY KEY (document_id, number)
        ) WITHOUT ROWID;
        CREATE TABLE chunks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,  -- FAISS id; never used twice
            document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            chunk TEXT NOT NULL,           -- stable id, made from the content
            ordinal INTEGER NOT NULL,
            page INTEGER NOT NULL,
            page_end INTEGER NOT NULL,
            spans TEXT NOT NULL,           -- JSON: [[page, start, end], …]
            location TEXT,
            section TEXT NOT NULL,         -- JSON: [heading, …]
            text TEXT NOT NULL,
            prefix TEXT NOT NULL,
            overlap INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            vector_key TEXT                -- NULL until embedded
        );
        CREATE INDEX chunks_by_document ON chunks (document_id, ordinal);
        CREATE INDEX chunks_by_vector ON chunks (vector_key);
        CREATE INDEX chunks_by_chunk ON chunks (chunk);
        CREATE TABLE vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
        -- Terms come split by engine.index.lexical, so the tokenizer only has to cut at blanks.
        CREATE VIRTUAL TABLE terms USING fts5 (
            body, heading, name, content='', tokenize="ascii tokenchars '-._/#+&%@'"
        );
        """,
    )


def m002_intake(db: sqlite3.Connection) -> None:
    """OCR lines of a page, the file that is being read, and pages of a long file before it is written."""
    _run(
        db,
        """
        ALTER TABLE pages ADD COLUMN recognised TEXT;  -- JSON: [[start, end, confidence], …], by OCR
        CREATE TABLE work (
            folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
            path TEXT NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            content_hash TEXT NOT NULL,
            reading TEXT NOT NULL,
            PRIMARY KEY (folder_id, path)
        ) WITHOUT ROWID;
        CREATE TABLE staged_pages (
            number INTEGER PRIMARY KEY, label TEXT, location TEXT, text TEXT NOT NULL,
            from_ocr INTEGER NOT NULL, width REAL, height REAL, boxes BLOB, recognised TEXT
        );
        """,
    )


def m003_sync(db: sqlite3.Connection) -> None:
    """Copies of a document, titles that are a file's name, folders that cannot be reached."""
    _run(
        db,
        """
        -- A copy has no pages and chunks of its own; this is the document with the same bytes that has.
        ALTER TABLE documents ADD COLUMN copy_of INTEGER REFERENCES documents(id);
        ALTER TABLE documents ADD COLUMN title_from_name INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX documents_by_content ON documents (content_hash);
        CREATE INDEX documents_by_original ON documents (copy_of);
        ALTER TABLE folders ADD COLUMN offline_since TEXT;  -- ISO 8601 in UTC, at the last sync
        """,
    )
    titles = db.execute("SELECT id, path, title FROM documents").fetchall()
    db.executemany(
        "UPDATE documents SET title_from_name = 1 WHERE id = ?",
        ((row,) for row, path, title in titles if PurePosixPath(path).stem == title),
    )


def m004_versions(db: sqlite3.Connection) -> None:
    """Which documents are versions of one, and what their texts are compared by."""
    _run(
        db,
        """
        CREATE TABLE sketches (
            document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
            content_hash TEXT NOT NULL,    -- of the bytes it was made from
            sketch BLOB NOT NULL           -- the smallest shingle hashes, u64 little-endian, sorted
        );
        CREATE TABLE versions (
            document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
            family INTEGER NOT NULL,       -- one number for all versions of a document
            place INTEGER NOT NULL         -- 0 for the newest
        );
        CREATE INDEX versions_by_family ON versions (family, place);
        """,
    )


def _run(db: sqlite3.Connection, script: str) -> None:
    """Statement by statement, because ``executescript`` would commit the transaction it runs in."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    m001_initial,
    m002_intake,
    m003_sync,
    m004_versions,
)


def migrate(db: sqlite3.Connection, path: str) -> None:
    """Bring a library of any earlier version up to date, each step in its own transaction.

    Raises:
        LibraryNewer: the file was written by a newer program than this one.
    """
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > len(STEPS):
        raise LibraryNewer(path=path, detail=f"schema {version}, this program knows {len(STEPS)}")
    for number, step in enumerate(STEPS[version:], start=version + 1):
        with Transaction(db, path):
            step(db)
            db.execute(f"PRAGMA user_version = {number}")
