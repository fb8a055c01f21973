import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import LibraryDamaged, StorageFailed, WrongUse
from engine.runs import Runs


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
