import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import native, normalise
from engine.answer import retrieval
from engine.config import Settings
from engine.documents import Chunk, FileState, Page, PageSpan, Reason, SourceDocument
from engine.errors import IndexDamaged, IndexMismatch, StorageFailed
from engine.events import FileReport
from engine.index import portable
from engine.index import replacing as replacing_module
from engine.index.embedding import vector_key
from engine.index.library import Library
from engine.index.writing import FileRecord
from tests.fakes import FakeEmbedder
from tests.indexed import FOLDER, put

NAMES = {"index.faiss", "chunks.jsonl", "metadata.json"}
SEPARATORS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def library(embedder: FakeEmbedder) -> Iterator[Library]:
    made = Library(None, dimension=64)
    made.set_meta("name", "制度")
    put(made, "年假.txt", ["年假可以顺延至次年三月", "年假须提前申请"], embedder, title="年假办法")
    put(made, "报销.txt", ["报销须在三十日内提交"], embedder)
    yield made
    made.close()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "可携索引 一"


def save(library: Library, out: Path) -> None:
    portable.write(library, out, "fake", "fp32", Settings())


def ask(out: Path, question: str = "年假顺延") -> list[str]:
    """The texts found in a portable index; fails when its parts do not belong together."""
    embedder = FakeEmbedder()
    library = portable.read(out, embedder, 64)
    for row in library.store.ids().tolist():
        vector = library.store.vectors(np.array([row], np.int64))[0]
        assert vector @ embedder.embed_query(library.chunks([row])[row].chunk.text) > 0.9999
    hits = retrieval.search(question, [library], embedder, Settings(), 10)
    assert len(library.store) == library.chunk_count() == len(hits)
    library.close()
    return [hit.text for hit in hits]


def names(out: Path) -> set[str]:
    return {path.name for path in out.rglob("*")}


def test_three_files_that_belong_together(library: Library, out: Path) -> None:
    save(library, out)
    assert names(out) == NAMES
    metadata = json.loads((out / "metadata.json").read_text(encoding="utf-8"))
    lines = (out / "chunks.jsonl").read_bytes().decode("utf-8").rstrip("\n").split("\n")
    index = native.faiss(1).deserialize_index(np.frombuffer((out / "index.faiss").read_bytes(), np.uint8))
    assert index.ntotal == len(lines) == metadata["count"] == 3
    assert (metadata["model"], metadata["dimension"], metadata["normaliser"]) == (
        "fake",
        64,
        normalise.VERSION,
    )
    cut = Settings().cut
    assert (metadata["chunk_size"], metadata["chunk_overlap"]) == (cut.size, cut.overlap)
    assert [item["path"] for item in metadata["documents"]] == ["年假.txt", "报销.txt"]
    for number, line in enumerate(lines):  # vector i belongs to line i
        expected = FakeEmbedder().embed_query(json.loads(line)["text"])
        assert index.reconstruct(number) @ expected > 0.9999
    assert str(FOLDER) not in (out / "chunks.jsonl").read_text(encoding="utf-8")


def test_it_is_searched_like_the_library(library: Library, out: Path, embedder: FakeEmbedder) -> None:
    save(library, out)
    read = portable.read(out, embedder, 64)
    ours, theirs = (
        retrieval.search("年假顺延到几月", [item], embedder, Settings(), 5) for item in (library, read)
    )
    assert [(hit.text, hit.document, hit.title, hit.chunk) for hit in ours] == [
        (hit.text, hit.document, hit.title, hit.chunk) for hit in theirs
    ]
    assert [hit.score for hit in theirs] == pytest.approx([hit.score for hit in ours], abs=1e-5)
    assert {hit.library for hit in theirs} == {"制度"}
    assert all(hit.path is None for hit in theirs)
    read.close()


def test_everything_of_a_chunk_comes_back(out: Path, embedder: FakeEmbedder) -> None:
    chunk = Chunk(
        "cd" * 10, 0, 2, 3, (PageSpan(2, 4, 9), PageSpan(3, 0, 3)), "第二页正文第三页", "标题\n", 1, 12,
        ("章",), {"line": 4},
    )  # fmt: skip
    key = vector_key("fake", "fp32", chunk.prefix + chunk.text)
    source = Library(None, dimension=64)
    source.write_document(FileRecord(
        folder_id=source.folder_id(FOLDER), path="a.pdf", size=1, mtime_ns=1, content_hash="ff" * 32,
        report=FileReport("a.pdf", FileState.INDEXED), document=SourceDocument("pdf", "标题"),
        pages=[Page(2, "页眉页眉第二页正文", "ii"), Page(3, "第三页其余")], chunks=[chunk], keys=[key],
        vectors={key: embedder.embed_query("正文")},
    ))  # fmt: skip
    source.write_document(FileRecord(
        folder_id=source.folder_id(FOLDER), path="b.pdf", size=1, mtime_ns=1, content_hash="ee" * 32,
        report=FileReport("b.pdf", FileState.NEEDS_OCR, Reason("scanned", {"pages": 3})),
    ))  # fmt: skip
    save(source, out)
    read = portable.read(out, embedder, 64)
    (stored,) = read.all_chunks()
    assert stored.chunk == chunk
    assert (stored.document, stored.title, stored.kind, stored.label) == ("a.pdf", "标题", "pdf", "ii")
    assert stored.content_hash == "ff" * 32
    texts = read.page_texts(stored.row)
    assert "".join(texts[span.page][span.start : span.end] for span in chunk.spans) == "第二页正文第三页"
    assert read.counts() == {"indexed": 1, "needs_ocr": 1}
    source.close()
    read.close()


@pytest.mark.parametrize("separator", list(SEPARATORS), ids=lambda c: f"U+{ord(c):04X}")
def test_line_separators_inside_a_chunk_round_trip(out: Path, embedder: FakeEmbedder, separator: str) -> None:
    text = f"第一行{separator}第二行{separator}"
    source = Library(None, dimension=64)
    put(source, "a.txt", [text, "别的"], embedder, title=f"标{separator}题")
    save(source, out)
    assert (out / "chunks.jsonl").read_bytes().count(b"\n") == 2
    read = portable.read(out, embedder, 64)
    assert [stored.chunk.text for stored in read.all_chunks()] == [text, "别的"]
    assert next(read.all_chunks()).title == f"标{separator}题"
    assert ask(out, "第二行")[0] == text
    source.close()
    read.close()


def test_identical_text_in_two_documents_keeps_both(out: Path, embedder: FakeEmbedder) -> None:
    source = Library(None, dimension=64)
    put(source, "a.txt", ["相同", "甲"], embedder)
    put(source, "b.txt", ["相同", "乙"], embedder)
    save(source, out)
    read = portable.read(out, embedder, 64)
    assert [(s.document, s.chunk.text) for s in read.all_chunks()] == [
        ("a.txt", "相同"), ("a.txt", "甲"), ("b.txt", "相同"), ("b.txt", "乙"),
    ]  # fmt: skip
    source.close()
    read.close()


@pytest.mark.parametrize(
    ("folders", "documents"),
    [
        (("/甲", "/乙"), ["甲/说明.txt", "乙/说明.txt", "别的.txt"]),
        (("/甲/资料", "/乙/资料"), ["资料-1/说明.txt", "资料-2/说明.txt", "别的.txt"]),
    ],
)
def test_the_same_path_in_two_folders_stays_two_documents(
    out: Path, embedder: FakeEmbedder, folders: tuple[str, str], documents: list[str]
) -> None:
    source = Library(None, dimension=64)
    put(source, "说明.txt", ["甲的说明"], embedder, folder=Path(folders[0]))
    put(source, "说明.txt", ["乙的说明"], embedder, folder=Path(folders[1]))
    put(source, "别的.txt", ["其余"], embedder, folder=Path(folders[1]))
    save(source, out)
    read = portable.read(out, embedder, 64)
    assert [stored.document for stored in read.all_chunks()] == documents
    assert [stored.chunk.text for stored in read.all_chunks()] == ["甲的说明", "乙的说明", "其余"]
    assert sorted(file.path for file in read.files()) == sorted(documents)
    source.close()
    read.close()


def test_an_empty_library_is_an_empty_index(out: Path, embedder: FakeEmbedder) -> None:
    empty = Library(None, dimension=64)
    save(empty, out)
    assert ask(out) == []
    empty.close()


def test_chunks_without_vectors_are_not_written(library: Library, out: Path) -> None:
    save(library, out)
    before = {path: path.read_bytes() for path in out.iterdir()}
    put(library, "c.txt", ["还没有向量"])
    with pytest.raises(IndexDamaged, match="without vectors"):
        save(library, out)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


# -- all or nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_set_torn_at_any_file_gives_way_to_the_one_before(
    library: Library, out: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    save(library, out)
    old = ask(out)
    put(library, "新.txt", ["新的第三件事", "新的第四件事"], embedder)
    calls = []
    replace = replacing_module.os.replace

    def fail(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == failing:
            raise OSError(28, "No space left on device")
        replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(replacing_module.os, "replace", fail)
        with pytest.raises(StorageFailed, match="No space"):
            save(library, out)
    assert ask(out) == old

    save(library, out)
    assert len(ask(out)) == 5
    assert names(out) == NAMES


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_process_killed_between_two_files_costs_nothing(
    library: Library, out: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    save(library, out)
    old = ask(out)
    put(library, "新.txt", ["新的第三件事"], embedder)
    calls = []
    replace = replacing_module.os.replace

    def die(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == failing:
            raise KeyboardInterrupt  # nothing is tidied up, as after SIGKILL
        replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(replacing_module.os, "replace", die)
        with pytest.raises(KeyboardInterrupt):
            save(library, out)
        assert ask(out) == old
        calls.clear()
        with pytest.raises(KeyboardInterrupt):  # killed again: the whole set is still kept aside
            save(library, out)
        assert ask(out) == old
    save(library, out)
    assert len(ask(out)) == 4
    assert names(out) == NAMES


def test_the_first_set_that_fails_leaves_no_index(
    library: Library, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(replacing_module.os, "replace", fail)
    with pytest.raises(StorageFailed):
        save(library, out)
    assert names(out) == set()
    with pytest.raises(IndexDamaged, match="no complete set"):
        ask(out)


def test_a_place_that_cannot_be_written(library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        save(library, tmp_path / "file")


# -- refused by name ------------------------------------------------------------------------------


def forge(out: Path, **changes: Any) -> None:
    """Change the metadata and make its hashes right again."""
    metadata = json.loads((out / "metadata.json").read_text(encoding="utf-8")) | changes
    metadata["files"] = {
        name: hashlib.sha256((out / name).read_bytes()).hexdigest()
        for name in ("index.faiss", "chunks.jsonl")
    }
    (out / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "found", "expected"),
    [
        ({"model": "other"}, "model other", "fake"),
        ({"dimension": 32}, "dimension 32", 64),
        ({"normaliser": 99}, "normaliser 99", normalise.VERSION),
        ({"format": 99}, "format 99", 1),
    ],
)
def test_another_origin_is_refused_by_name(
    library: Library, out: Path, changes: dict[str, Any], found: str, expected: object
) -> None:
    save(library, out)
    forge(out, **changes)
    before = {path: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(IndexMismatch) as caught:
        ask(out)
    assert (caught.value.params["found"], caught.value.params["expected"]) == (found, expected)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_vectors_of_another_dimension_are_refused(library: Library, out: Path) -> None:
    save(library, out)
    with pytest.raises(IndexMismatch) as caught:
        portable.read(out, FakeEmbedder(32), 32)
    assert (caught.value.params["found"], caught.value.params["expected"]) == ("dimension 64", 32)


def test_a_count_that_differs_is_refused(library: Library, out: Path) -> None:
    save(library, out)
    lines = (out / "chunks.jsonl").read_bytes().splitlines(keepends=True)
    (out / "chunks.jsonl").write_bytes(b"".join(lines[:-1]))
    forge(out)
    with pytest.raises(IndexMismatch) as caught:
        ask(out)
    assert (caught.value.params["found"], caught.value.params["expected"]) == ("3 vectors", "2 chunks")


@pytest.mark.parametrize("bad", [0.0, np.nan])
def test_rotten_vectors_are_refused(library: Library, out: Path, bad: float) -> None:
    save(library, out)
    faiss = native.faiss(1)
    index = faiss.IndexIDMap2(faiss.IndexFlatIP(64))
    rotten = np.ones((3, 64), np.float32)
    rotten[2] = bad
    index.add_with_ids(rotten, np.arange(3, dtype=np.int64))
    (out / "index.faiss").write_bytes(faiss.serialize_index(index).tobytes())
    forge(out)
    with pytest.raises(IndexDamaged, match="zero or non-finite"):
        ask(out)


@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("harm", ["missing", "changed", "empty"])
def test_a_torn_file_is_refused(library: Library, out: Path, name: str, harm: str) -> None:
    save(library, out)
    data = (out / name).read_bytes()
    (out / name).write_bytes({"changed": data[:-5], "empty": b""}.get(harm, data))
    if harm == "missing":
        (out / name).unlink()
    with pytest.raises(IndexDamaged, match="no complete set"):
        ask(out)


@pytest.mark.parametrize("line", [b"not json", b"[]", b'{"document": "a"}', b"\xff"])
def test_lines_that_are_no_chunks_are_refused(library: Library, out: Path, line: bytes) -> None:
    save(library, out)
    lines = (out / "chunks.jsonl").read_bytes().splitlines(keepends=True)
    (out / "chunks.jsonl").write_bytes(b"".join([*lines[:-1], line + b"\n"]))
    forge(out)
    with pytest.raises(IndexDamaged):
        ask(out)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexDamaged) as caught:
        ask(tmp_path / "没有")
    assert caught.value.params["path"] == str(tmp_path / "没有")
