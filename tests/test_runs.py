import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import LibraryDamaged, StorageFailed, WrongUse
from engine.history import schema as history_schema
from engine.runs import Runs
from engine.shelf import library_id


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "知页 数据" / "history.sqlite"


@pytest.fixture
def runs(file: Path) -> Iterator[Runs]:
    made = Runs(file)
    yield made
    made.close()


def test_runs_come_back_newest_first(runs: Runs, file: Path) -> None:
    first = runs.save(
        "问题一？", False, "qwen", {"answer": "一\u2028二", "hits": [{"page": 3}], "path": Path("a")}
    )
    second = runs.save("问题二？", True, None, {})
    runs.close()
    again = Runs(file)
    assert [(run.id, run.question, run.refused, run.model) for run in again.list()] == [
        (second, "问题二？", True, None),
        (first, "问题一？", False, "qwen"),
    ]
    assert again.get(first).trace == {"answer": "一\u2028二", "hits": [{"page": 3}], "path": "a"}
    assert again.get(first).asked_at.endswith("+00:00")
    again.close()


def test_an_unknown_run_is_wrong_use(runs: Runs) -> None:
    with pytest.raises(WrongUse, match="run 7"):
        runs.get(7)


def test_cleared_runs_leave_no_text_and_no_reused_id(runs: Runs, file: Path) -> None:
    last = [runs.save(f"机密ZY-7731 {n}", False, None, {"answer": "机密" * 500}) for n in range(30)][-1]
    before = file.stat().st_size + file.with_name("history.sqlite-wal").stat().st_size
    assert runs.clear() == 30
    assert file.stat().st_size < before
    assert runs.list() == []
    on_disk = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert b"7731" not in on_disk
    assert "机密".encode() not in on_disk
    assert runs.save("新的", False, None, {}) > last
    assert runs.clear() == 1
    assert runs.clear() == 0


def test_the_runs_that_quote_a_library_are_forgotten_and_overwritten(runs: Runs, file: Path) -> None:
    other = Runs(file)  # the window, beside the command line
    other.save("新", False, None, {"answer": "绝密鑫犇淼" * 300}, ["b", "a"])
    runs.save("问", False, None, {"answer": "绝密鑫犇淼" * 300}, ["a"])
    kept = runs.save("问二", False, None, {"answer": "别的"}, ["b"])
    assert runs.forget_library("a") == 2
    assert [run.id for run in other.list()] == [kept]
    on_disk = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert "鑫犇".encode() not in on_disk
    assert "别的".encode() in on_disk
    assert runs.forget_library("a") == 0
    other.close()


def test_what_another_program_is_reading_is_not_said_to_be_gone(runs: Runs, file: Path) -> None:
    runs.save("绝密", False, None, {}, ["a"])
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM runs").fetchall()
    runs._db.execute("PRAGMA busy_timeout = 0")
    with pytest.raises(StorageFailed):
        runs.forget_library("a")
    reader.close()
    runs.forget_library("a")
    assert "绝密".encode() not in b"".join(path.read_bytes() for path in file.parent.iterdir())


# -- the file's versions --------------------------------------------------------------------------


def first_release(file: Path, *traces: dict[str, object]) -> None:
    """history.sqlite as the first release wrote it: no version, no note of what a run quotes."""
    file.parent.mkdir()
    db = sqlite3.connect(file)
    db.execute(
        "CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, asked_at TEXT NOT NULL,"
        " question TEXT NOT NULL, refused INTEGER NOT NULL, model TEXT, trace TEXT NOT NULL)"
    )
    db.executemany(
        "INSERT INTO runs (asked_at, question, refused, trace) VALUES ('2024', '问', 0, ?)",
        [(json.dumps(trace, ensure_ascii=False),) for trace in traces],
    )
    db.commit()
    db.close()


def test_a_history_of_the_first_release_is_kept_and_knows_what_it_quotes(file: Path) -> None:
    first_release(
        file,
        {"hits": [{"library": "制度"}], "libraries": ["制度", "合同"]},
        {"nearest": [{"library": "合同"}], "hits": None},
        {"citations": [{"library": "制度"}]},
        {"libraries": ["制度"]},
    )
    runs = Runs(file)
    assert [run.id for run in runs.list()] == [4, 3, 2, 1]
    assert runs._db.execute("PRAGMA user_version").fetchone() == (len(history_schema.STEPS),)
    assert runs.forget_library(library_id("制度")) == 2
    assert [run.id for run in runs.list()] == [4, 2]
    runs.close()


def test_a_step_that_fails_leaves_the_history_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_release(file, {"hits": [{"library": "制度"}]})

    def breaks(db: sqlite3.Connection) -> None:
        history_schema.m002_quoted(db)
        raise sqlite3.OperationalError("disk is full")

    steps = history_schema.STEPS
    monkeypatch.setattr(history_schema, "STEPS", (history_schema.m001_runs, breaks))
    with pytest.raises(StorageFailed):
        Runs(file)
    monkeypatch.setattr(history_schema, "STEPS", steps)
    runs = Runs(file)
    assert runs.forget_library(library_id("制度")) == 1
    runs.close()


def test_a_history_of_a_newer_program_is_left_alone(runs: Runs, file: Path) -> None:
    runs.save("问", False, None, {})
    runs._db.execute("PRAGMA user_version = 99")
    with pytest.raises(LibraryDamaged, match="99"):
        Runs(file)
    assert len(runs.list()) == 1


def test_a_file_that_is_no_database_is_named(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"not a database at all\n" * 99)
    with pytest.raises(LibraryDamaged):
        Runs(file)


def test_a_place_that_cannot_be_written_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        Runs(tmp_path / "file" / "history.sqlite")


def test_a_run_that_cannot_be_written_is_a_storage_error(runs: Runs, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    runs._db.execute("PRAGMA busy_timeout = 0")
    with pytest.raises(StorageFailed, match="locked"):
        runs.save("问题", False, None, {})
    other.close()
    assert runs.list() == []
