"""Bringing the lexical index of an older version up to date, from the passages and without embedding.

A new index is filled beside the old one, which answers questions meanwhile; then the two change places. Every
step is a transaction of some 50 ms, as a question waits for the one in work. Nobody else may write to the
library until the end (its :class:`engine.shelf.WriteLock`); after a kill it begins again.
"""

import json
import sqlite3
from collections.abc import Iterator

from engine.index import lexical, writing
from engine.index.library import Library

_COMING, _GOING = "terms_coming", "terms_going"

_CHUNKS = 64
"""Passages that are indexed in one step."""

_BLOCKS = 500
"""Rows of the old index that are deleted in one step: overwriting what it deletes, SQLite is slow in that."""


def renew(library: Library) -> Iterator[None]:
    """Give the library the terms of today if it has others; raises StorageFailed: the old ones stand."""
    db = library.db
    if lexical.version(db) == lexical.VERSION:
        if _exists(db, _GOING):
            yield from _drop(library, _GOING)
        return
    if _exists(db, _COMING):  # left by a kill
        yield from _drop(library, _COMING)
    with library.transaction():
        (definition,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'terms'").fetchone()
        db.execute(definition.replace("terms", _COMING, 1))
    last = 0
    while portion := db.execute(
        "SELECT c.id, c.text, c.section, d.title, d.path"
        " FROM chunks c JOIN documents d ON d.id = c.document_id"
        " WHERE c.id > ? ORDER BY c.id LIMIT ?",
        (last, _CHUNKS),
    ).fetchall():
        with library.transaction():
            for row, text, section, title, path in portion:
                lexical.add(db, row, text, writing.heading(title, json.loads(section)), path, _COMING)
        last = portion[-1][0]
        yield
    with library.transaction():
        db.execute(f"ALTER TABLE terms RENAME TO {_GOING}")
        db.execute(f"ALTER TABLE {_COMING} RENAME TO terms")
        lexical.note_version(db)
    yield
    yield from _drop(library, _GOING)


def _drop(library: Library, table: str) -> Iterator[None]:
    """Delete an index bit by bit; dropped at once, a large one would keep a question waiting."""
    data = f"{table}_data"
    is_empty = False
    while not is_empty:
        with library.transaction():
            deleted = library.db.execute(
                f"DELETE FROM {data} WHERE id IN (SELECT id FROM {data} WHERE id > 10 ORDER BY id LIMIT ?)",
                (_BLOCKS,),
            ).rowcount
        is_empty = deleted < _BLOCKS
        yield
    with library.transaction():
        library.db.execute(f"DROP TABLE {table}")


def _exists(db: sqlite3.Connection, table: str) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None
