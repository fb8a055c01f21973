"""Every question with its trace and its answer, kept on this machine in history.sqlite."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.errors import LibraryDamaged, WrongUse
from engine.index.database import Transaction, connect

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        asked_at TEXT NOT NULL,
        question TEXT NOT NULL,
        refused INTEGER NOT NULL,
        model TEXT,
        trace TEXT NOT NULL            -- JSON: what `ask --json` prints, libraries, settings
    )"""


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
            self._db.execute(_SCHEMA)
        except sqlite3.DatabaseError as exc:
            raise LibraryDamaged(path=self._file, detail=str(exc)) from exc

    def save(self, question: str, refused: bool, model: str | None, trace: Mapping[str, Any]) -> int:
        """Keep one run and return its id; raises StorageFailed."""
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
        return int(cursor.lastrowid or 0)

    def list(self) -> list[Run]:
        """All runs, newest first."""
        rows = self._db.execute(
            "SELECT id, asked_at, question, refused, model, trace FROM runs ORDER BY id DESC"
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
        """Forget all runs; their text is overwritten on disk. Returns how many there were."""
        with Transaction(self._db, self._file):
            count = self._db.execute("DELETE FROM runs").rowcount
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(count)

    def close(self) -> None:
        self._db.close()


def _run(row: tuple[Any, ...]) -> Run:
    return Run(row[0], row[1], row[2], bool(row[3]), row[4], json.loads(row[5]))
