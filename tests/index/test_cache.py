from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.index.library import Library
from engine.index.store import VectorStore, generation_of
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
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that vector stores were loaded from."""
    seen: list[Path] = []
    load = VectorStore.load

    def record(path: Path, dimension: int, threads: int = 1) -> tuple[VectorStore, int]:
        seen.append(path)
        return load(path, dimension, threads)

    monkeypatch.setattr(VectorStore, "load", record)
    return seen


def texts(library: Library) -> list[str]:
    """The text of each vector's chunk, which its vector must belong to."""
    embedder = FakeEmbedder()
    ids = library.store.ids()
    chunks = library.chunks(ids.tolist())
    for row, vector in zip(ids.tolist(), library.store.vectors(ids), strict=True):
        assert vector @ embedder.embed_query(chunks[row].chunk.text) > 0.9999
    return sorted(chunks[row].chunk.text for row in ids.tolist())


def test_the_file_of_this_generation_is_loaded(library: Library, loads: list[Path]) -> None:
    assert texts(library) == ["乙", "甲一", "甲三", "甲二"]
    assert len(loads) == 1


@pytest.mark.parametrize("harm", ["other generation", "missing", "torn", "old count", "text"])
def test_a_file_that_does_not_fit_is_rebuilt_without_embedding(
    folder: Path, library: Library, embedder: FakeEmbedder, harm: str
) -> None:
    file, generation = folder / "index.faiss", library.generation
    data = file.read_bytes()
    if harm == "other generation":
        VectorStore(64).save(file, generation - 1)
    elif harm == "missing":
        file.unlink()
    elif harm == "torn":
        file.write_bytes(data[: len(data) // 2])
    elif harm == "old count":
        file.write_bytes(data[:100] + data[101:])
    else:
        file.write_bytes(b"text" * 100)
    assert texts(library) == ["乙", "甲一", "甲三", "甲二"]
    assert embedder.embedded == []
    library.checkpoint()
    assert generation_of(file) == generation


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
    store, _ = VectorStore.load(folder / "index.faiss", 64)
    assert len(store) == 5


def test_without_an_embedder_an_outdated_file_goes(folder: Path, library: Library) -> None:
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    library.checkpoint(build=False)
    assert not (folder / "index.faiss").exists()


def test_a_library_in_memory_has_no_file(embedder: FakeEmbedder) -> None:
    library = Library(None, dimension=64)
    put(library, "a.txt", ["甲"], embedder)
    library.checkpoint()
    assert texts(library) == ["甲"]
    assert library.size_bytes() == 0
    library.close()
