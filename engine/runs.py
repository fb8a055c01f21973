"""Every question with its trace and its answer, in conversations, kept on this machine in history.sqlite."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.errors import CodedError, LibraryDamaged, StorageFailed, WrongUse
from engine.history import merging, search, threads, wiping
from engine.history import schema as history_schema
from engine.history.records import Rating, Run, RunState, RunSummary, ThreadSummary
from engine.history.search import storable
from engine.index.database import Transaction, connect, is_read_only
from engine.normalise import normalise
from engine.self_test.store import SelfTestStore

_SUMMARY = (
    "r.id, r.asked_at, r.question, r.refused, r.model, t.thread_id, t.place, t.state, t.superseded,"
    " t.rating, t.note"
)
_JOINED = "FROM runs r JOIN turns t ON t.run_id = r.id"


class Runs:
    """The store of runs; opened by its one owner. Several programs may have the same file open."""

    def __init__(self, file: Path) -> None:
        """Open or create; raises StorageFailed or LibraryDamaged."""
        self._file = str(file)
        self._db = connect(file)
        try:
            history_schema.migrate(self._db, self._file)
            self._db.create_function("normalised", 1, normalise, deterministic=True)
            if not is_read_only(self._db) and wiping.is_due(self._db):
                with suppress(StorageFailed):  # another program reads it now; the next start has its turn
                    wiping.wipe(self._db, self._file)
        except CodedError:
            self._db.close()
            raise
        except sqlite3.DatabaseError as exc:
            self._db.close()
            raise LibraryDamaged(path=self._file, detail=str(exc)) from exc

    # -- writing ----------------------------------------------------------------------------------

    def save(
        self,
        question: str,
        refused: bool,
        model: str | None,
        trace: Mapping[str, Any],
        quoted: Iterable[str] = (),
        *,
        state: RunState = "finished",
        thread: int | None = None,
        replaces: int | None = None,
    ) -> int:
        """Keep one run and return its id; ``quoted`` are the ids of the libraries whose text is in it.

        It comes last in its ``thread``, or takes the place of the run that it ``replaces`` and of those after
        it, which stay and are marked; without either it begins a thread.

        Raises:
            StorageFailed: it was not kept.
        """
        now = _now()
        with self._writing():
            in_thread, place = threads.place_for(self._db, thread, replaces, now)
            cursor = self._db.execute(
                "INSERT INTO runs (asked_at, question, refused, model, trace) VALUES (?, ?, ?, ?, ?)",
                (now, storable(question), int(refused), model, _json(trace)),
            )
            run_id = int(cursor.lastrowid or 0)
            said = search.said(question, trace.get("answer"))
            self._db.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, 0, NULL, '', ?)",
                (run_id, in_thread, place, state, said),
            )
            history_schema.note_quoted(self._db, run_id, quoted)
            if trace.get("rewritten"):  # it says what the questions before it said
                leant_on = [run for run, _, _ in threads.before(self._db, in_thread, place)]
                for run in leant_on:
                    history_schema.note_quoted(self._db, run_id, self.quoted(run))
        return run_id

    def rate(self, run_id: int, rating: Rating | None, note: str = "") -> None:
        """What a person thinks of an answer; None and no note take it back. Raises as :meth:`save`, and
        WrongUse."""
        with self._writing():
            values = (rating, storable(note.strip()), run_id)
            if not self._db.execute(
                "UPDATE turns SET rating = ?, note = ? WHERE run_id = ?", values
            ).rowcount:
                raise WrongUse(detail=f"run {run_id}")
        wiping.empty_log(self._db)

    def change_thread(self, thread: int, title: str | None = None, pinned: bool | None = None) -> None:
        """Rename or pin; None leaves something as it is. Raises WrongUse, StorageFailed."""
        with self._writing():
            threads.get(self._db, thread)
            threads.change(self._db, thread, None if title is None else storable(title), pinned)
        wiping.empty_log(self._db)

    def merge(self, other: "Runs") -> int:
        """Keep those runs of another history that are not in this one; returns how many there were.

        Raises:
            StorageFailed: none was kept.
        """
        with self._writing():
            self.self_test.merge(other._db)
            return merging.merge(self._db, other._db)

    # -- reading ----------------------------------------------------------------------------------

    def list(self, thread: int | None = None, text: str = "") -> list[RunSummary]:
        """Runs, newest first: all, of one thread, or those that say ``text``; raises WrongUse for a thread
        that is not there."""
        if thread is not None:
            threads.get(self._db, thread)
        says, words = search.condition(text, "t.said")
        rows = self._db.execute(
            f"SELECT {_SUMMARY} {_JOINED} WHERE (? IS NULL OR t.thread_id = ?) AND {says}"
            " ORDER BY r.asked_at DESC, r.id DESC",
            (thread, thread, *words),
        )
        return [RunSummary(*_values(row)) for row in rows]

    def get(self, run_id: int) -> Run:
        """One run; raises WrongUse when there is none of that id."""
        row = self._db.execute(f"SELECT {_SUMMARY}, r.trace {_JOINED} WHERE r.id = ?", (run_id,)).fetchone()
        if row is None:
            raise WrongUse(detail=f"run {run_id}")
        return _run(row)

    def of_thread(self, thread: int, *, with_superseded: bool = False) -> tuple[Run, ...]:
        """The runs of a thread in their order, those that no other took the place of or all of them.

        Raises WrongUse.
        """
        threads.get(self._db, thread)
        rows = self._db.execute(
            f"SELECT {_SUMMARY}, r.trace {_JOINED} WHERE t.thread_id = ? AND (? OR NOT t.superseded)"
            " ORDER BY t.place, r.id",
            (thread, with_superseded),
        )
        return tuple(_run(row) for row in rows)

    def threads(self, text: str = "", limit: int | None = None) -> tuple[ThreadSummary, ...]:
        """The conversations, pinned ones first, then by their last question; those that say ``text``."""
        return tuple(threads.listed(self._db, text, limit))

    def thread(self, thread: int) -> ThreadSummary:
        """One conversation; raises WrongUse."""
        return threads.get(self._db, thread)

    def thread_count(self) -> int:
        return threads.count(self._db)

    def previous(self, thread: int | None, replaces: int | None = None) -> tuple[str, ...]:
        """The questions that come before the next one, each as it was understood, the last ones of them.

        Raises WrongUse when the thread, or the run that is asked again, is not there.
        """
        place = None
        if replaces is not None:
            run = self.get(replaces)
            thread, place = run.thread, run.place
        if thread is None:
            return ()
        threads.get(self._db, thread)
        found = threads.before(self._db, thread, place)
        return tuple(str(json.loads(trace).get("rewritten") or question) for _, question, trace in found)

    def attempts(self, run_id: int) -> int:
        """How many runs have had the place of this one, itself among them; raises WrongUse."""
        run = self.get(run_id)
        query = "SELECT count(*) FROM turns WHERE thread_id = ? AND place = ?"
        return int(self._db.execute(query, (run.thread, run.place)).fetchone()[0])

    def quoted(self, run_id: int) -> tuple[str, ...]:
        """The ids of the libraries whose text a run holds."""
        rows = self._db.execute("SELECT library FROM quoted WHERE run_id = ? ORDER BY library", (run_id,))
        return tuple(item for (item,) in rows)

    # -- forgetting -------------------------------------------------------------------------------

    def clear(self) -> int:
        """Forget all runs; their text is overwritten on disk. Returns how many there were.

        Raises:
            StorageFailed: the file could not be written, or is being read by another program.
        """
        return self._forget("TRUE")

    def delete(self, run_id: int) -> None:
        """Forget one run, and its thread when it was the last in it, as :meth:`clear` does; raises WrongUse,
        too."""
        self.get(run_id)
        self._forget("id = ?", run_id)

    def delete_thread(self, thread: int) -> int:
        """Forget a conversation as :meth:`clear` does; raises WrongUse, too. Returns how many runs it had."""
        threads.get(self._db, thread)
        return self._forget("id IN (SELECT run_id FROM turns WHERE thread_id = ?)", thread)

    def forget_library(self, library_id: str) -> int:
        """Forget the runs that hold text of a library, as :meth:`clear` does, and its self-test questions.

        Returns how many runs there were.
        """
        with self._writing():
            self.self_test.forget_library(library_id)
        return self._forget("id IN (SELECT run_id FROM quoted WHERE library = ?)", library_id, untitle=True)

    def _forget(self, where: str, *values: object, untitle: bool = False) -> int:
        with self._writing():
            count = threads.delete_runs(self._db, where, values, untitle=untitle)
            wiping.note(self._db, _now())
        wiping.wipe(self._db, self._file)
        return count

    @property
    def self_test(self) -> SelfTestStore:
        """The self-test questions, which stand in the same file."""
        return SelfTestStore(self._db, self._file)

    def _writing(self) -> Transaction:
        return Transaction(self._db, self._file)

    def close(self) -> None:
        self._db.close()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _json(trace: Mapping[str, Any]) -> str:
    # A lone surrogate becomes the escape that JSON has for it.
    text = json.dumps(trace, ensure_ascii=False, default=str)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _values(row: tuple[Any, ...]) -> tuple[Any, ...]:
    run_id, asked_at, question, refused, model, thread, place, state, superseded, rating, note = row
    return (
        run_id,
        asked_at,
        question,
        bool(refused),
        model,
        thread,
        place,
        state,
        bool(superseded),
        rating,
        note,
    )


def _run(row: tuple[Any, ...]) -> Run:
    return Run(*(*_values(row[:-1]), json.loads(row[-1])))
