"""Whole databases copied and checked; to be done in a thread (:mod:`engine.steps`): it may take minutes."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

from engine.cancel import CancelToken
from engine.index.database import connect_read_only, storage_error

_PAGES = 2048
"""Database pages, or steps of a check, between two looks at the token."""

_BLOCK = 1 << 20


def copy_database(source: Path, target: Path, token: CancelToken) -> None:
    """Copy a database as it is at one moment, whoever writes to it meanwhile, to a file without a log.

    Raises:
        LibraryDamaged: the source is no database, or cannot be read.
        StorageFailed: the target cannot be written.
        Cancelled: what is there of the target is of no use.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with closing(connect_read_only(source)) as reading, closing(sqlite3.connect(target)) as writing:
            # Reading has begun from here on, so no later change is seen, and none makes the copy start again.
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM sqlite_master").fetchone()
            reading.backup(writing, pages=_PAGES, progress=lambda *_: token.check())
            writing.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.DatabaseError, OSError) as exc:
        raise storage_error(exc, str(source)) from exc


def fault(file: Path, token: CancelToken) -> str | None:
    """What SQLite finds wrong in a database; None when all is well. Raises Cancelled."""
    try:
        with closing(connect_read_only(file)) as db:
            db.set_progress_handler(lambda: token.is_cancelled, _PAGES)
            found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as exc:
        token.check()
        found = str(exc)
    return None if found == "ok" else str(found)


def copy_file(source: Path, target: Path, token: CancelToken) -> str:
    """Copy a file and return its SHA-256; raises OSError, Cancelled."""
    digest = hashlib.sha256()
    with source.open("rb") as reading, target.open("xb") as writing:
        while block := reading.read(_BLOCK):
            token.check()
            digest.update(block)
            writing.write(block)
    return digest.hexdigest()


def sha256(file: Path, token: CancelToken) -> str:
    """Raises OSError, Cancelled."""
    digest = hashlib.sha256()
    with file.open("rb") as reading:
        while block := reading.read(_BLOCK):
            token.check()
            digest.update(block)
    return digest.hexdigest()


def version_and_name(file: Path) -> tuple[int, str | None]:
    """The version of a database's schema, and the name where it is a library's; raises DatabaseError."""
    with closing(connect_read_only(file)) as db:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            return version, None
        row = db.execute("SELECT value FROM meta WHERE key = 'name'").fetchone()
        return version, row[0] if row else ""
