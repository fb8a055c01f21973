import json
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import drafts, native
from engine.answer import retrieval
from engine.commands import LocatePassage
from engine.config import Settings
from engine.documents import (
    Chunk,
    Dropped,
    FileState,
    Page,
    PageSpan,
    Reason,
    RecognisedLine,
    SearchHit,
    SourceDocument,
)
from engine.errors import IndexMismatch, NoSpace, PackInvalid, PackNeedsVectors, StorageFailed, TargetTaken
from engine.events import FileReport
from engine.index import embedders, flat_file, keeping, portable
from engine.index.embedding import BgeEmbedder, vector_key
from engine.index.library import Library
from engine.index.pack import archive, export, load, names
from engine.index.pack.origin import Origin
from engine.index.writing import FileRecord
from engine.intake import boxes
from engine.paths import home
from engine.reader.passages import locate
from engine.steps import finish
from models.store import ModelStore
from tests.desk import Desk
from tests.fakes import FakeEmbedder
from tests.indexed import put
from tests.packs import members, pack, rebuilt, take_in

QUESTIONS = (
    "年假可以顺延到什么时候",
    "秘密级数据的保密期限",
    "谁在前台登记",
    "差旅报销单 财务部",
    "GB/T 22239",
)


def fill(desk: Desk) -> None:
    desk.write(
        "制度/年假.md", "# 年假办法\n\n## 顺延\n\n年假可以顺延至次年三月。\n\n## 申请\n\n年假须提前申请。\n"
    )
    desk.write("制度/保密.md", "# 保密制度\n\n秘密级数据的保密期限为10年。机密级数据的保密期限为二十年。\n")
    desk.write(
        "访客.html", "<html><title>访客须知</title><body><p>访客须在前台登记，由接待人陪同。</p></body>"
    )
    desk.write("差旅.txt", "差旅报销单须在返回后10个工作日内提交财务部。\u2028逾期不予受理。\n" * 40)
    desk.write("标准.txt", "本系统符合 GB/T 22239 第三级的要求。\n")
    desk.write("空.txt", "")
    desk.write("照片.xyz", "不读")
    desk.write("制度/保密 副本.md", (desk.folder / "制度/保密.md").read_text(encoding="utf-8"))


@pytest.fixture
def filled(desk: Desk) -> Desk:
    fill(desk)
    desk.ingest()
    return desk


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "出门 一.zhiye"


def hits(library: Library, question: str) -> list[SearchHit]:
    return list(retrieval.search(question, [library], FakeEmbedder(), Settings(), 10))


def facts(library: Library) -> list[Any]:
    """All that is known of the documents, their pages and their chunks, without row ids and places."""
    documents = library.db.execute(
        "SELECT path, size, content_hash, kind, title, title_from_name, encoding, metadata, state, reason,"
        " details, reading, indexed_at, (SELECT o.path FROM documents o WHERE o.id = d.copy_of)"
        " FROM documents d ORDER BY path"
    ).fetchall()
    pages = library.db.execute(
        "SELECT d.path, number, label, location, text, from_ocr, width, height, boxes, recognised"
        " FROM pages p JOIN documents d ON d.id = p.document_id ORDER BY d.path, number"
    ).fetchall()
    chunks = library.db.execute(
        "SELECT d.path, chunk, ordinal, page, page_end, spans, location, section, text, prefix, overlap,"
        " tokens, vector_key FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY c.id"
    ).fetchall()
    return [documents, pages, chunks, library.db.execute("SELECT * FROM vectors ORDER BY key").fetchall()]


def alike(ours: list[SearchHit], theirs: list[SearchHit]) -> None:
    assert ours
    same = ("chunk", "text", "document", "title", "page", "spans", "section", "location", "kind", "rank")
    for name in same:
        assert [getattr(hit, name) for hit in theirs] == [getattr(hit, name) for hit in ours], name
    assert [hit.score for hit in theirs] == pytest.approx([hit.score for hit in ours], abs=1e-5)


def test_a_pack_taken_in_answers_as_the_library_does(filled: Desk, file: Path, tmp_path: Path) -> None:
    pack(filled.library, file)
    taken = take_in(file, tmp_path / "新")
    for question in QUESTIONS:
        alike(hits(filled.library, question), hits(taken, question))
    assert facts(taken) == facts(filled.library)
    assert embedders.made_by(taken) == str(Origin.of_embedder(FakeEmbedder()))
    assert embedders.fits(taken, FakeEmbedder())
    taken.close()


def test_a_library_that_changed_often_is_found_as_it_is_now(filled: Desk, file: Path, tmp_path: Path) -> None:
    filled.write("制度/年假.md", "# 年假办法\n\n年假可以顺延至次年六月。\n")
    (filled.folder / "标准.txt").unlink()
    filled.ingest()
    pack(filled.library, file)
    taken = take_in(file, tmp_path / "新")
    for question in QUESTIONS:
        alike(hits(filled.library, question), hits(taken, question))
    taken.close()


def test_a_pack_of_a_pack_is_the_same(filled: Desk, file: Path, tmp_path: Path) -> None:
    pack(filled.library, file)
    taken = take_in(file, tmp_path / "新", name="库")
    again = tmp_path / "再.zhiye"
    pack(taken, again)
    assert members(again) == members(file)
    taken.close()


def test_documents_are_known_without_a_place(filled: Desk, file: Path, tmp_path: Path) -> None:
    pack(filled.library, file)
    taken = take_in(file, tmp_path / "新")
    assert list(taken.folders().values()) == [Path("资料 一")]
    hit = hits(taken, QUESTIONS[0])[0]
    assert hit.path is None
    shown = locate(LocatePassage(1, taken.name, hit.row), taken)
    assert shown.path is None and not shown.changed
    assert "顺延至次年三月" in shown.pages[0].text
    taken.close()


def test_a_copy_stays_a_copy(filled: Desk, file: Path, tmp_path: Path) -> None:
    pack(filled.library, file)
    taken = take_in(file, tmp_path / "新")
    (copy,) = [stored for stored in taken.files() if stored.copy_of is not None]
    (original,) = taken.files(document_id=copy.copy_of)
    assert {copy.path, original.path} == {"制度/保密.md", "制度/保密 副本.md"}
    assert original.report.chunks > 0
    taken.close()


def test_everything_of_a_page_comes_back(file: Path, tmp_path: Path) -> None:
    source = Library(None, dimension=64)
    source.set_meta("name", "扫描")
    source.set_meta("model", "fake")
    text, size = "第一行\n第二行", (595.0, 842.0)
    packed = boxes.pack([(10 * i, 20, 10 * i + 9, 32) for i in range(len(text))], size)
    chunk = Chunk(
        "ab" * 10,
        3,
        2,
        3,
        (PageSpan(2, 0, 3), PageSpan(3, 1, 2)),
        "第一行下",
        "扫描\n",
        1,
        9,
        ("章", "节"),
        {"line": 4},
    )
    key = vector_key("fake", "fp32", chunk.prefix + chunk.text)
    source.write_document(FileRecord(
        folder_id=source.folder_id(tmp_path / "扫描件"), path="a.pdf", size=7, mtime_ns=5,
        content_hash="ab" * 32, report=FileReport(
            "a.pdf", FileState.PARTIAL, Reason("ocr_failed", {"count": 1, "detail": "no /opt/models/x"}),
            2, 1, (4,), (2,), "gb18030", (4,),
        ),
        reading="2/2/400/50/0", dropped=[Dropped(PageSpan(3, 0, 1), "页", "page_number")],
        document=SourceDocument("pdf", "扫描", True, None, {"author": "某人", "keywords": ["一", 2]}),
        pages=[
            Page(2, text, "ii", None, (), True, size, packed, recognised=(RecognisedLine(0, 3, 0.5),)),
            Page(3, "页下文", location={"sheet": "表", "rows": [1, 9]}),
        ],
        chunks=[chunk], keys=[key], vectors={key: FakeEmbedder().embed_query("第一行")},
    ))  # fmt: skip
    pack(source, file)
    taken = take_in(file, tmp_path / "新")
    ours, theirs = facts(source), facts(taken)
    (reason,) = [document[9] for document in theirs[0]]
    assert json.loads(reason) == {"code": "ocr_failed", "params": {"count": 1, "detail": "no …"}}
    ours[0] = [(*document[:9], reason, *document[10:]) for document in ours[0]]
    assert theirs == ours
    assert taken.files()[0].mtime_ns == 0
    source.close()
    taken.close()


def test_a_pack_names_no_place_and_nobody(filled: Desk, file: Path, tmp_path: Path) -> None:
    locked = filled.folder / "制度/年假.md"
    (stored,) = [item for item in filled.library.files() if item.path == "制度/年假.md"]
    why = Reason("read_failed", {"detail": f"cannot read {locked}"})
    keeping.keep(filled.library, stored, FileReport(stored.path, FileState.UNREADABLE, why))
    pack(filled.library, file)
    everything = b"".join(members(file).values()) + file.read_bytes()
    for place in (str(filled.folder), str(filled.folder.parent), str(tmp_path), str(Path.home())):
        assert place.encode() not in everything
    assert filled.folder.name.encode() in everything
    taken = take_in(file, tmp_path / "新")
    (there,) = [item for item in taken.files() if item.path == "制度/年假.md"]
    assert (there.report.state, there.report.reason) == (FileState.INDEXED, None)
    taken.close()


def test_the_layout_inside_is_the_portable_one(filled: Desk, file: Path, tmp_path: Path) -> None:
    pack(filled.library, file)
    out, plain = tmp_path / "出", tmp_path / "入"
    portable.write(filled.library, out, "fake", "fp32", Settings())
    plain.mkdir()
    found = members(file)
    for name in portable.NAMES:
        (plain / name).write_bytes(found[name])
    for name in (portable.INDEX, portable.CHUNKS, portable.METADATA):
        assert found[name] == (out / name).read_bytes(), name
    read = portable.read(plain, FakeEmbedder(), 64)
    alike(hits(filled.library, QUESTIONS[0]), hits(read, QUESTIONS[0]))
    read.close()


@pytest.mark.parametrize("count", [0, 1, 4096, 4097])
def test_vectors_are_written_as_faiss_writes_them(count: int, tmp_path: Path) -> None:
    random = np.random.default_rng(count)
    made = random.normal(size=(count, 16)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    faiss = native.faiss(1)
    index = faiss.IndexIDMap2(faiss.IndexFlatIP(16))
    index.add_with_ids(made, np.arange(count))
    stream = BytesIO()
    blocks = [made[start : start + 1000] for start in range(0, count, 1000)]
    finish(flat_file.write(stream, blocks, 16, count))
    assert stream.getvalue() == faiss.serialize_index(index).tobytes()
    stream.seek(0)
    reader = flat_file.VectorReader(stream, 16, count)
    assert np.array_equal(np.concatenate([reader.take(count // 2), reader.take(count - count // 2)]), made)
    reader.finish()


def test_folders_of_one_name_stay_apart(desk: Desk, file: Path, tmp_path: Path) -> None:
    desk.library.set_meta("model", "fake")
    for place in ("甲", "乙"):
        put(desk.library, "a.txt", [f"{place}的内容"], FakeEmbedder(), folder=tmp_path / place / "资料")
    put(desk.library, "b.txt", ["别处"], FakeEmbedder(), folder=tmp_path / "别处.txt")
    pack(desk.library, file)
    taken = take_in(file, tmp_path / "新")
    assert sorted(map(str, taken.folders().values())) == ["别处.txt", "资料-1", "资料-2"]
    for question in ("甲的内容", "乙的内容", "别处"):
        alike(hits(desk.library, question), hits(taken, question))
    taken.close()


def test_names_that_other_systems_do_not_know_are_written_otherwise(
    desk: Desk, file: Path, tmp_path: Path
) -> None:
    desk.library.set_meta("model", "fake")
    odd = ["C:报告.txt", "..\\..\\evil.txt", "a\tb.txt", "a_b.txt", "\u202etxt.exe", ". .", "x/ /y.txt"]
    for name in odd:
        put(desk.library, name, [f"内容 {name!r}"], FakeEmbedder())
    pack(desk.library, file)
    taken = take_in(file, tmp_path / "新")
    paths = {stored.path for stored in taken.files()}
    assert len(paths) == len(odd) and all(map(names.is_safe_path, paths))
    assert {"C_报告.txt", ".._.._evil.txt", "a_b.txt", "a_b.txt-2", "_txt.exe", "_", "x/_/y.txt"} == paths
    assert taken.chunk_count() == len(odd)
    taken.close()


def test_an_empty_library_is_a_pack_too(desk: Desk, file: Path, tmp_path: Path) -> None:
    assert pack(desk.library, file).documents == 0
    taken = take_in(file, tmp_path / "新")
    assert (taken.files(), taken.chunk_count()) == ([], 0)
    taken.close()


# -- what keeps a pack from being written -------------------------------------------------------------


def test_passages_without_vectors_are_not_left_out_silently(filled: Desk, file: Path) -> None:
    filled.embedder = None
    filled.write("新.txt", "还没有向量")
    filled.ingest()
    with pytest.raises(PackNeedsVectors) as caught:
        pack(filled.library, file)
    assert caught.value.params == {"name": "库", "count": 1}
    assert not file.exists()


def test_vectors_of_another_normaliser_are_refused(
    filled: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.normalise.VERSION", 99)
    with pytest.raises(IndexMismatch):
        pack(filled.library, file)
    assert not file.exists()


def test_another_file_is_never_replaced(filled: Desk, file: Path) -> None:
    for data in (b"", b"PK\x03\x04", "一封信".encode(), b"PK\x05\x06" + bytes(18)):
        file.write_bytes(data)
        with pytest.raises(TargetTaken):
            pack(filled.library, file)
        assert file.read_bytes() == data
    with pytest.raises(TargetTaken):
        pack(filled.library, filled.folder)


def test_an_earlier_pack_is_replaced_in_one_step(
    filled: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(filled.library, file)
    before = file.read_bytes()
    filled.write("新.txt", "又一个文档")
    filled.ingest()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(archive._Counted, "write", full)
        with pytest.raises(StorageFailed):
            pack(filled.library, file)
    assert file.read_bytes() == before
    steps = export.write(filled.library, file, program="0", reading="", settings=Settings())
    next(steps)
    steps.close()  # the task was stopped
    assert [item.name for item in file.parent.iterdir() if item.is_file()] == [file.name]
    assert file.read_bytes() == before
    pack(filled.library, file)
    assert file.read_bytes() != before


def test_a_full_disk_is_noticed_before(filled: Desk, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(file.parent)
    monkeypatch.setattr(drafts.shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(NoSpace):
        pack(filled.library, file)
    assert not file.exists()


# -- what keeps a pack from being taken in ------------------------------------------------------------


class Other(FakeEmbedder):
    model_id = "another"


@pytest.mark.parametrize("embedder", [Other(), FakeEmbedder(32)])
def test_vectors_of_another_embedder_are_refused(
    filled: Desk, file: Path, tmp_path: Path, embedder: FakeEmbedder
) -> None:
    pack(filled.library, file)
    with pytest.raises(IndexMismatch) as caught:
        take_in(file, tmp_path / "新", embedder=embedder)
    assert caught.value.params["found"] == "fake/fp32/64/2"


def test_other_weights_under_the_same_name_are_refused(filled: Desk, file: Path, tmp_path: Path) -> None:
    def other(contents: dict[str, bytes]) -> None:
        manifest = json.loads(contents[archive.MANIFEST])
        manifest["weights"] = "ab" * 32
        contents[archive.MANIFEST] = json.dumps(manifest).encode()

    pack(filled.library, file)
    changed = rebuilt(file, tmp_path / "b.zhiye", other)
    with pytest.raises(IndexMismatch):
        take_in(changed, tmp_path / "新")


def test_a_full_disk_is_noticed_before_anything_is_made(
    filled: Desk, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(filled.library, file)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(drafts.shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(NoSpace):
        take_in(file, tmp_path / "新")
    assert not (tmp_path / "新").exists()


def test_a_pack_cut_short_anywhere_is_refused(filled: Desk, file: Path, tmp_path: Path) -> None:
    pack(filled.library, file)
    data = file.read_bytes()
    torn = tmp_path / "torn.zhiye"
    for length in (0, 1, 21, 22, 97, 1000, len(data) // 2, len(data) - 1):
        torn.write_bytes(data[:length])
        with pytest.raises(PackInvalid):
            take_in(torn, tmp_path / "新")


@pytest.mark.embedder
def test_with_the_real_embedder_the_first_answers_are_the_same(
    desk: Desk, file: Path, tmp_path: Path
) -> None:
    model = "bge-small-zh-v1.5"
    real = BgeEmbedder(ModelStore(home().models).ensure_verified(model), model, 512, threads=2)
    desk.library.close()
    desk.library = Library(tmp_path / "真", dimension=512)
    desk.library.set_meta("name", "真")
    desk.embedder = real  # type: ignore[assignment]
    fill(desk)
    desk_events = list(desk.steps())
    assert desk_events
    pack(desk.library, file)
    with archive.Reader(file) as found:
        assert found.manifest.weights is not None
        assert Origin.of_catalogue(model) == Origin.of_embedder(real)
        origin = load.check_origin(file, found.manifest, Origin.of_embedder(real))
        finish(load.read(found, file, tmp_path / "新", "新", origin, 1))
    taken = Library(tmp_path / "新", dimension=512)
    for question in QUESTIONS:
        ours, theirs = (
            list(retrieval.search(question, [library], real, Settings(), 10))
            for library in (desk.library, taken)
        )
        alike(ours, theirs)
        assert all(hit.dense is not None for hit in theirs)
    taken.close()
