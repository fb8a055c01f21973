"""SQLite's own checks of a library's file, which may take many seconds: a question must not wait for them.

They run in a thread with a connection of its own, which sees the last committed state and changes nothing.
"""

import sqlite3
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import LibraryDamaged
from engine.index.database import connect, connect_read_only, storage_error
from engine.steps import in_thread

_TABLES = ("meta", "folders", "documents", "pages", "chunks", "vectors", "terms_data", "terms_docsize")


@dataclass(slots=True)
class Integrity:
    """``problem``: what SQLite says of the file, None when it is whole. ``are_terms_whole``: FTS5's."""

    problem: str | None = None
    are_terms_whole: bool = True


def check(file: Path, *, may_write: bool) -> Generator[None, None, Integrity]:
    """Check tables and indexes, and the lexical index where ``may_write``: FTS5 is asked by a write."""
    started: list[sqlite3.Connection] = []

    def run() -> Integrity:
        found = Integrity()
        try:
            with closing(connect(file) if may_write else connect_read_only(file)) as db:
                started.append(db)
                found.problem = _problem(db)
                if found.problem is None and may_write:
                    found.are_terms_whole = _are_terms_whole(db, str(file))
        except (sqlite3.DatabaseError, LibraryDamaged) as exc:
            found.problem = str(exc)
        return found

    def stop() -> None:
        for db in started:
            with suppress(sqlite3.ProgrammingError):  # closed in the same moment
                db.interrupt()

    return in_thread(run, stop, "zhiye-integrity")


def _problem(db: sqlite3.Connection) -> str | None:
    for table in _TABLES:
        said: str = db.execute(f"PRAGMA integrity_check({table})").fetchone()[0]
        if said != "ok":
            return said
    return None


def _are_terms_whole(db: sqlite3.Connection, file: str) -> bool:
    try:
        db.execute("INSERT INTO terms (terms) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as exc:
        if isinstance(storage_error(exc, file), LibraryDamaged):
            return False
        raise
    return True
