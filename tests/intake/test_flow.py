"""Pages that stream through cleaning and chunking give what the whole document gives."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from engine.config import Settings
from engine.documents import Chunk, FileState, Heading, Page, Reason, SourceDocument
from engine.intake import flow, loaders, reading
from engine.intake.chunking.profiles import Profile
from engine.intake.chunking.tokens import embedder_tokens
from engine.intake.flow import Flow
from engine.intake.loaders import Missing
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile
from engine.normalise import normalise
from tests.intake.test_running_lines import Line, body, sheet

PDF = SourceDocument("pdf", "手册", title_from_name=True)


def book(pages: int, *, chapter: int = 7) -> list[Page]:
    made = []
    for n in range(1, pages + 1):
        opening: list[Line] = [(f"第{n // chapter + 1}章 总则", 90, 16)] if n % chapter == 1 else []
        lines = [("星桥科技有限公司员工手册", 30, 9), *opening, *body(n, first=120), (str(n), 580, 9)]
        made.append(sheet(n, lines))
    return made


def run(pages: list[Page], document: SourceDocument = PDF) -> tuple[list[Chunk], Flow]:
    passing = Flow(document, "h" * 64, embedder_tokens(), Profile(200, 30))
    chunks = [chunk for page in pages for chunk in passing.add(page)]
    return chunks + list(passing.finish()), passing


def test_blocks_give_the_same_chunks_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = book(60)
    whole, passed = run(pages)
    monkeypatch.setattr(flow, "BLOCK_PAGES", 5)
    pieces, streamed = run(pages)
    assert [chunk.ordinal for chunk in pieces] == list(range(len(pieces)))
    assert "".join("".join(c.text[c.overlap :].split()) for c in pieces) == "".join(
        "".join(c.text[c.overlap :].split()) for c in whole
    )
    assert {chunk.section for chunk in pieces} == {chunk.section for chunk in whole}
    assert streamed.dropped == passed.dropped
    assert len(streamed.dropped) == 60 + 59


def test_the_section_goes_on_in_the_next_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "BLOCK_PAGES", 4)
    chunks, _ = run(book(40, chapter=100))
    assert {chunk.section for chunk in chunks[1:]} == {
        ("第1章 总则",)
    }  # above it stands the header, kept once


def test_a_recognised_heading_does_not_replace_the_files_name() -> None:
    chunks, _ = run(book(3))
    assert chunks[-1].prefix == "手册 > 第1章 总则\n"


def test_a_loaders_headings_are_not_added_to() -> None:
    text = "前言\n第一章 总则\n正文。"
    page = Page(1, text, headings=(Heading(0, 1, "前言"),))
    assert {chunk.section for chunk in run([page])[0]} == {("前言",)}
    assert ("第一章 总则",) in {chunk.section for chunk in run([Page(1, text)])[0]}
    assert not any(chunk.section for chunk in run([Page(1, text)], SourceDocument("html", "页"))[0])


def test_chunks_come_while_pages_are_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Flow(PDF, "h" * 64, embedder_tokens(), Profile(200, 30))
    first = next(n for n, page in enumerate(book(200), 1) if list(passing.add(page)))
    assert first <= flow.BLOCK_PAGES + 20


def test_no_more_than_a_block_is_held() -> None:
    passing = Flow(PDF, "h" * 64, embedder_tokens(), Profile(200, 30))
    for page in book(300):
        list(passing.add(page))
        assert len(passing._held) <= flow._PATIENCE * flow.BLOCK_PAGES


def answers(monkeypatch: pytest.MonkeyPatch, items: Iterable[Any]) -> list[Any]:
    monkeypatch.setattr(reading, "load", lambda path, passwords: iter(items))
    return list(reading.answer(ReadFile(Path("a.pdf"), "ab" * 32), Settings()))


def test_pages_that_turn_out_to_be_stamps_end_without_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page(n, "内部资料") for n in range(1, 21)]
    alone = FileState.NEEDS_OCR, Reason("scanned", {"pages": 20})
    numbers = tuple(range(1, 21))
    messages = answers(monkeypatch, [PDF, *pages, Missing(numbers, alone[1], numbers, numbers, alone)])
    assert not [message for message in messages if isinstance(message, ChunksRead)]
    assert messages[-1].state == FileState.NEEDS_OCR
    assert {part.why for part in messages[-1].dropped} == {"unusable_text"}


def test_the_verdict_on_a_long_document_of_stamps_comes_last_and_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flow, "BLOCK_PAGES", 8)
    pages = [Page(n, "内部资料") for n in range(1, 101)]
    alone = FileState.NEEDS_OCR, Reason("scanned", {"pages": 100})
    numbers = tuple(range(1, 101))
    messages = answers(monkeypatch, [PDF, *pages, Missing(numbers, alone[1], numbers, numbers, alone)])
    assert messages[-1].state == FileState.NEEDS_OCR  # whatever chunks went out before: see ChunksRead


def test_a_page_says_itself_that_it_is_unusable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "BLOCK_PAGES", 4)
    pages = book(30)
    pages[2] = Page(3, "ᷮᯬᐇ乱", unusable=True)
    missing = Missing((3,), Reason("pages_unmapped", {"missing": 1, "pages": 30}), (3,))
    messages = answers(monkeypatch, [PDF, *pages, missing])
    chunks = [chunk for message in messages if isinstance(message, ChunksRead) for chunk in message.chunks]
    assert messages[-1].state == FileState.PARTIAL
    assert all("ᷮ" not in chunk.text for chunk in chunks)
    kinds = [type(message) for message in messages]
    assert kinds.index(ChunksRead) < len(kinds) - 1 - kinds[::-1].index(PageRead)
    assert kinds[-1] is ReadDone


def test_a_loader_that_breaks_off_ends_in_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    def items() -> Any:
        yield PDF
        yield from book(3)
        raise loaders.LoadFailed(FileState.DAMAGED, Reason("damaged"))

    messages = answers(monkeypatch, items())
    assert [type(message) for message in messages] == [PageRead] * 3 + [ReadDone]
    assert messages[-1].state == FileState.DAMAGED


def test_text_stays_as_printed_and_is_folded_for_search() -> None:
    printed = "⼈⼒资源部 ＡＢＣ公司 ﬁnal １２３。"
    (chunk,) = run([Page(1, printed)], SourceDocument("text", "文"))[0]
    assert chunk.text == printed
    assert normalise(chunk.text) == "人力资源部 abc公司 final 123。"
