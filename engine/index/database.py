"""Opening SQLite files on our terms, and transactions whose storage failures are typed errors."""

import sqlite3
from pathlib import Path

from engine.errors import LibraryDamaged, StorageFailed

_STORAGE = ("readonly", "read-only", "unable to open", "disk is full", "disk I/O", "locked")


def connect(file: Path | None) -> sqlite3.Connection:
    """A connection in WAL mode that overwrites what it deletes; ``file`` None: in memory.

    The connection may be handed to the one thread that will own it.

    Raises:
        StorageFailed: the place cannot be written.
        LibraryDamaged: the file is not a SQLite database.
    """
    name = ":memory:" if file is None else str(file)
    db: sqlite3.Connection | None = None
    try:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(name, timeout=10, check_same_thread=False, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
    except OSError as exc:
        raise StorageFailed(path=name, detail=exc.strerror or str(exc)) from exc
    except sqlite3.DatabaseError as exc:
        if db is not None:
            db.close()
        if any(word in str(exc) for word in _STORAGE):
            raise StorageFailed(path=name, detail=str(exc)) from exc
        raise LibraryDamaged(path=name, detail=str(exc)) from exc
    return db


class Transaction:
    """``BEGIN IMMEDIATE`` … ``COMMIT``, or ``ROLLBACK`` on any exception.

    Raises:
        StorageFailed: SQLite could not begin or commit (disk full, locked, read-only).
    """

    def __init__(self, db: sqlite3.Connection, file: str) -> None:
        self._db = db
        self._file = file

    def __enter__(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as exc:
            raise StorageFailed(path=self._file, detail=str(exc)) from exc

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            try:
                self._db.execute("COMMIT")
                return
            except sqlite3.OperationalError as exc:
                error = exc
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        if isinstance(error, sqlite3.OperationalError):
            raise StorageFailed(path=self._file, detail=str(error)) from error
