from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine import native
from engine.index import cache as cache_module
from engine.index import cache_file
from engine.index.cache import store_kind
from engine.index.cache_file import mark_of
from engine.index.library import Library
from engine.index.store import FlatStore, HalfStore
from engine.index.stored_vectors import StoredVectors
from tests.fakes import FakeEmbedder
from tests.indexed import FOLDER, put


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def folder(tmp_path: Path, embedder: FakeEmbedder) -> Path:
    """A library of four chunks whose vector store was written."""
    library = Library(tmp_path / "库", dimension=64)
    put(library, "a.txt", ["甲一", "甲二", "甲三"], embedder)
    put(library, "b.txt", ["乙"], embedder)
    library.checkpoint()
    library.close()
    embedder.embedded.clear()
    return tmp_path / "库"


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    made = Library(folder, dimension=64)
    yield made
    made.close()


@pytest.fixture
def read_from_sqlite(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows whose vectors were read from SQLite."""
    seen: list[int] = []
    blocks = StoredVectors.blocks

    def record(self: StoredVectors, ids: Sequence[int]) -> Iterator[object]:
        seen.extend(int(row) for row in ids)
        return blocks(self, ids)

    monkeypatch.setattr(StoredVectors, "blocks", record)
    return seen


def generation_of(file: Path) -> int | None:
    mark = mark_of(file)
    return None if mark is None else mark.generation


def texts(library: Library) -> list[str]:
    """The text of each vector's chunk, which its vector must belong to."""
    embedder = FakeEmbedder()
    ids = library.store.ids()
    chunks = library.chunks(ids.tolist())
    for row, vector in zip(ids.tolist(), library.store.vectors(ids), strict=True):
        assert vector @ embedder.embed_query(chunks[row].chunk.text) > 0.999
    return sorted(chunks[row].chunk.text for row in ids.tolist())


def test_the_file_of_this_generation_is_all_that_is_read(
    library: Library, read_from_sqlite: list[int]
) -> None:
    assert texts(library) == ["乙", "甲一", "甲三", "甲二"]
    assert read_from_sqlite == []


@pytest.mark.parametrize("harm", ["missing", "torn", "text", "flipped", "earlier version", "other dimension"])
def test_a_file_that_does_not_fit_is_rebuilt_without_embedding(
    folder: Path, embedder: FakeEmbedder, harm: str
) -> None:
    file = folder / "index.faiss"
    data, mark = bytearray(file.read_bytes()), mark_of(file)
    assert mark is not None
    data[200] ^= 1
    harmed = {
        "torn": data[: len(data) // 2],
        "text": b"text" * 100,
        "flipped": data,
        "earlier version": bytes(data).replace(b"ZHIYEGN4", b"ZHIYEGN2"),
    }
    if harm == "missing":
        file.unlink()
    elif harm == "other dimension":
        cache_file.save(FlatStore(32), file, 0, mark.generation)
    else:
        file.write_bytes(harmed[harm])
    library = Library(folder, dimension=64)
    assert texts(library) == ["乙", "甲一", "甲三", "甲二"]
    assert embedder.embedded == []
    library.checkpoint()
    assert mark_of(file) == mark
    assert len(cache_file.load(file, 64)[0]) == 4
    library.close()


def test_a_file_that_lags_behind_gets_what_it_lacks(
    folder: Path, library: Library, embedder: FakeEmbedder, read_from_sqlite: list[int]
) -> None:
    put(library, "a.txt", ["甲二", "甲四"], embedder)
    put(library, "c.txt", ["丙"], embedder)
    library.remove_file(library.folder_id(FOLDER), "b.txt")
    library.close()
    embedder.embedded.clear()
    again = Library(folder, dimension=64)
    assert texts(again) == ["丙", "甲二", "甲四"]
    assert (len(read_from_sqlite), embedder.embedded) == (3, [])
    again.close()


@pytest.mark.parametrize("gap", [0, 1, 5])
def test_a_file_ahead_of_its_library_is_not_believed(
    tmp_path: Path, folder: Path, embedder: FakeEmbedder, gap: int
) -> None:
    """After a power cut SQLite may have lost its last transactions, and gives their row ids out again."""
    sqlite = folder / "library.sqlite"
    before = sqlite.read_bytes()
    library = Library(folder, dimension=64)
    put(library, "lost.txt", ["丢一", "丢二"], embedder)
    library.checkpoint()
    library.close()
    for left in folder.glob("library.sqlite-*"):
        left.unlink()
    sqlite.write_bytes(before)
    again = Library(folder, dimension=64)
    for number in range(gap):  # the row ids and, at one, the generation are those of the file
        put(again, f"{number}.txt", [f"新{number}一", f"新{number}二"], embedder)
    new = sorted(f"新{number}{part}" for number in range(gap) for part in "一二")
    assert texts(again) == sorted(["乙", "甲一", "甲三", "甲二", *new])
    again.checkpoint()
    assert generation_of(folder / "index.faiss") == again.generation
    again.close()


def test_a_file_of_earlier_vectors_of_the_same_rows_is_not_believed(
    folder: Path, library: Library, embedder: FakeEmbedder
) -> None:
    library.store
    other = Library(folder, dimension=64)
    row = int(other.db.execute("SELECT max(id) FROM chunks").fetchone()[0])
    with other.transaction():
        vector = embedder.embed_query("甲九").astype("<f4").tobytes()
        other.db.execute("INSERT INTO vectors VALUES ('new', ?)", (vector,))
        other.db.execute("UPDATE chunks SET vector_key = 'new', text = '甲九' WHERE id = ?", (row,))
        other.raise_epoch()
    for opened in (other, library):
        assert texts(opened) == ["甲一", "甲三", "甲九", "甲二"]
    other.close()


def test_a_loaded_store_follows_every_write(library: Library, embedder: FakeEmbedder) -> None:
    store = library.store
    put(library, "a.txt", ["甲二", "甲四"], embedder)
    put(library, "c.txt", ["丙"])
    library.add_vectors(
        {row: "c" for row, _, _ in library.chunks_without_vectors()}, {"c": embedder.embed_query("丙")}
    )
    library.remove_file(library.folder_id(FOLDER), "b.txt")
    assert library.store is store
    assert texts(library) == ["丙", "甲二", "甲四"]


def test_more_chunks_than_sqlite_takes_variables(library: Library, embedder: FakeEmbedder) -> None:
    library.store
    many = [f"第{n}条" for n in range(1300)]
    put(library, "many.txt", many, embedder)
    assert len(library.store) == 1304
    library.remove_file(library.folder_id(FOLDER), "many.txt")
    assert texts(library) == ["乙", "甲一", "甲三", "甲二"]


def test_what_another_process_wrote_is_seen(folder: Path, library: Library, embedder: FakeEmbedder) -> None:
    library.store
    other = Library(folder, dimension=64)
    put(other, "b.txt", ["丁"], embedder)
    other.close()
    assert texts(library) == ["丁", "甲一", "甲三", "甲二"]


def test_a_write_after_another_processs_write_does_not_hide_it(
    folder: Path, library: Library, embedder: FakeEmbedder
) -> None:
    library.store
    other = Library(folder, dimension=64)
    put(other, "b.txt", ["丁"], embedder)
    other.close()
    put(library, "c.txt", ["丙"], embedder)
    assert texts(library) == ["丁", "丙", "甲一", "甲三", "甲二"]


def test_an_up_to_date_file_is_not_written_again(folder: Path, library: Library) -> None:
    before = (folder / "index.faiss").stat().st_ino
    library.store
    library.checkpoint()
    assert (folder / "index.faiss").stat().st_ino == before


def test_the_file_is_written_after_every_change(
    folder: Path, library: Library, embedder: FakeEmbedder
) -> None:
    put(library, "c.txt", ["丙"], embedder)
    library.checkpoint()
    assert generation_of(folder / "index.faiss") == library.generation
    store, _ = cache_file.load(folder / "index.faiss", 64)
    assert len(store) == 5


def test_without_an_embedder_no_store_is_made_for_the_file(folder: Path, library: Library) -> None:
    before = (folder / "index.faiss").read_bytes()
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    library.checkpoint(build=False)
    assert (folder / "index.faiss").read_bytes() == before
    assert texts(library) == ["乙"]


def test_a_large_librarys_file_is_written_when_it_lacks_a_twentieth(
    folder: Path, library: Library, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "SMALL", 10)
    put(library, "many.txt", [f"第{n}条" for n in range(200)], embedder)
    library.checkpoint()
    written = library.generation
    for number in range(5):
        put(library, f"{number}.txt", [f"新{number}一", f"新{number}二"], embedder)
        library.checkpoint()
        assert generation_of(folder / "index.faiss") == written
    library.remove_file(library.folder_id(FOLDER), "b.txt")
    library.checkpoint()  # ten came and one went: more than a twentieth of 213
    assert generation_of(folder / "index.faiss") == library.generation


def test_vectors_that_would_take_a_quarter_of_the_memory_are_kept_in_half_precision(
    folder: Path, library: Library, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    gib = 1 << 30
    assert store_kind(1_000_000, 512, 8 * gib) is FlatStore
    assert store_kind(1_100_000, 512, 8 * gib) is HalfStore
    monkeypatch.setattr(native, "total_memory", lambda: 4 * 64 * 4 * 4 - 1)
    other = Library(folder, dimension=64)
    assert type(other.store) is HalfStore
    assert texts(other) == ["乙", "甲一", "甲三", "甲二"]
    other.checkpoint()
    assert type(cache_file.load(folder / "index.faiss", 64)[0]) is HalfStore
    other.close()


def test_the_index_for_counting_does_not_read_the_chunks_text(library: Library) -> None:
    for query in (
        "SELECT id FROM chunks WHERE vector_key IS NOT NULL",
        "SELECT count(*) FROM chunks WHERE vector_key IS NOT NULL",
    ):
        plan = library.db.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        assert "COVERING INDEX" in str(plan)


def test_vectors_come_from_sqlite_in_the_order_asked_for(library: Library, embedder: FakeEmbedder) -> None:
    rows = library.store.ids().tolist()[::-1]
    vectors = library.vectors([rows[0], 99_999, *rows[1:]])
    assert len(vectors) == 4
    for row, vector in zip(rows, vectors, strict=True):
        assert vector @ embedder.embed_query(library.chunks([row])[row].chunk.text) > 0.9999


def test_a_library_in_memory_has_no_file(embedder: FakeEmbedder) -> None:
    library = Library(None, dimension=64)
    put(library, "a.txt", ["甲"], embedder)
    library.checkpoint()
    assert texts(library) == ["甲"]
    assert library.size_bytes() == 0
    library.close()
