"""Self-test questions in history.sqlite: older files get their tables, and only the last runs stay."""

import sqlite3
from pathlib import Path

import pytest

from engine.history import schema as history_schema
from engine.runs import Runs
from engine.self_test.measuring import report
from engine.self_test.records import QuestionResult
from engine.self_test.store import RUNS_KEPT

LIBRARY = "4f2a9c000000"


def test_a_history_of_the_version_before_gets_the_tables_and_keeps_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "history.sqlite"
    with monkeypatch.context() as before:
        before.setattr(history_schema, "STEPS", history_schema.STEPS[:3])
        old = Runs(file)
        run = old.save("年假几天？", False, None, {"answer": "10天"})
        old.close()
    runs = Runs(file)
    assert runs.get(run).question == "年假几天？"
    assert runs.self_test.add(LIBRARY, ["年假几天？"]) == 1
    runs.close()
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] >= 4
    db.close()


@pytest.fixture
def runs(tmp_path: Path):
    made = Runs(tmp_path / "history.sqlite")
    yield made
    made.close()


def record(hit: float) -> dict[str, object]:
    return {"questions": 1, "retrieval": {"hit@1": hit}, "gate": {"refused_answerable": 0.0}, "answers": None}


def test_only_the_last_runs_of_a_library_stay(runs: Runs) -> None:
    store = runs.self_test
    store.keep_run("other", record(0.0), [])
    for number in range(RUNS_KEPT + 3):
        store.keep_run(LIBRARY, record(number / 100), [QuestionResult(1, rank=1)])
    kept = store.runs(LIBRARY)
    assert len(kept) == RUNS_KEPT
    assert kept[0].record["retrieval"]["hit@1"] == (RUNS_KEPT + 2) / 100
    assert len(store.runs("other")) == 1


def test_a_report_compares_the_last_two_runs(runs: Runs) -> None:
    store = runs.self_test
    assert report(store.runs(LIBRARY)) is None
    store.keep_run(LIBRARY, record(0.5), [QuestionResult(1)])
    store.keep_run(LIBRARY, record(0.75), [QuestionResult(1), QuestionResult(2, failed="question_empty")])
    made = report(store.runs(LIBRARY))
    assert made is not None and made.same_questions
    assert [(each.name, each.value, each.change) for each in made.figures] == [
        ("hit@1", 0.75, 0.25),
        ("refused_answerable", 0.0, 0.0),
    ]


def test_half_characters_of_a_terminal_are_stored(runs: Runs) -> None:
    assert runs.self_test.add(LIBRARY, ["问题\ud83d"]) == 1
    assert runs.self_test.questions(LIBRARY)[0].question.startswith("问题")
