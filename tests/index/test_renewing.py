"""A library with the terms of an earlier version gets those of today, beside the questions it answers."""

from pathlib import Path

import pytest

from engine.index import lexical, mending, renewing
from engine.index.library import Library
from tests.desk import Desk
from tests.indexed import put

TEXT = "第三百二十条 当事人应当履行合同，型号 HT-300"
NEW = "HT300"
"""A question that only the terms of today answer."""


def old_library(folder: Path | None, texts: int = 200) -> Library:
    """A library as the version before designations left it."""
    library = Library(folder, dimension=8)
    library.set_meta(lexical.VERSION_FACT, "1")
    put(library, "法.txt", [TEXT, *(f"别的文字{n}" for n in range(texts))])
    with library.transaction():
        library.db.execute("DELETE FROM meta WHERE key = ?", (lexical.VERSION_FACT,))
    return library


def found(library: Library, question: str) -> int:
    return len(lexical.search(library.db, question, library.chunk_count()).scores)


def intact(library: Library) -> None:
    library.db.execute("INSERT INTO terms (terms) VALUES ('integrity-check')")
    assert mending.terms_amiss(library.db) == 0


def test_a_new_library_has_the_terms_of_today(tmp_path: Path) -> None:
    library = Library(tmp_path, dimension=8)
    put(library, "a.txt", [TEXT])
    assert library.meta(lexical.VERSION_FACT) == str(lexical.VERSION)
    assert found(library, NEW) == 1
    library.close()


def test_old_terms_are_renewed_in_steps_and_found_meanwhile(tmp_path: Path) -> None:
    library = old_library(tmp_path)
    assert lexical.version(library.db) == 1
    assert found(library, NEW) == 0
    steps = 0
    for _ in renewing.renew(library):
        steps += 1
        assert found(library, "当事人应当履行") == 1
    assert steps > 4
    assert lexical.version(library.db) == lexical.VERSION
    assert found(library, NEW) == 1
    intact(library)
    assert not list(renewing.renew(library))
    tables = {name for (name,) in library.db.execute("SELECT name FROM sqlite_master")}
    assert not {name for name in tables if "coming" in name or "going" in name}
    library.close()


@pytest.mark.parametrize("steps", range(1, 8))
def test_a_kill_at_any_step_leaves_a_library_that_is_searched_written_and_renewed(
    tmp_path: Path, steps: int
) -> None:
    library = old_library(tmp_path)
    running = renewing.renew(library)
    for _ in range(steps):
        next(running, None)
    library.close()
    library = Library(tmp_path, dimension=8)
    assert found(library, "当事人应当履行") == 1
    library.remove_file(1, "法.txt")
    assert found(library, "当事人应当履行") == 0
    put(library, "新.txt", [TEXT])
    list(renewing.renew(library))
    assert found(library, NEW) == 1
    intact(library)
    library.close()


def test_documents_of_old_terms_are_taken_out_with_these(tmp_path: Path) -> None:
    library = old_library(tmp_path, 3)
    put(library, "新.txt", ["第三百二十条 新的文字"])
    library.remove_file(1, "法.txt")
    intact(library)
    assert lexical.version(library.db) == 1
    assert found(library, "新的文字") == 1
    library.close()


def test_the_next_sync_renews_without_reading_or_embedding(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("法.txt", "别的文字")
    desk.ingest()
    # An index of version 1, which a document is added to.
    with desk.library.transaction():
        desk.library.db.execute("INSERT INTO terms (terms) VALUES ('delete-all')")
    desk.library.set_meta(lexical.VERSION_FACT, "1")
    for (document,) in desk.library.db.execute("SELECT id FROM documents").fetchall():
        mending.add_terms(desk.library.db, document)
    desk.write("新.txt", TEXT)
    desk.ingest()
    assert desk.read == ["新.txt"]
    desk.ingest()
    assert (desk.read, desk.embedded) == ([], [])
    assert lexical.version(desk.library.db) == lexical.VERSION
    assert found(desk.library, NEW) == found(desk.library, "别的文字") == 1
    intact(desk.library)


def test_making_the_terms_anew_makes_those_of_today(tmp_path: Path) -> None:
    library = old_library(tmp_path, 3)
    with library.transaction():
        mending.make_terms_anew(library.db)
    assert found(library, NEW) == 1
    intact(library)
    library.close()
