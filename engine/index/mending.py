"""What must hold inside library.sqlite, counted and put right: nothing here reads a document or embeds text.

Call what writes inside a transaction of the library.
"""

import json
import sqlite3
from collections.abc import Iterator

from engine.index import lexical, writing
from engine.index.vector_pages import is_vector

_EXPECTED = "vectors_expected"
"""Fact of a library that was salvaged: until its next complete sync no vector is left over."""

_COMING = "embedder_coming"
"""Fact of a library whose vectors are being made anew: those of the coming embedder have no name yet."""

_ROWS = 500

_WITHOUT_OWNER = {
    "documents": "folder_id NOT IN (SELECT id FROM folders)",
    "pages": "document_id NOT IN (SELECT id FROM documents)",
    "chunks": "document_id NOT IN (SELECT id FROM documents)",
}
_LOST_COPY = "copy_of IS NOT NULL AND copy_of NOT IN (SELECT id FROM documents)"
_DANGLING = "vector_key IS NOT NULL AND vector_key NOT IN (SELECT key FROM vectors)"
_UNNAMED = "NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.vector_key = vectors.key)"


# -- rows without an owner --------------------------------------------------------------------------


def ownerless_rows(db: sqlite3.Connection) -> int:
    """Documents without folder, pages and passages without document."""
    return sum(_count(db, table, where) for table, where in _WITHOUT_OWNER.items())


def drop_ownerless_rows(db: sqlite3.Connection) -> None:
    """Their documents are read again by the next sync; the terms have to be made anew after it."""
    for table, where in _WITHOUT_OWNER.items():
        db.execute(f"DELETE FROM {table} WHERE {where}")


def lost_copies(db: sqlite3.Connection) -> int:
    """Documents that are said to be copies of one that is not there."""
    return _count(db, "documents", _LOST_COPY)


def drop_lost_copies(db: sqlite3.Connection) -> None:
    """The next sync reads their files."""
    db.execute(f"DELETE FROM documents WHERE {_LOST_COPY}")


# -- the lexical lane -------------------------------------------------------------------------------


def add_terms(db: sqlite3.Connection, document_id: int) -> None:
    """Index the passages of a document, none of which may be in the lexical index yet."""
    path, title = db.execute("SELECT path, title FROM documents WHERE id = ?", (document_id,)).fetchone()
    for row, text, section in db.execute(
        "SELECT id, text, section FROM chunks WHERE document_id = ? ORDER BY id", (document_id,)
    ).fetchall():
        lexical.add(db, row, text, writing.heading(title, json.loads(section)), path)


def make_terms_anew(db: sqlite3.Connection) -> None:
    """The lexical index from nothing but the passages."""
    db.execute("INSERT INTO terms (terms) VALUES ('delete-all')")
    lexical.note_version(db)
    for (document_id,) in db.execute("SELECT id FROM documents ORDER BY id").fetchall():
        add_terms(db, document_id)


def terms_amiss(db: sqlite3.Connection) -> int:
    """Passages that are not in the lexical index, and entries of it without a passage."""
    pairs = (("chunks", "terms_docsize"), ("terms_docsize", "chunks"))
    return sum(_count(db, one, f"id NOT IN (SELECT id FROM {other})") for one, other in pairs)


# -- vectors ----------------------------------------------------------------------------------------


def has_vectors(db: sqlite3.Connection) -> bool:
    """Whether any passage has a vector."""
    found = db.execute("SELECT 1 FROM chunks WHERE vector_key IS NOT NULL LIMIT 1").fetchone()
    return found is not None


def without_vector(db: sqlite3.Connection) -> int:
    """Passages that were indexed while no embedder could be used; the next sync makes their vectors."""
    return _count(db, "chunks", "vector_key IS NULL")


def dangling_names(db: sqlite3.Connection) -> dict[int, str]:
    """Rows of passages that name a vector that is not there, with its key."""
    return dict(db.execute(f"SELECT id, vector_key FROM chunks WHERE {_DANGLING}"))


def unname_missing_vectors(db: sqlite3.Connection) -> int:
    """Passages that name a vector that is not there name none: the next sync makes it. Returns how many."""
    return db.execute(f"UPDATE chunks SET vector_key = NULL WHERE {_DANGLING}").rowcount


def unusable_vectors(db: sqlite3.Connection) -> Iterator[list[str]]:
    """Keys of vectors that are zero, not finite or not of length 1, or have not as many numbers as most.

    One list a step. Vectors that no passage names may have another dimension.
    """
    usual = db.execute(
        "SELECT length(v.vector) FROM chunks c JOIN vectors v ON v.key = c.vector_key"
        " GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"
    ).fetchone()
    last = ""
    while found := db.execute(
        f"SELECT key, vector, NOT {_UNNAMED} FROM vectors WHERE key > ? ORDER BY key LIMIT ?", (last, _ROWS)
    ).fetchall():
        last = found[-1][0]
        yield [
            key
            for key, vector, is_named in found
            if not is_vector(vector) or (is_named and len(vector) != usual[0])
        ]


def drop_vectors(db: sqlite3.Connection, keys: list[str]) -> None:
    """The passages that name them have none then."""
    db.executemany("DELETE FROM vectors WHERE key = ?", ((key,) for key in keys))
    unname_missing_vectors(db)


def unnamed_vectors(db: sqlite3.Connection) -> int:
    """Vectors that no passage names, nor will when a sync or a change of the embedder is done."""
    waiting = db.execute("SELECT 1 FROM meta WHERE key IN (?, ?)", (_EXPECTED, _COMING)).fetchone()
    return 0 if waiting else _count(db, "vectors", _UNNAMED)


def drop_unnamed_vectors(db: sqlite3.Connection) -> None:
    db.execute(f"DELETE FROM vectors WHERE {_UNNAMED}")


def expect_names(db: sqlite3.Connection) -> None:
    """The vectors of a salvaged library wait for the texts that its next complete sync brings."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (_EXPECTED,))


def end_expectation(db: sqlite3.Connection) -> None:
    """All folders have been looked through: what no passage names now is left over."""
    if db.execute("DELETE FROM meta WHERE key = ?", (_EXPECTED,)).rowcount:
        drop_unnamed_vectors(db)


def _count(db: sqlite3.Connection, table: str, where: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0])
