"""Every question with its trace and its answer, kept on this machine in history.sqlite."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine import history_schema
from engine.errors import CodedError, LibraryDamaged, StorageFailed, WrongUse
from engine.index.database import Transaction, connect


@dataclass(frozen=True, slots=True)
class Run:
    id: int
    asked_at: str
    question: str
    refused: bool
    model: str | None
    trace: Mapping[str, Any]


class Runs:
    """The store of runs; opened by its one owner."""

    def __init__(self, file: Path) -> None:
        """Open or create; raises StorageFailed or LibraryDamaged."""
        self._file = str(file)
        self._db = connect(file)
        try:
            history_schema.migrate(self._db, self._file)
        except CodedError:
            self._db.close()
            raise
        except sqlite3.DatabaseError as exc:
            self._db.close()
            raise LibraryDamaged(path=self._file, detail=str(exc)) from exc

    def save(
        self,
        question: str,
        refused: bool,
        model: str | None,
        trace: Mapping[str, Any],
        quoted: Iterable[str] = (),
    ) -> int:
        """Keep one run and return its id; ``quoted`` are the ids of the libraries whose text is in it.

        Raises:
            StorageFailed: it was not kept.
        """
        with Transaction(self._db, self._file):
            cursor = self._db.execute(
                "INSERT INTO runs (asked_at, question, refused, model, trace) VALUES (?, ?, ?, ?, ?)",
                (
                    datetime.now(UTC).isoformat(timespec="seconds"),
                    question,
                    int(refused),
                    model,
                    json.dumps(trace, ensure_ascii=False, default=str),
                ),
            )
            run_id = int(cursor.lastrowid or 0)
            history_schema.note_quoted(self._db, run_id, quoted)
        return run_id

    def merge(self, other: "Runs") -> int:
        """Keep those runs of another history that are not in this one; returns how many there were.

        Raises:
            StorageFailed: none was kept.
        """
        count = 0
        with Transaction(self._db, self._file):
            for row in other._db.execute("SELECT asked_at, question, refused, model, trace, id FROM runs"):
                asked_at, question, _, _, trace, run_id = row
                known = self._db.execute(
                    "SELECT question, trace FROM runs WHERE asked_at = ?", (asked_at,)
                ).fetchall()
                if (question, trace) in known:
                    continue
                cursor = self._db.execute(
                    "INSERT INTO runs (asked_at, question, refused, model, trace) VALUES (?, ?, ?, ?, ?)",
                    row[:5],
                )
                quoted = other._db.execute("SELECT library FROM quoted WHERE run_id = ?", (run_id,))
                history_schema.note_quoted(self._db, int(cursor.lastrowid or 0), (item[0] for item in quoted))
                count += 1
        return count

    def list(self) -> list[Run]:
        """All runs, newest first."""
        rows = self._db.execute(
            "SELECT id, asked_at, question, refused, model, trace FROM runs ORDER BY asked_at DESC, id DESC"
        )
        return [_run(row) for row in rows]

    def get(self, run_id: int) -> Run:
        """One run; raises WrongUse when there is none of that id."""
        row = self._db.execute(
            "SELECT id, asked_at, question, refused, model, trace FROM runs WHERE id = ?", (run_id,)
        ).fetchone()
        if row is None:
            raise WrongUse(detail=f"run {run_id}")
        return _run(row)

    def clear(self) -> int:
        """Forget all runs; their text is overwritten on disk. Returns how many there were.

        Raises:
            StorageFailed: the file could not be written, or is being read by another program.
        """
        with Transaction(self._db, self._file):
            count = self._db.execute("DELETE FROM runs").rowcount
        self._wipe()
        return int(count)

    def forget_library(self, library_id: str) -> int:
        """Forget the runs that hold text of a library, as :meth:`clear` does. Returns how many there were."""
        with Transaction(self._db, self._file):
            count = self._db.execute(
                "DELETE FROM runs WHERE id IN (SELECT run_id FROM quoted WHERE library = ?)", (library_id,)
            ).rowcount
        # Also when there are none now: the round before may have been stopped here.
        self._wipe()
        return int(count)

    def _wipe(self) -> None:
        """What was deleted leaves the file and its write-ahead log."""
        try:
            # secure_delete leaves copies where SQLite moved rows between pages; a new file has none.
            self._db.execute("VACUUM")
            is_held = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError as exc:
            raise StorageFailed(path=self._file, detail=str(exc)) from exc
        if is_held:
            raise StorageFailed(path=self._file, detail="another program is reading it")

    def close(self) -> None:
        self._db.close()


def _run(row: tuple[Any, ...]) -> Run:
    return Run(row[0], row[1], row[2], bool(row[3]), row[4], json.loads(row[5]))
