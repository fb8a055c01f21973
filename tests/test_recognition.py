"""Pages that are pictures: read after everything else, page by page, and never twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.documents import Chunk, FileState, Page, PageSpan, Reason, RecognisedLine, SourceDocument
from engine.events import FileFinished, FileReport, Notice, OcrProgress
from engine.index import pictures
from engine.index.contents import StoredFile
from engine.index.inspection import inspect
from engine.index.library import Library
from engine.intake.messages import (
    ChunksRead,
    PageRead,
    ReadDone,
    ReadFile,
    ReadMessage,
    ReadRequest,
    RecognisePages,
)
from tests.desk import Desk
from tests.fakes import InlineReader

WORDS = "仓库每月盘点一次。"


class Scanner(InlineReader):
    """A scan of ``pages`` pages; OCR reads the same words on each, and dies before page ``dies_at``."""

    def __init__(self, pages: int = 3, dies_at: int = 0) -> None:
        super().__init__()
        self.pages = pages
        self.dies_at = dies_at
        self.recognised: list[int] = []
        self.end = ReadDone(FileState.INDEXED)

    def answer(self, request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        if request.path.suffix != ".pdf":
            yield from super().answer(request, token)
        elif isinstance(request, RecognisePages):
            for number in request.pages:
                if number == self.dies_at:
                    yield ReadDone(FileState.SET_ASIDE, Reason("loader_crashed", {"signal": "SIGSEGV"}))
                    return
                self.recognised.append(number)
                lines = (RecognisedLine(0, len(WORDS), 0.9),)
                yield PageRead(Page(number, WORDS, from_ocr=True, size=(100.0, 200.0), recognised=lines))
            yield self.end
        else:
            self.paths.append(request.path)
            yield from self._read(request)

    def _read(self, request: ReadFile) -> Iterator[ReadMessage]:
        seen = {page.number: page for page in request.recognised}
        left = tuple(number for number in range(1, self.pages + 1) if number not in seen)
        for number in range(1, self.pages + 1):
            yield PageRead(seen.get(number) or Page(number, "", label=f"p{number}"))
        chunks = tuple(
            Chunk(f"{request.content_hash[:8]}-{n}", i, n, n, (PageSpan(n, 0, len(WORDS)),), WORDS, tokens=9)
            for i, n in enumerate(seen)
        )
        if chunks:
            yield ChunksRead(chunks)
        state = FileState.PARTIAL if left else FileState.INDEXED
        if not seen:
            state = FileState.NEEDS_OCR
        yield ReadDone(
            state, Reason("scanned", {"pages": self.pages}) if left else None, SourceDocument("pdf", "扫描"),
            missing_pages=left, from_ocr=tuple(seen), recognisable=left,
        )  # fmt: skip


@pytest.fixture
def scans(desk: Desk) -> Desk:
    desk.write("扫描.pdf", "图")
    desk.write("说明.txt", "文字层里的内容先读。")
    desk.reader = Scanner()
    return desk


def reader(desk: Desk) -> Scanner:
    assert isinstance(desk.reader, Scanner)
    return desk.reader


def reports(desk: Desk, name: str) -> list[FileReport]:
    return [e.file for e in desk.events if isinstance(e, FileFinished) and e.file.path == name]


def test_text_is_found_before_the_first_page_is_recognised(scans: Desk) -> None:
    result = scans.ingest()
    states = [report.state.value for report in reports(scans, "扫描.pdf")]
    assert states == ["needs_ocr", "indexed"]
    kinds = [type(event) for event in scans.events]
    assert kinds.index(OcrProgress) > max(
        at for at, e in enumerate(scans.events) if isinstance(e, FileFinished) and e.file.path == "说明.txt"
    )
    assert [(e.done, e.total) for e in scans.events if isinstance(e, OcrProgress)] == [(1, 3), (2, 3), (3, 3)]
    assert result.counts == {"indexed": 2}
    assert {file.path: file.from_ocr for file in result.files}["扫描.pdf"] == (1, 2, 3)
    assert scans.found("仓库多久盘点一次")[0].document == "扫描.pdf"


def test_what_was_recognised_is_kept_with_its_confidence(scans: Desk) -> None:
    scans.ingest()
    pages = inspect(scans.library, "扫描.pdf").pages
    assert [page.text for page in pages] == [WORDS] * 3
    assert pages[0].confidence == pytest.approx(0.9)
    assert pages[0].size == (100.0, 200.0)


def test_nothing_is_recognised_twice(scans: Desk) -> None:
    scans.ingest()
    reader(scans).recognised.clear()
    result = scans.ingest()
    assert (scans.read, reader(scans).recognised, result.counts) == ([], [], {"indexed": 2})
    # Other chunk sizes: the file is read again, its pictures are not.
    scans.settings = Settings(chunk_size=200, chunk_overlap=0)
    result = scans.ingest()
    assert (sorted(scans.read), reader(scans).recognised) == (["扫描.pdf", "说明.txt"], [])
    assert result.counts == {"indexed": 2}


def test_a_stop_loses_the_page_in_work_only(scans: Desk) -> None:
    token = CancelToken()
    with pytest.raises(Cancelled):
        for event in scans.steps(token=token):
            if isinstance(event, OcrProgress) and event.done == 2:
                token.cancel()
    assert scans.library.counts() == {"indexed": 1, "needs_ocr": 1}
    result = scans.ingest()
    assert reader(scans).recognised == [1, 2, 3], "the third page only the second time"
    assert result.counts == {"indexed": 2}


def test_a_page_that_ends_the_process_is_named_and_not_tried_again(scans: Desk) -> None:
    scans.reader = Scanner(dies_at=2)
    result = scans.ingest()
    report = next(file for file in result.files if file.path == "扫描.pdf")
    assert (report.state, report.from_ocr, report.missing_pages) == (FileState.PARTIAL, (1, 3), (2,))
    assert report.reason is not None
    assert report.reason == Reason("ocr_failed", {"count": 1, "detail": "loader_crashed"})
    scans.ingest()
    assert (scans.read, reader(scans).recognised) == ([], [1, 3])
    # Asked for by name it is tried again, and the pages that are there already are not.
    scans.reader = Scanner()
    result = scans.ingest(names=frozenset({"扫描.pdf"}))
    assert reader(scans).recognised == [2]
    assert result.counts == {"indexed": 2}


def test_a_file_whose_every_page_ends_the_process_is_given_up(scans: Desk) -> None:
    asked: list[tuple[int, ...]] = []

    def dies(request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        if isinstance(request, RecognisePages):
            asked.append(request.pages)
            return iter((ReadDone(FileState.OVER_BUDGET, Reason("too_slow", {"seconds": 120})),))
        return Scanner.answer(reader(scans), request, token)

    reader(scans).pages = 40
    reader(scans).answer = dies  # type: ignore[method-assign]
    scans.ingest()
    assert [pages[0] for pages in asked] == [1, 2, 3, 4, 5]
    (scan,) = [file.report for file in scans.library.files() if file.path == "扫描.pdf"]
    assert scan.reason == Reason("ocr_failed", {"count": 40, "detail": "too_slow"})


def test_many_scans_are_looked_up_together(scans: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        scans.write(f"扫描{number}.pdf", f"图{number}")
    calls = 0
    files = Library.files

    def counted(library: Library, *which: int, **more: str) -> list[StoredFile]:
        nonlocal calls
        calls += 1
        return files(library, *which, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Library, "files", counted)
    assert scans.ingest().counts == {"indexed": 32}
    assert calls < 10


def test_a_locked_scan_keeps_what_was_recognised(scans: Desk) -> None:
    """The program was closed in the middle of a scan, and the password went with it."""
    token = CancelToken()
    with pytest.raises(Cancelled):
        for event in scans.steps(token=token):
            if isinstance(event, OcrProgress) and event.done == 2:
                token.cancel()

    def locked(request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        return iter((ReadDone(FileState.NEEDS_PASSWORD, Reason("password_needed")),))

    usual = reader(scans).answer
    reader(scans).answer = locked  # type: ignore[method-assign]
    for settings in (Settings(), Settings(chunk_size=200, chunk_overlap=0)):
        scans.settings = settings
        assert scans.ingest().counts == {"indexed": 1, "needs_ocr": 1}
        assert len(pictures.stored(scans.library, stored(scans, "扫描.pdf").id)) == 2
    reader(scans).answer = usual  # type: ignore[method-assign]
    assert scans.ingest().counts == {"indexed": 2}
    assert reader(scans).recognised == [1, 2, 3]


def stored(desk: Desk, path: str) -> StoredFile:
    return next(file for file in desk.library.files() if file.path == path)


def test_without_ocr_scans_are_named(scans: Desk) -> None:
    scans.settings = Settings(ocr=False)
    assert scans.ingest().counts == {"indexed": 1, "needs_ocr": 1}
    assert reader(scans).recognised == []
    scans.settings = Settings()
    assert scans.ingest().counts == {"indexed": 2}, "switched on later, it catches up"


def test_where_ocr_cannot_run_that_is_said_once(scans: Desk) -> None:
    scans.write("另一份.pdf", "图")
    scans.reader = Scanner()
    reader(scans).end = ReadDone(FileState.UNREADABLE, Reason("ocr_unavailable", {}))
    reader(scans).pages = 1
    reader(scans).dies_at = 0

    def unavailable(request: ReadRequest, token: CancelToken) -> Iterator[ReadMessage | None]:
        if isinstance(request, RecognisePages):
            return iter((reader(scans).end,))
        return Scanner.answer(reader(scans), request, token)

    reader(scans).answer = unavailable  # type: ignore[method-assign]
    result = scans.ingest()
    assert [e.code for e in scans.events if isinstance(e, Notice)] == ["ocr_unavailable"]
    assert result.counts == {"indexed": 1, "needs_ocr": 2}


def test_a_file_that_changed_meanwhile_waits_for_the_next_round(scans: Desk) -> None:
    path = scans.folder / "扫描.pdf"
    for event in scans.steps():
        if isinstance(event, FileFinished) and event.file.path == "扫描.pdf":
            path.write_text("另一张图", encoding="utf-8")
    assert reader(scans).recognised == []
    assert scans.library.counts() == {"indexed": 1, "needs_ocr": 1}
    assert scans.ingest().counts == {"indexed": 2}


def test_a_changed_scan_is_recognised_anew(scans: Desk) -> None:
    scans.ingest()
    (scans.folder / "扫描.pdf").write_text("另一张图", encoding="utf-8")
    reader(scans).recognised.clear()
    scans.ingest()
    assert reader(scans).recognised == [1, 2, 3]
    assert len(pictures.stored(scans.library, scans.library.files()[0].id)) == 3


def test_a_vanished_file_does_not_end_the_round(scans: Desk) -> None:
    for event in scans.steps():
        if isinstance(event, FileFinished) and event.file.path == "扫描.pdf":
            Path(scans.folder / "扫描.pdf").unlink(missing_ok=True)
    assert scans.ingest().counts == {"indexed": 1}
