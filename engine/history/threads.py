"""The statements on conversations; :class:`engine.runs.Runs` runs them inside its transactions."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from engine.errors import WrongUse
from engine.history import search
from engine.history.records import ThreadSummary

_TITLE = 80
"""Characters of a question that stand for a thread without a title of its own."""

_REMEMBERED = 5
"""Questions of a thread that the next one may lean on."""

# The first question that counts; where all were replaced (and the last one deleted), the first of them.
_FIRST_QUESTION = """(
    SELECT r.question FROM turns t JOIN runs r ON r.id = t.run_id WHERE t.thread_id = h.id
    ORDER BY t.superseded, t.place, t.run_id LIMIT 1)"""

_QUERY = f"""
    SELECT h.id, h.title, {_FIRST_QUESTION}, h.created_at, h.updated_at, h.pinned,
           (SELECT count(*) FROM turns t WHERE t.thread_id = h.id AND NOT t.superseded)
    FROM threads h WHERE {{where}} ORDER BY h.pinned DESC, h.updated_at DESC, h.id DESC LIMIT ?"""


def listed(db: sqlite3.Connection, text: str, limit: int | None) -> list[ThreadSummary]:
    """Threads in which a run, or the title that a person gave, says ``text``: pinned first, then newest."""
    of_run, words = search.condition(text, "t.said")
    of_title, again = search.condition(text, "normalised(h.title)")
    where = (
        f"EXISTS (SELECT 1 FROM turns t WHERE t.thread_id = h.id AND {of_run})"
        f" OR (h.title IS NOT NULL AND {of_title})"
    )
    rows = db.execute(_QUERY.format(where=where if words else "TRUE"), [*words, *again, _all(limit)])
    return [_summary(row) for row in rows]


def get(db: sqlite3.Connection, thread: int) -> ThreadSummary:
    """Raises WrongUse when there is none of that id."""
    row = db.execute(_QUERY.format(where="h.id = ?"), (thread, 1)).fetchone()
    if row is None:
        raise WrongUse(detail=f"thread {thread}")
    return _summary(row)


def count(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM threads").fetchone()[0])


def exists(db: sqlite3.Connection, thread: int) -> bool:
    return db.execute("SELECT 1 FROM threads WHERE id = ?", (thread,)).fetchone() is not None


def place_for(db: sqlite3.Connection, thread: int | None, replaces: int | None, now: str) -> tuple[int, int]:
    """The thread and the place of a new run; what it takes the place of is superseded.

    With ``replaces`` it takes the place of that run, and of all that came after it. A thread that is gone
    meanwhile is not brought back: the run begins a new one.
    """
    found = db.execute("SELECT thread_id, place FROM turns WHERE run_id = ?", (replaces,)).fetchone()
    if found is not None:
        db.execute("UPDATE turns SET superseded = 1 WHERE thread_id = ? AND place >= ?", found)
        thread, place = int(found[0]), int(found[1])
    elif thread is not None and exists(db, thread):
        last = "SELECT max(place) FROM turns WHERE thread_id = ? AND NOT superseded"
        place = (db.execute(last, (thread,)).fetchone()[0] or 0) + 1
    else:
        insert = "INSERT INTO threads (created_at, updated_at) VALUES (?, ?)"
        return int(db.execute(insert, (now, now)).lastrowid or 0), 1
    db.execute("UPDATE threads SET updated_at = max(updated_at, ?) WHERE id = ?", (now, thread))
    return thread, place


def before(db: sqlite3.Connection, thread: int, place: int | None) -> list[tuple[int, str, str]]:
    """Id, question and trace of the runs of a thread that count, in order, up to a place."""
    query = (
        "SELECT r.id, r.question, r.trace FROM turns t JOIN runs r ON r.id = t.run_id"
        " WHERE t.thread_id = ? AND NOT t.superseded AND (? IS NULL OR t.place < ?)"
        " ORDER BY t.place DESC, t.run_id DESC LIMIT ?"
    )
    return list(reversed(db.execute(query, (thread, place, place, _REMEMBERED)).fetchall()))


def change(db: sqlite3.Connection, thread: int, title: str | None, pinned: bool | None) -> None:
    """None leaves something as it is; a blank title gives the first question back its place."""
    if title is not None:
        kept = " ".join(title.split()) or None
        db.execute("UPDATE threads SET title = ? WHERE id = ?", (kept, thread))
    if pinned is not None:
        db.execute("UPDATE threads SET pinned = ? WHERE id = ?", (int(pinned), thread))


def delete_runs(db: sqlite3.Connection, where: str, values: Iterable[Any], *, untitle: bool = False) -> int:
    """Delete the runs that a condition on ``runs`` names, and the threads that lose their last one.

    ``untitle`` takes from the threads that keep others the title a person gave: it may name what is gone.
    Returns how many runs there were.
    """
    doomed = f"SELECT id FROM runs WHERE {where}"
    wanted = list(values)
    threads = db.execute(
        f"SELECT DISTINCT thread_id FROM turns WHERE run_id IN ({doomed})", wanted
    ).fetchall()
    gone = db.execute(f"DELETE FROM runs WHERE {where}", wanted).rowcount
    empty = "DELETE FROM threads WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.thread_id = ?1)"
    db.executemany(empty, threads)
    if untitle:
        db.executemany("UPDATE threads SET title = NULL WHERE id = ?", threads)
    return int(gone)


def _all(limit: int | None) -> int:
    return -1 if limit is None else limit


def _summary(row: tuple[Any, ...]) -> ThreadSummary:
    thread, title, question, created_at, updated_at, pinned, runs = row
    shown = title or " ".join((question or "").split())[:_TITLE]
    return ThreadSummary(thread, shown, created_at, updated_at, bool(pinned), runs)
