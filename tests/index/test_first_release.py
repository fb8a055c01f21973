"""A library of the first release (see fixtures/first_release) opens in this one with all it holds."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answer import retrieval
from engine.commands import LocatePassage
from engine.config import Settings
from engine.errors import LibraryDamaged, StorageFailed
from engine.index import embedders, migrations
from engine.index.library import Library
from engine.index.migrations import STEPS
from engine.reader.passages import locate
from tests.fakes import FakeEmbedder

FIXTURE = Path(__file__).parent / "fixtures" / "first_release" / "library.sqlite"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy, as it would lie in the data folder of somebody who updates the program."""
    made = tmp_path / "知识库 一"
    made.mkdir()
    shutil.copyfile(FIXTURE, made / "library.sqlite")
    return made


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    made = Library(folder, dimension=64)
    yield made
    made.close()


def version(file: Path) -> int:
    db = sqlite3.connect(file)
    try:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
    finally:
        db.close()


def contents(file: Path) -> list[str]:
    db = sqlite3.connect(file)
    try:
        return list(db.iterdump())
    finally:
        db.close()


def test_the_fixture_is_what_the_first_release_wrote() -> None:
    assert version(FIXTURE) == 1
    data = FIXTURE.read_bytes()
    assert not [place for place in (b"/tmp", b"/work", b"/root", b"/home") if place in data]


def test_it_is_brought_up_to_date_with_all_it_holds(library: Library, folder: Path) -> None:
    assert version(folder / "library.sqlite") == len(STEPS) >= 2
    assert (library.name, library.counts(), library.chunk_count()) == ("制度", {"indexed": 3}, 3)
    assert list(library.folders().values()) == [Path("/文档/制度")]
    assert [file.path for file in library.files()] == ["年假.txt", "报销.md", "访客.pdf"]


@pytest.mark.parametrize(
    ("question", "document"),
    [("差旅报销单几日内提交", "报销.md"), ("年假顺延", "年假.txt"), ("visitors register", "访客.pdf")],
)
def test_its_passages_are_found_by_words_and_by_vectors(
    library: Library, question: str, document: str
) -> None:
    embedder = FakeEmbedder()
    by_words = retrieval.search(question, [library], None, Settings(), 3)
    both = retrieval.search(question, [library], embedder, Settings(), 3)
    assert (by_words[0].document, both[0].document) == (document, document)
    assert by_words[0].dense is None
    assert both[0].dense == max(hit.dense or 0 for hit in both) > 0.3


def test_its_vector_store_is_made_without_embedding(library: Library, folder: Path) -> None:
    embedder = FakeEmbedder()
    library.checkpoint()
    assert (folder / "index.faiss").is_file()
    assert (len(library.store), embedder.embedded) == (3, [])
    for stored in library.all_chunks():
        (kept,) = library.store.vectors([stored.row])
        assert kept @ embedder.embed_query(stored.chunk.prefix + stored.chunk.text) > 0.9999


def test_its_vectors_are_known_as_those_of_its_embedder(library: Library) -> None:
    other = FakeEmbedder()
    other.model_id = "other"
    assert embedders.fits(library, FakeEmbedder())
    assert not embedders.fits(library, other)
    assert embedders.made_by(library) == "fake"


def test_its_passages_are_still_marked_on_the_page(library: Library) -> None:
    hit = retrieval.search("badges are returned", [library], None, Settings(), 1)[0]
    (page,) = locate(LocatePassage(1, library.name, hit.row), library).pages
    assert (page.number, page.size) == (1, (595.0, 842.0))
    assert len(page.rects) == 2  # its two lines
    for left, top, right, bottom in page.rects:
        assert 70 < left < right < 400
        assert 60 < top < bottom < 120


def test_opening_it_again_changes_nothing(folder: Path) -> None:
    file = folder / "library.sqlite"
    Library(folder, dimension=64).close()
    before = contents(file), version(file)
    again = Library(folder, dimension=64)
    assert again.generation == 3
    again.close()
    assert (contents(file), version(file)) == before


def test_a_newer_schema_is_refused_and_its_bytes_stay(folder: Path) -> None:
    file = folder / "library.sqlite"
    Library(folder, dimension=64).close()
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    db.close()
    before = file.read_bytes()
    with pytest.raises(LibraryDamaged, match="schema"):
        Library(folder, dimension=64)
    assert file.read_bytes() == before


def test_an_update_that_fails_in_the_middle_leaves_the_first_version(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(db: sqlite3.Connection) -> None:
        STEPS[1](db)
        raise sqlite3.OperationalError("database or disk is full")

    file = folder / "library.sqlite"
    before = contents(file)
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "STEPS", (STEPS[0], fails, *STEPS[2:]))
        with pytest.raises(StorageFailed, match="full"):
            Library(folder, dimension=64)
    assert (version(file), contents(file)) == (1, before)
    library = Library(folder, dimension=64)  # and the next start does it
    assert (version(file), library.chunk_count()) == (len(STEPS), 3)
    library.close()
