"""What was deleted leaves history.sqlite and its write-ahead log, also when the program ends in between."""

import sqlite3

from engine.errors import StorageFailed


def note(db: sqlite3.Connection, now: str) -> None:
    """In the transaction that deletes: should the program end now, the next start does the :func:`wipe`."""
    db.execute("INSERT INTO unwiped VALUES (?)", (now,))


def is_due(db: sqlite3.Connection) -> bool:
    """Whether something was deleted whose bytes may still be there."""
    return db.execute("SELECT 1 FROM unwiped LIMIT 1").fetchone() is not None


def wipe(db: sqlite3.Connection, file: str) -> None:
    """Write the file anew and empty its log; about a second for each 60 MB.

    Raises:
        StorageFailed: the file could not be written, or is being read by another program.
    """
    try:
        # secure_delete leaves copies where SQLite moved rows between pages; a new file has none.
        db.execute("VACUUM")
        if not empty_log(db):
            raise StorageFailed(path=file, detail="another program is reading it")
        db.execute("DELETE FROM unwiped")
    except sqlite3.OperationalError as exc:
        raise StorageFailed(path=file, detail=str(exc)) from exc


def empty_log(db: sqlite3.Connection) -> bool:
    """Whether the write-ahead log, which holds what was there before, could be emptied."""
    return not db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
