import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import LibraryDamaged, StorageFailed
from engine.index import migrations
from engine.index.database import Transaction, connect
from engine.index.library import Library
from engine.index.migrations import STEPS, migrate
from tests.indexed import put


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    made = connect(None)
    yield made
    made.close()


def version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def schema(db: sqlite3.Connection) -> list[tuple[str, str]]:
    return db.execute(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'terms_%' ORDER BY name"
    ).fetchall()


@pytest.mark.parametrize("old", range(len(STEPS)))
def test_every_older_version_is_brought_up_to_date(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, old: int
) -> None:
    fresh = connect(None)
    migrate(fresh, "-")
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "STEPS", STEPS[:old])
        migrate(db, "-")
    migrate(db, "-")
    assert (version(db), schema(db)) == (len(STEPS), schema(fresh))
    fresh.close()


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    library = Library(tmp_path, dimension=8)
    put(library, "a.txt", ["文字"])
    before = library.files()
    library.close()
    again = Library(tmp_path, dimension=8)
    assert (again.files(), again.chunk_count()) == (before, 1)
    again.close()


def test_a_newer_programs_library_is_refused_and_left_alone(tmp_path: Path) -> None:
    library = Library(tmp_path, dimension=8)
    library.db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    library.close()
    before = (tmp_path / "library.sqlite").read_bytes()
    with pytest.raises(LibraryDamaged, match="schema"):
        Library(tmp_path, dimension=8)
    assert (tmp_path / "library.sqlite").read_bytes() == before


def test_a_step_that_fails_leaves_the_version_before(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE half (x)")
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(migrations, "STEPS", (*STEPS, broken))
    with pytest.raises(StorageFailed):
        migrate(db, "-")
    assert version(db) == len(STEPS)
    assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite").write_bytes(b"this is text, not a database\n" * 100)
    with pytest.raises(LibraryDamaged) as caught:
        Library(tmp_path, dimension=8)
    assert caught.value.params["path"] == str(tmp_path / "library.sqlite")


def test_a_place_that_cannot_be_written_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        Library(tmp_path / "file" / "library", dimension=8)


def test_a_transaction_that_raises_changes_nothing(db: sqlite3.Connection) -> None:
    migrate(db, "-")
    with pytest.raises(ValueError), Transaction(db, "-"):
        db.execute("INSERT INTO meta VALUES ('a', 'b')")
        raise ValueError
    assert not db.execute("SELECT 1 FROM meta").fetchall()
    assert not db.in_transaction


def test_a_locked_database_is_a_storage_error(tmp_path: Path) -> None:
    one, other = connect(tmp_path / "a.sqlite"), connect(tmp_path / "a.sqlite")
    other.execute("PRAGMA busy_timeout = 0")
    with Transaction(one, "a"), pytest.raises(StorageFailed, match="locked"), Transaction(other, "b"):
        pass
    one.close()
    other.close()
