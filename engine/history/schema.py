"""The schema of history.sqlite as appended steps: never change a step, append the next one."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from engine.errors import LibraryDamaged
from engine.history import search
from engine.index.database import Transaction
from engine.shelf import library_id

_QUOTING = ("hits", "nearest", "citations")
"""Where a trace holds text of a library, each item with the library's name."""


def m001_runs(db: sqlite3.Connection) -> None:
    """The runs. The first release wrote this table without a version, so it may be there."""
    db.execute("""
        CREATE TABLE IF NOT EXISTS runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            asked_at TEXT NOT NULL,
            question TEXT NOT NULL,
            refused INTEGER NOT NULL,
            model TEXT,
            trace TEXT NOT NULL            -- JSON: what `ask --json` prints, libraries, settings
        )""")


def m002_quoted(db: sqlite3.Connection) -> None:
    """Which libraries' text a run holds, by id: names change. Libraries had their first name until now."""
    db.execute("""
        CREATE TABLE quoted (
            run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
            library TEXT NOT NULL,
            PRIMARY KEY (run_id, library)
        ) WITHOUT ROWID""")
    db.execute("CREATE INDEX quoted_by_library ON quoted (library)")
    for run_id, trace in db.execute("SELECT id, trace FROM runs").fetchall():
        note_quoted(db, run_id, map(library_id, _names(json.loads(trace))))


def m003_threads(db: sqlite3.Connection) -> None:
    """Conversations, what people think of an answer, and what is searched; each run so far is a thread.

    What is new of a run stands in a row of its own, which stays small: a list or a search of thousands of
    runs then reads none of their traces.
    """
    for statement in (
        """CREATE TABLE threads (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT,                    -- given by a person; NULL: the first question
            created_at TEXT NOT NULL,      -- ISO 8601 in UTC
            updated_at TEXT NOT NULL,
            pinned INTEGER NOT NULL DEFAULT 0
        )""",
        """CREATE TABLE turns (
            run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
            thread_id INTEGER NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
            place INTEGER NOT NULL,        -- from 1; a question that was asked again has the place it had
            state TEXT NOT NULL,           -- finished, stopped
            superseded INTEGER NOT NULL,   -- a later run took its place
            rating TEXT,                   -- good, bad
            note TEXT NOT NULL,
            said TEXT NOT NULL             -- question and answer as they are searched
        )""",
        "CREATE INDEX turns_by_thread ON turns (thread_id, place)",
        "CREATE INDEX runs_by_time ON runs (asked_at)",
        # Something was deleted whose bytes may still be in the file: the program ended in between.
        "CREATE TABLE unwiped (since TEXT NOT NULL)",
    ):
        db.execute(statement)
    for run_id, asked_at, question, trace in db.execute("SELECT id, asked_at, question, trace FROM runs"):
        thread = db.execute(
            "INSERT INTO threads (created_at, updated_at) VALUES (?, ?)", (asked_at, asked_at)
        ).lastrowid
        said = search.said(question, json.loads(trace).get("answer"))
        db.execute("INSERT INTO turns VALUES (?, ?, 1, 'finished', 0, NULL, '', ?)", (run_id, thread, said))


def m004_self_test(db: sqlite3.Connection) -> None:
    """The self-test questions of each library, by its id, and what came of the last runs of them."""
    for statement in (
        """CREATE TABLE self_test_questions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            library TEXT NOT NULL,
            question TEXT NOT NULL,
            state TEXT NOT NULL,           -- unmarked, marked, absent
            added_at TEXT NOT NULL,        -- ISO 8601 in UTC
            mark TEXT,                     -- JSON: engine.self_test.records.Mark
            UNIQUE (library, question)
        )""",
        """CREATE TABLE self_test_runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            library TEXT NOT NULL,
            at TEXT NOT NULL,
            record TEXT NOT NULL,          -- JSON: the figures in their groups
            results TEXT NOT NULL          -- JSON: what became of each question
        )""",
        "CREATE INDEX self_test_runs_by_library ON self_test_runs (library, id)",
    ):
        db.execute(statement)


STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    m001_runs,
    m002_quoted,
    m003_threads,
    m004_self_test,
)


def note_quoted(db: sqlite3.Connection, run_id: int, libraries: Iterable[str]) -> None:
    """Note the ids of the libraries that a run holds text of."""
    db.executemany("INSERT OR IGNORE INTO quoted VALUES (?, ?)", ((run_id, item) for item in libraries))


def _names(trace: dict[str, Any]) -> set[str]:
    return {str(item.get("library")) for key in _QUOTING for item in trace.get(key) or ()}


def migrate(db: sqlite3.Connection, path: str) -> None:
    """Bring a history of any earlier version up to date, each step in its own transaction.

    Raises:
        LibraryDamaged: the file was written by a newer program than this one.
        StorageFailed: it cannot be written.
    """
    if (found := _version(db)) > len(STEPS):
        raise LibraryDamaged(path=path, detail=f"schema {found}, this program knows {len(STEPS)}")
    for number, step in enumerate(STEPS, start=1):
        if _version(db) >= number:
            continue
        with Transaction(db, path):
            # The window and the command line may both have found the old version.
            if _version(db) < number:
                step(db)
                db.execute(f"PRAGMA user_version = {number}")


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
