"""Documents with the same bytes: one of them, the original, holds pages and passages, the others name it.

So text is found once however often a file lies about, and nothing is read or embedded for a copy. The
original is the one whose folder can be reached and that comes first (:func:`_order`), so that the index does
not depend on which was found first. When an original goes or changes, its first copy takes its place.
"""

import sqlite3
from pathlib import Path, PurePosixPath

from engine.documents import FileState
from engine.index import writing
from engine.index.writing import FileRecord

_STATES = (FileState.INDEXED, FileState.PARTIAL, FileState.NEEDS_OCR, FileState.UNMAPPED_TEXT)
"""What comes of the bytes alone, and is worth not reading twice."""

_Order = tuple[bool, bool, int, str]


def original(db: sqlite3.Connection, content_hash: str, path: str, reading: str) -> int | None:
    """The document that holds what is in a file of these bytes and this path, read as it would be today.

    Files of other suffixes are others: a table is read otherwise than the same lines in a text.
    """
    suffix = PurePosixPath(path).suffix.lower()
    found = db.execute(
        "SELECT id, path FROM documents WHERE content_hash = ? AND reading = ? AND copy_of IS NULL"
        f" AND state IN ({','.join('?' * len(_STATES))}) ORDER BY id",
        (content_hash, reading, *_STATES),
    )
    return next((row for row, name in found if PurePosixPath(name).suffix.lower() == suffix), None)


def add(db: sqlite3.Connection, record: FileRecord, of: int) -> None:
    """Store a file as a copy of the document ``of``, or that one as a copy of it.

    A document whose folder is not on this machine (that of a pack) is where the file is from now on.
    """
    folder_id, path, size, mtime_ns, state = db.execute(
        "SELECT folder_id, path, size, mtime_ns, state FROM documents WHERE id = ?", (of,)
    ).fetchone()
    state = FileState(state)
    if _order(db, record.folder_id, record.path) < _order(db, folder_id, path):
        writing.move(db, of, record.folder_id, record.path)
        _note_times(db, of, record.size, record.mtime_ns)
        if not _is_linked(db, folder_id):
            db.execute(
                "DELETE FROM folders WHERE id = ?1"
                " AND NOT EXISTS (SELECT 1 FROM documents WHERE folder_id = ?1)",
                (folder_id,),
            )
            return
        record.folder_id, record.path, record.size, record.mtime_ns = folder_id, path, size, mtime_ns
    copy = writing.insert_file(db, record, state)
    db.execute("UPDATE documents SET copy_of = ? WHERE id = ?", (of, copy))


def hand_over(db: sqlite3.Connection, document_id: int) -> bool:
    """Make the first copy of a document the original, in the document's place; False where there is none."""
    copies = db.execute(
        "SELECT id, folder_id, path, size, mtime_ns FROM documents WHERE copy_of = ?", (document_id,)
    ).fetchall()
    if not copies:
        return False
    heir, folder_id, path, size, mtime_ns = min(copies, key=lambda copy: _order(db, copy[1], copy[2]))
    db.execute("DELETE FROM documents WHERE id = ?", (heir,))
    writing.move(db, document_id, folder_id, path)
    _note_times(db, document_id, size, mtime_ns)
    return True


def of(db: sqlite3.Connection, document_id: int) -> list[int]:
    """The copies of a document."""
    return [row[0] for row in db.execute("SELECT id FROM documents WHERE copy_of = ?", (document_id,))]


def _note_times(db: sqlite3.Connection, document_id: int, size: int, mtime_ns: int) -> None:
    db.execute("UPDATE documents SET size = ?, mtime_ns = ? WHERE id = ?", (size, mtime_ns, document_id))


def _order(db: sqlite3.Connection, folder_id: int, path: str) -> _Order:
    offline = db.execute("SELECT offline_since FROM folders WHERE id = ?", (folder_id,)).fetchone()[0]
    return not _is_linked(db, folder_id), offline is not None, folder_id, path


def _is_linked(db: sqlite3.Connection, folder_id: int) -> bool:
    folder = db.execute("SELECT path FROM folders WHERE id = ?", (folder_id,)).fetchone()[0]
    return Path(folder).is_absolute()
