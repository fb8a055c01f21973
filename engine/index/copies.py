"""Documents with the same bytes: one of them, the original, holds pages and passages, the others name it.

So text is found once however often a file lies about, and nothing is read or embedded for a copy. The
original is the one whose folder can be reached and that comes first (:func:`_order`), so that the index does
not depend on which was found first. When an original goes or changes, its first copy takes its place.
"""

import json
import sqlite3
from pathlib import Path, PurePosixPath

from engine.documents import FileState
from engine.index import rows, writing
from engine.index.writing import FileRecord

STATES = (FileState.INDEXED, FileState.PARTIAL, FileState.NEEDS_OCR, FileState.UNMAPPED_TEXT)
"""What comes of the bytes alone, and is worth not reading twice."""

_Order = tuple[bool, bool, int, str]


def original(db: sqlite3.Connection, content_hash: str, path: str, reading: str) -> int | None:
    """The document that holds what is in a file of these bytes and this path, read as it would be today.

    Files of other suffixes are others: a table is read otherwise than the same lines in a text.
    """
    suffix = PurePosixPath(path).suffix.lower()
    found = db.execute(
        "SELECT id, path, state, details FROM documents"
        " WHERE content_hash = ? AND reading = ? AND copy_of IS NULL ORDER BY id",
        (content_hash, reading),
    )
    for row, name, state, details in found:
        if _state(state, details) in STATES and PurePosixPath(name).suffix.lower() == suffix:
            return int(row)
    return None


def add(db: sqlite3.Connection, record: FileRecord, of: int) -> None:
    """Store a file as a copy of the document ``of``, or that one as a copy of it."""
    state, details = db.execute("SELECT state, details FROM documents WHERE id = ?", (of,)).fetchone()
    copy = writing.insert_file(db, record, _state(state, details))
    db.execute("UPDATE documents SET copy_of = ? WHERE id = ?", (of, copy))
    settle(db, of)


def settle(db: sqlite3.Connection, document_id: int) -> bool:
    """Let a copy that comes before an original change places with it; whether it did.

    A place that is not on this machine (of a pack) is given up for one that is.
    """
    place = db.execute(
        "SELECT folder_id, path, size, mtime_ns, content_hash, reading, indexed_at, state, details"
        " FROM documents WHERE id = ?",
        (document_id,),
    ).fetchone()
    folder_id, path, *facts, state, details = place
    first = _first_copy(db, document_id)
    if first is None or _order(db, folder_id, path) <= _order(db, *first[1:3]):
        return False
    hand_over(db, document_id)
    if _is_linked(db, folder_id):
        db.execute(
            "INSERT INTO documents (folder_id, path, size, mtime_ns, content_hash, reading, indexed_at,"
            " state, copy_of) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (folder_id, path, *facts, _state(state, details), document_id),
        )
    else:
        db.execute(
            "DELETE FROM folders WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE folder_id = ?1)",
            (folder_id,),
        )
    return True


def unsettled(db: sqlite3.Connection) -> list[int]:
    """The originals that a copy comes before: their folder went offline, or they were moved."""
    found = db.execute(
        "SELECT id, folder_id, path FROM documents WHERE id IN (SELECT copy_of FROM documents)"
    ).fetchall()
    firsts = [(row, _order(db, folder_id, path), _first_copy(db, row)) for row, folder_id, path in found]
    return [row for row, order, first in firsts if first and _order(db, *first[1:3]) < order]


def hand_over(db: sqlite3.Connection, document_id: int) -> bool:
    """Make the first copy of a document the original, in the document's place; False where there is none."""
    first = _first_copy(db, document_id)
    if first is None:
        return False
    heir, folder_id, path, size, mtime_ns = first
    db.execute("DELETE FROM documents WHERE id = ?", (heir,))
    writing.move(db, document_id, folder_id, path)
    note_times(db, document_id, size, mtime_ns)
    return True


def of(db: sqlite3.Connection, document_id: int) -> list[int]:
    """The copies of a document."""
    return [row[0] for row in db.execute("SELECT id FROM documents WHERE copy_of = ?", (document_id,))]


def note_times(db: sqlite3.Connection, document_id: int, size: int, mtime_ns: int) -> None:
    """Size and time of the file that a document is found in now."""
    db.execute("UPDATE documents SET size = ?, mtime_ns = ? WHERE id = ?", (size, mtime_ns, document_id))


def _first_copy(db: sqlite3.Connection, document_id: int) -> tuple[int, int, str, int, int] | None:
    copies = db.execute(
        "SELECT id, folder_id, path, size, mtime_ns FROM documents WHERE copy_of = ?", (document_id,)
    ).fetchall()
    return min(copies, key=lambda copy: _order(db, copy[1], copy[2]), default=None)


def _order(db: sqlite3.Connection, folder_id: int, path: str) -> _Order:
    offline = db.execute("SELECT offline_since FROM folders WHERE id = ?", (folder_id,)).fetchone()[0]
    return not _is_linked(db, folder_id), offline is not None, folder_id, path


def _is_linked(db: sqlite3.Connection, folder_id: int) -> bool:
    folder = db.execute("SELECT path FROM folders WHERE id = ?", (folder_id,)).fetchone()[0]
    return Path(folder).is_absolute()


def _state(state: str, details: str) -> FileState:
    """The state of a document; of one that cannot be read for the moment the one to go back to."""
    kept = json.loads(details).get(rows.KEPT) if state == FileState.UNREADABLE else None
    return FileState(kept["state"] if kept else state)
