"""The whole way from a folder into the library, with a reader in this process and a double of the model."""

import os
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import pytest

from engine import pipeline
from engine.answer import retrieval
from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.documents import FileState, Reason
from engine.errors import NotReadable
from engine.events import FileFinished, FileProgress, FileReport, IngestFinished, ScanFinished
from engine.index import portable
from engine.index.embedding import Vectors
from engine.index.library import Library
from engine.intake import scanner
from engine.intake.messages import ReadDone, ReadMessage, ReadRequest
from engine.intake.selection import Selection
from tests.desk import Desk
from tests.fakes import FakeEmbedder, InlineReader

LONG = "".join(f"第{n}条规定了第{n}件事情应当如何办理。" for n in range(40))


class FailingReader(InlineReader):
    """Ends the files of these names with a state instead of reading them."""

    def __init__(self, states: dict[str, FileState], settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.states = states

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        if request.path.name in self.states:
            self.paths.append(request.path)
            yield ReadDone(self.states[request.path.name], Reason("loader_failed", {"detail": "test"}))
        else:
            yield from super().answer(request, token)


@pytest.fixture
def full(desk: Desk) -> Desk:
    """Three documents, indexed."""
    desk.write("年假.txt", "年假可以顺延至次年三月。")
    desk.write("子/报销.md", "# 报销\n\n报销须在三十日内提交。")
    desk.write("长.txt", LONG)
    desk.ingest()
    return desk


def state_of(result: IngestFinished) -> dict[str, str]:
    return {report.path: report.state.value for report in result.files}


# -- what a round does ----------------------------------------------------------------------------


def test_a_folder_becomes_searchable(desk: Desk) -> None:
    desk.write("年假.txt", "年假可以顺延至次年三月。")
    desk.write("子/报销.md", "# 报销\n\n报销须在三十日内提交。")
    desk.write("子/.隐藏.txt", "看不见")
    desk.write("空.txt", "")
    result = desk.ingest()
    assert state_of(result) == {
        "子/.隐藏.txt": "excluded", "子/报销.md": "indexed", "年假.txt": "indexed", "空.txt": "empty",
    }  # fmt: skip
    assert result.counts == {"excluded": 1, "indexed": 2, "empty": 1}
    assert (result.chunks, result.embedded, result.reused, result.removed) == (2, 2, 0, 0)
    assert set(result.seconds) == {"parse", "embed", "write", "total"}
    hit = desk.found("报销几日内提交")[0]
    assert (hit.document, hit.title, hit.section, hit.path) == (
        "子/报销.md", "报销", ("报销",), desk.folder / "子" / "报销.md",
    )  # fmt: skip


def test_events_tell_the_story_in_order(full: Desk) -> None:
    full.write("新.txt", "新的")
    full.ingest()
    scan = next(event for event in full.events if isinstance(event, ScanFinished))
    finished = [event for event in full.events if isinstance(event, FileFinished)]
    assert (scan.total, [(event.done, event.total) for event in finished]) == (
        4,
        [(n, 4) for n in range(1, 5)],
    )
    progress = [event for event in full.events if isinstance(event, FileProgress)]
    assert {event.path for event in progress} == {"新.txt"}
    assert (progress[-1].chunks_done, progress[-1].chunks) == (1, 1)


def test_an_unchanged_folder_costs_nothing(full: Desk) -> None:
    before = (full.contents(), full.library.generation)
    result = full.ingest()
    assert (full.read, full.embedded) == ([], [])
    assert (result.embedded, result.reused, result.removed) == (0, 0, 0)
    assert result.counts == {"indexed": 3}
    assert (full.contents(), full.library.generation) == before


def test_a_touched_file_is_hashed_and_not_read(full: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    file = full.folder / "年假.txt"
    os.utime(file, ns=(1, 1))
    hashed = []
    hashing = pipeline.changes.scanner.hashing
    monkeypatch.setattr(
        pipeline.changes.scanner, "hashing", lambda path: (hashed.append(path), hashing(path))[1]
    )
    full.ingest()
    assert (hashed, full.read, full.embedded) == ([file], [], [])
    full.ingest()
    assert hashed == [file], "the new time is remembered"


def test_only_what_an_edit_changed_is_embedded(full: Desk) -> None:
    full.settings = Settings(chunk_size=96, chunk_overlap=0)
    full.reader = InlineReader(full.settings)
    full.ingest()
    count = sum(document == "长.txt" for document, *_ in full.contents())
    assert count > 5
    full.write("长.txt", LONG + "最后多了一句。")
    result = full.ingest()
    assert full.read == ["长.txt"]
    assert 1 <= len(full.embedded) <= 2
    assert any("最后多了一句" in text for text in full.embedded)
    assert (result.embedded, result.removed) == (len(full.embedded), count)
    assert result.reused >= count - 2


def test_a_deleted_document_is_forgotten(full: Desk) -> None:
    sentinel = "ZY-7731"
    full.settings = Settings(chunk_size=32, chunk_overlap=0)
    full.reader = InlineReader(full.settings)
    file = full.write("机密.txt", "\n\n".join(f"{sentinel}的第{n}条机密内容在此写明。" for n in range(120)))
    full.ingest()
    of_it = sum(document == "机密.txt" for document, *_ in full.contents())
    before = len(full.library.store)
    assert of_it >= 120
    assert full.found(f"{sentinel}的第7条机密内容")[0].document == "机密.txt"

    file.unlink()
    result = full.ingest()
    assert result.removed == of_it
    assert "机密.txt" not in state_of(result)

    folder = full.library.folder
    full.library.close()
    full.library = Library(folder, dimension=64)  # also after a restart
    assert len(full.library.store) == before - of_it
    assert all(hit.document != "机密.txt" for hit in full.found(f"{sentinel}第7条机密内容"))
    portable.write(full.library, full.folder.parent / "out", "fake", "fp32", full.settings)
    for place in (full.folder.parent / "out", folder):
        assert place is not None
        data = b"".join(path.read_bytes() for path in place.iterdir())
        assert sentinel.encode() not in data
        assert b"7731" not in data
        assert "机密".encode() not in data


def test_identical_text_is_embedded_once(desk: Desk) -> None:
    for name in ("a.md", "b.md", "c.md"):
        desk.write(name, "# 同一标题\n\n同样的一段话。" + "\n" * ord(name[0]))
    desk.write("d.md", "# 一\n\n反复的话。\n\n# 一\n\n反复的话。")
    result = desk.ingest()
    assert len(desk.embedded) == len(set(desk.embedded))
    assert (result.chunks, result.embedded) == (5, len(desk.embedded))
    assert result.embedded + result.reused == 5
    assert len(desk.library.store) == 5
    hits = desk.found("同样的一段话")
    assert len({hit.text for hit in hits}) == len(hits), "no two passages with the same text"


def test_a_second_copy_of_a_file_is_no_second_embedding(full: Desk) -> None:
    count = full.library.chunk_count()
    full.ingest()
    assert full.library.chunk_count() == count
    full.write("年假 (1).md", "# 年假\n\n年假可以顺延至次年三月。")
    full.write("年假 (2).md", "# 年假\n\n年假可以顺延至次年三月。")
    assert full.ingest().embedded == 1


# -- failures -------------------------------------------------------------------------------------


FAILURES = {"坏.txt": FileState.DAMAGED, "锁.txt": FileState.NEEDS_PASSWORD, "崩.txt": FileState.SET_ASIDE}


@pytest.fixture
def failing(desk: Desk) -> Desk:
    for name in (*FAILURES, "好.txt"):
        desk.write(name, f"{name}的内容")
    desk.reader = FailingReader(dict(FAILURES))
    return desk


def test_failing_files_do_not_stop_the_others_and_are_remembered(failing: Desk) -> None:
    result = failing.ingest()
    assert state_of(result) == {**{name: s.value for name, s in FAILURES.items()}, "好.txt": "indexed"}
    reports = result.files
    result = failing.ingest()
    assert failing.read == []
    assert result.files == reports
    assert {r.path: r.reason for r in result.files}["坏.txt"] == Reason("loader_failed", {"detail": "test"})


def test_failing_files_are_tried_again_when_asked_or_changed(failing: Desk) -> None:
    failing.ingest()
    failing.ingest(retry=True)
    assert sorted(failing.read) == sorted(FAILURES)
    failing.write("坏.txt", "改过的内容")
    failing.ingest()
    assert failing.read == ["坏.txt"]
    failing.reader = InlineReader()
    assert failing.ingest(retry=True).counts == {"indexed": 4}
    failing.ingest(retry=True)
    assert failing.read == []


def test_a_document_that_cannot_be_read_any_more_is_forgotten(full: Desk) -> None:
    full.write("年假.txt", "改过")
    full.reader = FailingReader({"年假.txt": FileState.DAMAGED})
    result = full.ingest()
    assert (state_of(result)["年假.txt"], result.removed) == ("damaged", 1)
    assert all(hit.document != "年假.txt" for hit in full.found("年假顺延"))


def test_a_file_that_may_not_be_read_has_a_state_and_keeps_its_text(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = full.contents()
    full.write("年假.txt", "改过")

    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(pipeline.changes.scanner, "hashing", refuse)
        result = full.ingest()
    assert {r.path: r.reason for r in result.files}["年假.txt"] == Reason(
        "kept_unreadable", {"why": "no_permission"}
    )
    assert (result.counts, result.removed) == ({"unreadable": 1, "indexed": 2}, 0)
    assert full.contents() == before
    assert full.ingest().counts == {"indexed": 3}, "looked at again without being asked"


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
def test_a_name_that_is_no_utf8_is_named_and_the_rest_goes_on(full: Desk) -> None:
    Path(os.fsdecode(os.fsencode(full.folder) + b"/\xd6\xc6\xb6\xc8.txt")).write_bytes(b"text")
    result = full.ingest()
    assert result.counts == {"indexed": 3, "unreadable": 1}
    (report,) = [report for report in result.files if report.state is FileState.UNREADABLE]
    assert (report.reason, report.path) == (Reason("name_not_text"), r"\xd6ƶ\xc8.txt")


def test_an_empty_folder_is_said_to_be_empty(desk: Desk) -> None:
    result = desk.ingest()
    assert (result.files, result.chunks, desk.notices()) == ((), 0, ["no_documents"])


def test_a_folder_that_is_not_there_is_an_error_before_anything_is_forgotten(full: Desk) -> None:
    before = full.contents()
    with pytest.raises(NotReadable):
        full.ingest(full.folder, full.folder.with_name("没有"))
    full.folder.rename(full.folder.with_name("别处"))
    with pytest.raises(NotReadable):
        full.ingest()
    assert full.contents() == before


@pytest.mark.parametrize("moment", ["scan", "hash", "read"])
def test_nothing_is_forgotten_when_the_folder_goes_in_the_middle(
    full: Desk, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """A stick is pulled out, or the network is lost, while the library is brought up to date."""
    before = full.contents()
    full.settings = Settings(chunk_size=200, chunk_overlap=0)  # everything is hashed and read again

    def pull() -> None:
        if full.folder.exists():
            full.folder.rename(full.folder.with_name("weg"))

    def gone(request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        pull()
        yield ReadDone(FileState.UNREADABLE, Reason("vanished"))

    of_name, hashing = Selection.of_name, scanner.hashing
    if moment == "scan":
        monkeypatch.setattr(Selection, "of_name", lambda self, name: pull() or of_name(self, name))
    elif moment == "hash":
        monkeypatch.setattr(scanner, "hashing", lambda path: pull() or hashing(path))
    else:
        full.reader.answer = gone  # type: ignore[method-assign]
    with pytest.raises(NotReadable):
        full.ingest()
    assert full.contents() == before


def test_a_folder_inside_another_is_indexed_once(full: Desk) -> None:
    before = full.contents()
    result = full.ingest(full.folder, full.folder / "子", full.folder)
    assert (len(result.files), full.contents()) == (3, before)


def test_other_folders_of_the_library_are_left_alone(full: Desk, tmp_path: Path) -> None:
    other = tmp_path / "别的资料"
    other.mkdir()
    (other / "年假.txt").write_text("别处的年假。", encoding="utf-8")
    result = full.ingest(other)
    assert [report.path for report in result.files] == ["别的资料/年假.txt"], "two of a path: told apart"
    assert (result.chunks, result.removed) == (full.library.chunk_count(), 0)
    assert full.ingest().counts == {"indexed": 3}


# -- settings, the embedder, stopping -------------------------------------------------------------


def test_other_chunk_settings_read_everything_again(full: Desk) -> None:
    full.settings = Settings(chunk_size=96, chunk_overlap=0)
    full.reader = InlineReader(full.settings)
    full.ingest()
    assert sorted(full.read) == ["年假.txt", "报销.md", "长.txt"]
    full.ingest()
    assert full.read == []


def test_other_settings_for_one_folder_do_not_pass_for_those_of_another(full: Desk, tmp_path: Path) -> None:
    other = tmp_path / "别的资料"
    other.mkdir()
    full.settings = Settings(chunk_size=96, chunk_overlap=0)
    full.reader = InlineReader(full.settings)
    full.ingest(other)
    full.ingest()
    assert len(full.read) == 3


def test_without_an_embedder_the_words_are_indexed_and_vectors_come_later(desk: Desk) -> None:
    for name in ("a.md", "b.md"):
        desk.write(name, "# 同一标题\n\n同样的一段话。" + "\n" * ord(name[0]))
    desk.write("年假.txt", "年假可以顺延至次年三月。")
    embedder, desk.embedder = desk.embedder, None
    result = desk.ingest()
    assert (result.counts, result.embedded, desk.notices()) == ({"indexed": 3}, 0, ["lexical_only"])
    assert desk.found("顺延")[0].document == "年假.txt"
    assert desk.found("顺延")[0].dense is None

    desk.embedder = embedder
    result = desk.ingest()
    assert (desk.read, desk.notices()) == ([], [])
    assert (result.embedded, result.reused) == (2, 1)
    assert len(desk.embedded) == len(set(desk.embedded)) == 2
    assert len(desk.library.store) == 3
    assert desk.found("顺延")[0].dense is not None
    assert (desk.ingest().embedded, desk.embedded) == (0, [])


def test_vectors_that_are_completed_later_take_what_is_known(desk: Desk) -> None:
    desk.write("a.md", "# 同一标题\n\n同样的一段话。")
    desk.ingest()
    embedder, desk.embedder = desk.embedder, None
    desk.write("b.md", "# 同一标题\n\n同样的一段话。\n\n")
    desk.ingest()
    desk.embedder = embedder
    result = desk.ingest()
    assert (desk.embedded, result.embedded, result.reused) == ([], 0, 1)
    assert len(desk.library.store) == 2


@pytest.mark.parametrize("at", ["second file", "reading", "embedding"])
def test_stopping_keeps_the_finished_files_and_loses_the_one_in_work(desk: Desk, at: str) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        desk.write(name, name + LONG)
    token = CancelToken()

    class Stopping(FakeEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            if at == "embedding" and any("b.txt" in text for text in texts):
                token.cancel()
            return super().embed_passages(texts)

    desk.embedder = Stopping()
    with pytest.raises(Cancelled):
        for event in desk.steps(token=token):
            if at == "second file" and isinstance(event, FileFinished):
                token.cancel()
            if at == "reading" and isinstance(event, FileProgress) and event.path == "b.txt":
                token.cancel()
    assert [file.path for file in desk.library.files()] == ["a.txt"]
    assert {document for document, *_ in desk.contents()} == {"a.txt"}

    result = desk.ingest()
    assert desk.read == ["b.txt", "c.txt"], "what was finished is not read again"
    assert result.counts == {"indexed": 3}


def test_stopping_with_other_settings_goes_on_where_it_stopped(full: Desk) -> None:
    full.settings = Settings(chunk_size=96, chunk_overlap=0)
    full.reader = InlineReader(full.settings)
    token = CancelToken()
    with pytest.raises(Cancelled):
        for event in full.steps(token=token):
            if isinstance(event, FileFinished):
                token.cancel()
    full.ingest()
    assert len(full.read) == 2


def test_the_order_of_the_files_does_not_change_the_result(tmp_path: Path) -> None:
    texts = {f"{n}.md": f"# 标题{n % 3}\n\n{LONG[n * 7 :]}" for n in range(6)}
    results = []
    for number, order in enumerate((sorted(texts), sorted(texts, reverse=True))):
        desk = Desk(tmp_path / str(number))
        for name in order:
            desk.write(name, texts[name])
            desk.ingest()  # one file after the other
        hits = desk.found("第9条规定了什么")
        scores = sorted((round(hit.score, 6), hit.text) for hit in hits)
        results.append((desk.contents(), scores))
        desk.library.close()
    assert results[0] == results[1]


def test_a_round_ends_with_the_vector_store_on_disk(full: Desk) -> None:
    assert full.library.folder is not None
    assert (full.library.folder / "index.faiss").is_file()


def test_a_library_in_memory_becomes_a_portable_index(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Library(None, dimension=64))
    desk.write("年假.txt", "年假可以顺延至次年三月。")
    desk.write("坏.txt", "坏的")
    desk.reader = FailingReader({"坏.txt": FileState.DAMAGED})
    desk.ingest()
    portable.write(desk.library, tmp_path / "out", "fake", "fp32", desk.settings)
    read = portable.read(tmp_path / "out", desk.embedder, 64)
    assert read.counts() == {"damaged": 1, "indexed": 1}
    (hit,) = retrieval.search("年假", [read], desk.embedder, desk.settings, 5)
    assert (hit.document, hit.text) == ("年假.txt", "年假可以顺延至次年三月。")
    read.close()
    desk.library.close()


def test_the_report_of_a_file_is_the_same_when_it_is_settled_without_reading(full: Desk) -> None:
    first: tuple[FileReport, ...] = full.ingest().files
    os.utime(full.folder / "年假.txt", ns=(5, 5))
    assert full.ingest().files == first == tuple(file.report for file in full.library.files())


def test_files_of_kinds_that_are_not_read_are_not_even_opened(
    full: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    full.write("电影.MP4", "很长")
    opened: list[str] = []
    hashing = scanner.hashing

    def noted(path: Path) -> Generator[None, None, str]:
        opened.append(path.name)
        return hashing(path)

    monkeypatch.setattr(scanner, "hashing", noted)
    for _ in range(2):
        assert full.ingest().counts["unsupported"] == 1
    assert (opened, full.read) == ([], [])


def test_a_document_is_renamed_when_another_folder_holds_its_path(full: Desk, tmp_path: Path) -> None:
    name = full.library.files()[0].path
    chunks = full.library.chunk_count()
    other = tmp_path / "资料 二"
    (other / name).parent.mkdir(parents=True)
    (other / name).write_text("另一份同名的文件。", encoding="utf-8")
    result = full.ingest(full.folder, other)
    alike = {file.path for file in result.files if file.path.endswith(name)}
    assert alike == {f"资料 一/{name}", f"资料 二/{name}"}
    assert full.library.chunk_count() == chunks + 1
    assert full.read == [Path(name).name]


def test_those_that_read_ahead_are_watched_while_one_is_embedded(desk: Desk) -> None:
    desk.write("长.txt", "".join(f"第 {n} 句话讲的是另一件事情。\n" for n in range(400)))
    desk.ingest()
    assert desk.reader.watched > 3
