"""Opening SQLite files on our terms, and storage failures as typed errors."""

import os
import sqlite3
from pathlib import Path

from engine.errors import CodedError, LibraryDamaged, StorageFailed

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""A statement of ours that SQLite does not understand (``SQLITE_ERROR``) has lost its table."""

_WRITE_REFUSED = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})

_FAULTS_OF_OURS = (sqlite3.IntegrityError, sqlite3.ProgrammingError)


def connect(file: Path | None) -> sqlite3.Connection:
    """A connection in WAL mode that overwrites what it deletes; ``file`` None: in memory.

    A database that is there and cannot be written (read-only disk, no permission) is opened for reading
    (:func:`is_read_only`), so that it can still be searched.
    The connection may be handed to the one thread that will own it.

    Raises:
        StorageFailed: the place can be neither written nor read.
        LibraryDamaged: the file is not a SQLite database.
    """
    name = ":memory:" if file is None else str(file)
    try:
        if file is None or _is_made(file) or os.access(file, os.W_OK):
            return _open(name, read_only=False)
    except (sqlite3.DatabaseError, OSError) as exc:
        if file is None or not _is_write_refused(exc) or not file.is_file():
            raise storage_error(exc, name) from exc
    try:
        return connect_read_only(file)
    except sqlite3.DatabaseError as exc:
        raise storage_error(exc, name) from exc


def _is_made(file: Path) -> bool:
    """Make a database's file where there is none, for its user alone: SQLite's logs take its permissions."""
    if file.exists():
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDONLY, 0o600))
    return True


def connect_read_only(file: Path) -> sqlite3.Connection:
    """A connection that changes nothing on disk, also where no file can be made beside the database.

    Raises:
        sqlite3.DatabaseError: it cannot be read.
    """
    try:
        return _open(f"{file.absolute().as_uri()}?mode=ro", read_only=True)
    except sqlite3.DatabaseError as exc:
        log = file.with_name(file.name + "-wal")
        if not _is_write_refused(exc) or (log.exists() and log.stat().st_size):
            raise  # immutable would leave out what stands in the log
    return _open(f"{file.absolute().as_uri()}?immutable=1", read_only=True)


def _open(name: str, *, read_only: bool) -> sqlite3.Connection:
    db = sqlite3.connect(name, timeout=10, check_same_thread=False, isolation_level=None, uri=read_only)
    try:
        if read_only:
            db.execute("PRAGMA query_only = ON")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the file, and its log
        else:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA secure_delete = ON")
        db.execute("PRAGMA foreign_keys = ON")
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def is_read_only(db: sqlite3.Connection) -> bool:
    """Whether the database could only be opened for reading."""
    return bool(db.execute("PRAGMA query_only").fetchone()[0])


def storage_error(error: Exception, path: str) -> CodedError:
    """The typed error for what SQLite or the system raised: the file is damaged, or the disk refused."""
    if isinstance(error, OSError):
        return StorageFailed(path=str(error.filename or path), detail=error.strerror or str(error))
    kind = LibraryDamaged if _is_damage(error) else StorageFailed
    return kind(path=path, detail=str(error))


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _DAMAGE
    # Without a code it is Python's own: text in the file is not UTF-8.
    return not isinstance(error, sqlite3.OperationalError) or "UTF-8" in str(error)


def _is_write_refused(error: Exception) -> bool:
    return isinstance(error, PermissionError) or (
        getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF in _WRITE_REFUSED
    )


class Transaction:
    """``BEGIN IMMEDIATE`` … ``COMMIT``, or ``ROLLBACK`` on any exception.

    Raises:
        StorageFailed: SQLite could not begin, write or commit (disk full, locked, read-only).
        LibraryDamaged: the file is found to be damaged.
    """

    def __init__(self, db: sqlite3.Connection, file: str) -> None:
        self._db = db
        self._file = file

    def __enter__(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.DatabaseError as exc:
            raise storage_error(exc, self._file) from exc

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            try:
                self._db.execute("COMMIT")
                return
            except sqlite3.DatabaseError as exc:
                error = exc
        if self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except sqlite3.DatabaseError as exc:
                raise storage_error(exc, self._file) from error
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, _FAULTS_OF_OURS):
            raise storage_error(error, self._file) from error
