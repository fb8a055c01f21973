import random
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.answer import retrieval
from engine.config import Settings
from engine.documents import Chunk, Dropped, FileState, Page, PageSpan, Reason, SourceDocument
from engine.errors import IndexMismatch, StorageFailed
from engine.events import FileReport
from engine.index import lexical
from engine.index import library as library_module
from engine.index.embedding import Vectors, vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord
from tests.fakes import FakeEmbedder
from tests.indexed import FOLDER, piece, put, row_of

SENTINEL = "ZY-7731冠豸山"


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "知识库 一", dimension=64)
    yield made
    made.close()


def state(library: Library) -> dict[str, list[Any]]:
    """Everything that is stored, but for the terms, which are asked for separately."""
    tables = ("meta", "documents", "pages", "chunks", "vectors")
    return {table: library.db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}


def found(library: Library, question: str) -> list[str]:
    rows = lexical.search(library.db, question, library.chunk_count()).scores
    return sorted(library.chunks([row])[row].chunk.text for row in rows)


def test_a_document_comes_back_as_it_was_written(library: Library, embedder: FakeEmbedder) -> None:
    chunk = Chunk(
        "ab" * 10, 3, 2, 3, (PageSpan(2, 4, 9), PageSpan(3, 0, 2)), "正文 text", "标题 > 章\n", 2, 40,
        ("章", "节"), {"line": 5},
    )  # fmt: skip
    pages = [
        Page(2, "第二页\u2028\x0c", "ii", {"line": 5}, (), True, (595.0, 842.5), b"boxes"),
        Page(3, "第三页"),
    ]
    dropped = [Dropped(PageSpan(2, 0, 1), "2", "page_number")]
    report = FileReport(
        "子/手册.pdf",
        FileState.PARTIAL,
        Reason("pages_scanned", {"pages": 3, "missing": 1}),
        2,
        1,
        (1,),
        (2,),
        "gbk",
    )
    key = vector_key("fake", "fp32", chunk.prefix + chunk.text)
    library.write_document(FileRecord(
        folder_id=library.folder_id(FOLDER), path="子/手册.pdf", size=3, mtime_ns=2**60,
        content_hash="ff" * 32,
        report=report, reading="1/1/480/50", dropped=dropped, pages=pages, chunks=[chunk], keys=[key],
        document=SourceDocument("pdf", "手册", metadata={"date": "2025-01-01"}),
        vectors={key: embedder.embed_query(chunk.text)},
    ))  # fmt: skip
    (file,) = library.files()
    assert (file.path, file.size, file.mtime_ns, file.content_hash) == ("子/手册.pdf", 3, 2**60, "ff" * 32)
    assert (file.report, file.reading) == (report, "1/1/480/50")
    (stored,) = library.all_chunks()
    assert stored.chunk == chunk
    assert (stored.document, stored.title, stored.kind, stored.label) == ("子/手册.pdf", "手册", "pdf", "ii")
    assert (stored.file, stored.vector_key, stored.size) == (FOLDER / "子/手册.pdf", key, 3)
    assert library.pages(stored.row, [3, 2, 9]) == [pages[1], pages[0]]
    assert library.page_texts(stored.row) == {2: "第二页\u2028\x0c", 3: "第三页"}
    assert library.counts() == {"partial": 1}
    assert library.last_sync() is not None
    assert library.size_bytes() > 0


def test_writing_again_replaces_the_document(library: Library, embedder: FakeEmbedder) -> None:
    assert put(library, "a.txt", ["甲旧文", "共同"], embedder) == 0
    put(library, "b.txt", ["别的"], embedder)
    assert put(library, "a.txt", ["共同", "乙新文"], embedder) == 2
    assert [stored.chunk.text for stored in library.all_chunks()] == ["别的", "共同", "乙新文"]
    assert (found(library, "旧文"), found(library, "新文")) == ([], ["乙新文"])
    assert library.db.execute("SELECT count(*) FROM vectors").fetchone() == (4,), "the old text may come back"
    assert library.db.execute("SELECT count(*) FROM pages").fetchone() == (3,)
    assert len(library.store) == 3
    library.checkpoint()
    assert library.db.execute("SELECT count(*) FROM vectors").fetchone() == (3,)


def test_row_ids_are_never_used_twice(library: Library, embedder: FakeEmbedder) -> None:
    put(library, "a.txt", ["一"], embedder)
    first = row_of(library, "一")
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    put(library, "a.txt", ["一"], embedder)
    assert row_of(library, "一") > first


def test_every_write_raises_the_generation(library: Library, embedder: FakeEmbedder) -> None:
    seen = [library.generation]
    put(library, "a.txt", ["一"], embedder)
    seen.append(library.generation)
    put(library, "b.txt", ["二"])
    seen.append(library.generation)
    library.add_vectors({row_of(library, "二"): "key"}, {"key": embedder.embed_query("二")})
    seen.append(library.generation)
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    seen.append(library.generation)
    assert seen == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("broken", ["add", "raise"])
def test_a_failure_in_the_middle_leaves_the_old_document_whole(
    library: Library, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    put(library, "a.txt", ["甲旧文", "乙旧文"], embedder, title="旧标题")
    before, store = state(library), library.store
    add, calls = lexical.add, []

    def fail_at_the_second(db: sqlite3.Connection, row: int, *rest: str) -> None:
        calls.append(row)
        if len(calls) == 2:
            raise KeyboardInterrupt
        add(db, row, *rest)

    with monkeypatch.context() as patched:
        if broken == "add":
            patched.setattr(library_module.lexical, "add", fail_at_the_second)
        else:
            patched.setattr(library, "raise_generation", lambda: fail_at_the_second(library.db, 0))
            calls.append(0)
        with pytest.raises(KeyboardInterrupt):
            put(library, "a.txt", ["丙新文", "丁新文"], embedder)
    assert state(library) == before
    assert (found(library, "旧文"), found(library, "新文")) == (["乙旧文", "甲旧文"], [])
    assert library.store is store
    assert len(store) == 2


def test_a_full_disk_is_a_storage_error_and_the_old_state_stands(library: Library) -> None:
    put(library, "a.txt", ["旧文"])
    before = state(library)
    pages = library.db.execute("PRAGMA page_count").fetchone()[0]
    library.db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFailed, match="full"):
        put(library, "a.txt", ["新文" * 200_000])
    assert state(library) == before
    assert found(library, "旧文") == ["旧文"]


@pytest.mark.parametrize("way", ["write", "add"])
def test_vectors_of_another_dimension_are_refused(library: Library, way: str) -> None:
    put(library, "a.txt", ["旧文"])
    before = state(library)
    small = np.ones(32, np.float32)
    with pytest.raises(IndexMismatch) as caught:
        if way == "write":
            put(library, "a.txt", ["新文"], FakeEmbedder(32))
        else:
            library.add_vectors({1: "key"}, {"key": small})
    assert (caught.value.params["found"], caught.value.params["expected"]) == ([32], [64])
    assert state(library) == before


def test_a_library_of_another_dimension_keeps_it_and_is_searched_by_words(
    library: Library, embedder: FakeEmbedder
) -> None:
    put(library, "a.txt", ["文字"], embedder)
    library.checkpoint()
    folder = library.folder
    assert folder is not None
    before = (folder / "index.faiss").read_bytes()
    library.close()
    other = Library(folder, dimension=32)
    (hit,) = retrieval.search("文字", [other], FakeEmbedder(32), Settings(), 5)
    assert (other.dimension, len(other.store), hit.dense) == (64, 1, None)
    other.close()
    assert (folder / "index.faiss").read_bytes() == before


def test_what_was_deleted_is_nowhere_any_more(library: Library, embedder: FakeEmbedder) -> None:
    put(library, "机密.txt", [f"{SENTINEL} 第{n}条" for n in range(120)], embedder, title=SENTINEL)
    put(library, "b.txt", ["普通的内容", "另一段"], embedder)
    assert len(library.store) == 122
    library.checkpoint()
    assert library.remove_file(library.folder_id(FOLDER), "机密.txt") == 120
    library.checkpoint()

    assert len(library.store) == 2
    for question in (SENTINEL, "7731", "冠豸", "豸", "机密"):
        assert found(library, question) == [], question
    hits = retrieval.search(f"{SENTINEL}第5条", [library], embedder, Settings(), 10)
    assert {hit.document for hit in hits} == {"b.txt"}
    assert library.db.execute("SELECT count(*) FROM vectors").fetchone() == (2,)
    assert library.folder is not None
    on_disk = b"".join(path.read_bytes() for path in sorted(library.folder.iterdir()))
    for trace in (SENTINEL, SENTINEL.lower(), "冠豸", "7731", "机密"):
        assert trace.encode() not in on_disk, trace


def test_what_was_deleted_before_a_stop_leaves_the_disk_later(library: Library) -> None:
    put(library, "a.txt", [SENTINEL])
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    folder = library.folder
    library.close()  # stopped before the checkpoint
    again = Library(folder, dimension=64)
    again.checkpoint(build=False)
    again.close()
    assert folder is not None
    assert "冠豸".encode() not in b"".join(path.read_bytes() for path in folder.iterdir())


def test_no_trace_of_removed_text_is_left_where_rows_were_moved_about(library: Library) -> None:
    """SQLite overwrites what it deletes, but not the copies that it leaves when it balances its pages."""
    chance = random.Random(8)
    there: dict[str, str] = {}
    gone = set()
    for number in range(400):
        if there and chance.random() < 0.5:
            name = chance.choice(sorted(there))
            library.remove_file(library.folder_id(FOLDER), name)
            gone.add(there.pop(name))
            continue
        name, word = f"{number}.txt", f"kw{chance.randrange(10**9):09}"
        there[name] = word
        filling = "文" * chance.randrange(20, 400)
        put(library, name, [f"{word}的第{part}段{filling}" for part in range(chance.randrange(1, 5))])
    library.checkpoint(build=False)
    assert library.folder is not None
    on_disk = b"".join(path.read_bytes() for path in library.folder.iterdir())
    assert [word for word in gone if word.encode() in on_disk] == []


def test_a_disk_without_room_to_write_it_anew_leaves_that_for_later(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(library, "a.txt", [SENTINEL])
    library.remove_file(library.folder_id(FOLDER), "a.txt")

    def full(file: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(library_module, "connect", full)
        library.checkpoint(build=False)
        assert library.meta("remains")
    library.checkpoint(build=False)
    assert not library.meta("remains")


def test_a_large_library_is_merged_when_it_is_worth_it(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "_SMALL", 10)
    folder_id = library.folder_id(FOLDER)

    def remove(name: str) -> bool:
        """Whether the terms of the file are still in the database after it was removed."""
        library.remove_file(folder_id, name)
        library.checkpoint()
        blocks = library.db.execute("SELECT block FROM terms_data").fetchall()
        return any("机密".encode() in block for (block,) in blocks)

    put(library, "viel.txt", [f"第{number}段" for number in range(100)])
    for number in range(9):
        put(library, f"{number}.txt", [f"机密之{number}"])
    library.set_meta("merged_at", str(int(time.time())))
    assert remove("0.txt"), "one of a hundred"
    assert library.meta("remains") == "1"
    library.set_meta("merged_at", str(int(time.time()) - 90_000))
    put(library, "0.txt", ["机密之0"])
    for number in range(1, 9):
        library.remove_file(folder_id, f"{number}.txt")
    assert not remove("0.txt"), "a day is over"
    put(library, "0.txt", ["机密之0"])
    assert remove("0.txt")
    for _ in library.cleaning(thoroughly=True):
        pass
    assert not library.meta("remains")
    put(library, "0.txt", [f"机密之{number}" for number in range(9)])
    assert not remove("0.txt"), "a twentieth"


def test_a_vector_that_another_chunk_uses_stays(library: Library, embedder: FakeEmbedder) -> None:
    put(library, "a.txt", ["共同", "独有"], embedder)
    put(library, "b.txt", ["共同"], embedder)
    library.remove_file(library.folder_id(FOLDER), "a.txt")
    library.checkpoint()
    key = vector_key("fake", "fp32", "共同")
    assert library.known_vectors([key, vector_key("fake", "fp32", "独有"), "x"]) == {key}
    assert len(library.store) == 1


def test_chunks_get_their_vectors_afterwards(library: Library, embedder: FakeEmbedder) -> None:
    put(library, "a.txt", ["一二", "三四"])
    waiting = library.chunks_without_vectors()
    assert [(text, tokens) for _, text, tokens in waiting] == [("一二", 4), ("三四", 4)]
    assert len(library.store) == 0
    keys = {row: vector_key("fake", "fp32", text) for row, text, _ in waiting}
    vectors: Mapping[str, Vectors] = {keys[row]: embedder.embed_query(text) for row, text, _ in waiting}
    library.add_vectors(keys, vectors)
    assert library.chunks_without_vectors() == []
    assert library.store.ids().tolist() == [row for row, _, _ in waiting]


def test_two_folders_may_hold_the_same_path(library: Library) -> None:
    put(library, "a.txt", ["甲"], folder=Path("/一"))
    put(library, "a.txt", ["乙"], folder=Path("/二"))
    assert [stored.file for stored in library.all_chunks()] == [Path("/一/a.txt"), Path("/二/a.txt")]
    assert library.folders() == {1: Path("/一"), 2: Path("/二")}
    library.remove_file(library.folder_id(Path("/一")), "a.txt")
    assert [stored.chunk.text for stored in library.all_chunks()] == ["乙"]
    assert library.rows_of(["a.txt", "b.txt"]) == [row_of(library, "乙")]


def test_a_changed_or_missing_file_is_noticed(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "原件.txt"
    file.write_text("文字", encoding="utf-8")
    facts = file.stat()
    library.write_document(FileRecord(
        folder_id=library.folder_id(tmp_path), path="原件.txt", size=facts.st_size,
        mtime_ns=facts.st_mtime_ns, content_hash="",
        report=FileReport("原件.txt", FileState.INDEXED), chunks=[piece("文字")],
    ))  # fmt: skip
    row = row_of(library, "文字")
    assert library.places(row)[0].is_as_read
    file.write_text("文字改了", encoding="utf-8")
    assert not library.places(row)[0].is_as_read
    file.unlink()
    assert not library.places(row)[0].is_as_read


def test_a_single_file_is_its_own_folder(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "单个.txt"
    file.write_text("文字", encoding="utf-8")
    put(library, "单个.txt", ["文字"], folder=file)
    assert next(library.all_chunks()).file == file
