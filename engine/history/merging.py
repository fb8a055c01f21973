"""The runs of another history among those of this one: a backup that is put back."""

import sqlite3
from collections.abc import Sequence

_RUN = "r.asked_at, r.question, r.refused, r.model, r.trace"
_TURN = "t.place, t.state, t.superseded, t.rating, t.note, t.said"
_FACTS = "title, created_at, updated_at, pinned"


def merge(db: sqlite3.Connection, other: sqlite3.Connection) -> int:
    """Take over the runs that are not here, each in its thread; returns how many there were.

    A thread that is here already, known by a run that both have, gets what it lacks; what people said of it
    and its answers here stays. Call it inside a transaction.
    """
    threads = _threads_here(db, other)
    count = 0
    for run_id, thread, *values in _runs(other):
        if (known := _find(db, values[:5])) is not None:
            if values[7]:  # by a run that is here now, or comes next
                db.execute("UPDATE turns SET superseded = 1 WHERE run_id = ?", (known[0],))
            continue
        if thread not in threads:
            facts = other.execute(f"SELECT {_FACTS} FROM threads WHERE id = ?", (thread,)).fetchone()
            insert = f"INSERT INTO threads ({_FACTS}) VALUES (?, ?, ?, ?)"
            threads[thread] = int(db.execute(insert, facts).lastrowid or 0)
        insert = "INSERT INTO runs (asked_at, question, refused, model, trace) VALUES (?, ?, ?, ?, ?)"
        new = db.execute(insert, values[:5]).lastrowid
        db.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (new, threads[thread], *values[5:]))
        quoted = other.execute("SELECT library FROM quoted WHERE run_id = ?", (run_id,))
        db.executemany("INSERT OR IGNORE INTO quoted VALUES (?, ?)", ((new, item) for (item,) in quoted))
        count += 1
    return count


def _runs(db: sqlite3.Connection) -> sqlite3.Cursor:
    """Id, thread, and the values of :data:`_RUN` and :data:`_TURN` of all runs."""
    return db.execute(
        f"SELECT r.id, t.thread_id, {_RUN}, {_TURN} FROM runs r JOIN turns t ON t.run_id = r.id ORDER BY r.id"
    )


def _threads_here(db: sqlite3.Connection, other: sqlite3.Connection) -> dict[int, int]:
    """Which thread of the other history is which one here."""
    found: dict[int, int] = {}
    for _, thread, *values in _runs(other):
        if thread not in found and (known := _find(db, values[:5])) is not None:
            found[thread] = known[1]
    return found


def _find(db: sqlite3.Connection, run: Sequence[object]) -> tuple[int, int] | None:
    """Id and thread of the same run here."""
    asked_at, question, _, _, trace = run
    found: tuple[int, int] | None = db.execute(
        "SELECT r.id, t.thread_id FROM runs r JOIN turns t ON t.run_id = r.id"
        " WHERE r.asked_at = ? AND r.question = ? AND r.trace = ?",
        (asked_at, question, trace),
    ).fetchone()
    return found
