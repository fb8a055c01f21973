"""Self-test questions and their runs in history.sqlite, by the id of their library."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from engine.documents import PageSpan
from engine.errors import WrongUse
from engine.history import wiping
from engine.history.search import storable
from engine.index.database import Transaction
from engine.self_test.records import Mark, QuestionResult, QuestionState, SelfTestQuestion, SelfTestRun

RUNS_KEPT = 20
"""Runs of a library that are kept; only the last two are compared."""

_QUESTION = "id, question, state, added_at, mark"


class SelfTestStore:
    """Works on the connection of :class:`engine.runs.Runs`, and is as short-lived as a question to it.

    Whatever writes raises StorageFailed as that does, and nothing has changed.
    """

    def __init__(self, db: sqlite3.Connection, file: str) -> None:
        self._db, self._file = db, file

    # -- questions --------------------------------------------------------------------------------

    def questions(self, library: str) -> tuple[SelfTestQuestion, ...]:
        """All questions of a library, the oldest first."""
        rows = self._db.execute(
            f"SELECT {_QUESTION} FROM self_test_questions WHERE library = ? ORDER BY id", (library,)
        )
        return tuple(_question(row) for row in rows)

    def add(self, library: str, questions: Iterable[str]) -> int:
        """Add unmarked questions; returns how many were not there yet."""
        with self._writing():
            return sum(self._insert(library, question) for question in questions)

    def keep(
        self, library: str, question: str, state: QuestionState | None, mark: Mark | None, id_: int | None
    ) -> None:
        """Add a question, or change the one with this id or these words; state None leaves its mark.

        Raises:
            WrongUse: there is no question of this id, or another one has these words already.
        """
        words = storable(" ".join(question.split()))
        if not words:
            raise WrongUse(detail="question")
        with self._writing():
            if id_ is None:
                self._insert(library, words)
            where = "library = ? AND question = ?" if id_ is None else "library = ? AND id = ?"
            found = (library, words if id_ is None else id_)
            try:
                query = f"UPDATE self_test_questions SET question = ? WHERE {where}"
                is_there = self._db.execute(query, (words, *found)).rowcount
            except sqlite3.IntegrityError as exc:
                raise WrongUse(detail=f"question {id_}") from exc
            if not is_there:
                raise WrongUse(detail=f"question {id_}")
            if state is not None:
                query = f"UPDATE self_test_questions SET state = ?, mark = ? WHERE {where}"
                self._db.execute(query, (state, None if mark is None else _json(asdict(mark)), *found))
        wiping.empty_log(self._db)

    def remove(self, library: str, ids: Iterable[int]) -> None:
        """Forget questions; their text is overwritten on disk."""
        with self._writing():
            self._db.executemany(
                "DELETE FROM self_test_questions WHERE library = ? AND id = ?",
                ((library, id_) for id_ in ids),
            )
            wiping.note(self._db, _now())
        wiping.wipe(self._db, self._file)

    def _insert(self, library: str, question: str) -> int:
        words = storable(" ".join(question.split()))
        return self._db.execute(
            "INSERT OR IGNORE INTO self_test_questions (library, question, state, added_at)"
            " VALUES (?, ?, 'unmarked', ?)",
            (library, words, _now()),
        ).rowcount

    # -- runs -------------------------------------------------------------------------------------

    def keep_run(
        self, library: str, record: Mapping[str, Any], results: Iterable[QuestionResult]
    ) -> SelfTestRun:
        """Keep what a run found; the oldest runs of the library go."""
        run = SelfTestRun(_now(), record, tuple(results))
        with self._writing():
            self._db.execute(
                "INSERT INTO self_test_runs (library, at, record, results) VALUES (?, ?, ?, ?)",
                (library, run.at, _json(record), _json([asdict(result) for result in run.results])),
            )
            self._db.execute(
                "DELETE FROM self_test_runs WHERE library = ?1 AND id NOT IN"
                " (SELECT id FROM self_test_runs WHERE library = ?1 ORDER BY id DESC LIMIT ?2)",
                (library, RUNS_KEPT),
            )
        return run

    def runs(self, library: str) -> list[SelfTestRun]:
        """The runs of a library, the last one first."""
        rows = self._db.execute(
            "SELECT at, record, results FROM self_test_runs WHERE library = ? ORDER BY id DESC", (library,)
        )
        return [
            SelfTestRun(at, json.loads(record), tuple(QuestionResult(**item) for item in json.loads(results)))
            for at, record, results in rows
        ]

    # -- libraries --------------------------------------------------------------------------------

    def forget_library(self, library: str) -> None:
        """Delete what belongs to a library, inside a transaction; whoever began it wipes the file."""
        for table in ("self_test_questions", "self_test_runs"):
            self._db.execute(f"DELETE FROM {table} WHERE library = ?", (library,))

    def merge(self, other: sqlite3.Connection) -> None:
        """Take over the questions of another history that are not here, inside a transaction.

        Its runs stay where they are: they are of other questions than those that are here then.
        """
        columns = "library, question, state, added_at, mark"
        self._db.executemany(
            f"INSERT OR IGNORE INTO self_test_questions ({columns}) VALUES (?, ?, ?, ?, ?)",
            other.execute(f"SELECT {columns} FROM self_test_questions ORDER BY id").fetchall(),
        )

    def _writing(self) -> Transaction:
        return Transaction(self._db, self._file)


def _question(row: tuple[Any, ...]) -> SelfTestQuestion:
    id_, question, state, added_at, mark = row
    return SelfTestQuestion(id_, question, state, added_at, None if mark is None else _mark(json.loads(mark)))


def _mark(item: Mapping[str, Any]) -> Mark:
    spans = tuple(PageSpan(**span) for span in item["spans"])
    return Mark(**{**item, "spans": spans, "section": tuple(item["section"])})


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
