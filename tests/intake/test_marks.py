"""The rectangles of a chunk cover exactly its characters, whatever cleaning left out."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.answer.grounding.citations import locate
from engine.documents import Chunk, Page, SourceDocument, Table
from engine.intake import flow
from engine.intake.boxes import Rect, pack, rects, unpack
from engine.intake.chunking.profiles import Profile
from engine.intake.chunking.tokens import embedder_tokens
from engine.intake.flow import Flow

SIZE = (420.0, 595.0)
STAMP = "内部资料请勿外传"
HAN = "公司员工年假可以顺延至次年三月因工作需要未能休满的由部门主管书面批准"


def glyphs(text: str, x: float, y: float, size: float) -> list[Rect]:
    """One box a character, a little apart; none for blanks and for what stands between cells."""
    found: list[Rect] = []
    for char in text:
        width = size if ord(char) > 0x2E80 else size / 2
        found.append((0, 0, 0, 0) if char in " |" else (x, y, x + width - 0.4, y + size))
        x += width
    return found


class Sheet:
    """Builds a page line by line."""

    def __init__(self) -> None:
        self.text = ""
        self.boxes: list[Rect] = []
        self.tables: list[Table] = []

    def put(self, text: str, x: float, y: float, size: float = 10) -> None:
        if self.text:
            self.text += "\n"
            self.boxes.append((0, 0, 0, 0))
        self.text += text
        self.boxes += glyphs(text, x, y, size)

    def page(self, number: int) -> Page:
        packed = pack(self.boxes, SIZE) if self.boxes else None
        return Page(number, self.text, size=SIZE, boxes=packed, tables=tuple(self.tables))


@st.composite
def pages(draw: Any) -> list[Page]:
    """Pages with headers, footers, numbers, stamps, columns, wrapped paragraphs, hyphens and tables."""
    running = draw(st.booleans())
    stamped = draw(st.booleans())
    result = []
    for number in range(1, draw(st.integers(1, 9)) + 1):
        sheet = Sheet()
        if running:
            sheet.put(f"星桥科技员工手册 {number}" if draw(st.booleans()) else "星桥科技员工手册", 40, 20, 8)
        y = 60.0
        for at in range(draw(st.integers(0, 4))):
            if stamped and at == 1:
                sheet.put(STAMP, 220, 480, 14)
            kind = draw(st.sampled_from(["prose", "latin", "table", "items", "spaced", "title"]))
            y = _block(draw, sheet, kind, y, stamped=stamped) + draw(st.sampled_from([0, 14]))
        if stamped:
            sheet.put(STAMP, 120, 510, 14)
            sheet.put(STAMP, 200, 530, 14)
        if running:
            sheet.put("版权所有 不得复制", 40, 560, 8)
            sheet.put(f"第 {number} 页", 200, 575, 8)
        result.append(sheet.page(number))
    return result


def _block(draw: Any, sheet: Sheet, kind: str, y: float, *, stamped: bool) -> float:
    if kind == "table":
        start = len(sheet.text) + (1 if sheet.text else 0)
        sheet.put("编号 | 姓名", 40, y)
        header_end = len(sheet.text) + 1
        for row in range(draw(st.integers(1, 6))):
            y += 14
            sheet.put(f"{row} | 员工{HAN[row]}", 40, y)
        sheet.tables.append(Table(start, header_end, len(sheet.text)))
        return y + 14
    lines = {
        "prose": [HAN[i:] + HAN[:i] for i in range(draw(st.integers(1, 5)))] + ["其余事项另行通知。"],
        "latin": ["The quick brown fox jumps over the lazy dog and then walks", "to the sta-", "tion now."],
        "items": ["一、第一项的说明", "二、第二项的说明"],
        "spaced": ["目　录", "关 于 红 军 作 战 的 原 则"],
        "title": [f"第{draw(st.sampled_from('一二三'))}章 总则"],
    }[kind]
    for at, line in enumerate(lines):
        tail = f" {STAMP}" if stamped and kind == "items" and at == 0 else ""
        sheet.put(line + tail, 40, y)
        y += 14
    return y


def drawn(text: str) -> str:
    """The characters that a reader sees, apart from hyphens at line ends, which cleaning takes away."""
    return "".join(char for char in text if not char.isspace() and char not in "-|\u3000")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages(), st.sampled_from([32, 60, 200]), st.integers(1, 4))
def test_rectangles_hold_the_chunks_characters_and_no_others(
    document: list[Page], size: int, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow, "BLOCK_PAGES", block)
        passing = Flow(SourceDocument("pdf", "手册"), "h" * 64, embedder_tokens(), Profile(size, size // 4))
        chunks = [chunk for page in document for chunk in passing.add(page)] + list(passing.finish())
    by_number = {page.number: page for page in document}
    for chunk in chunks:
        assert chunk.tokens == embedder_tokens().count(chunk.prefix + chunk.text) + 2 <= size
        shown = "".join(by_number[span.page].text[span.start : span.end] for span in chunk.spans)
        assert drawn(shown) == drawn(chunk.text)
        _check_rectangles(chunk, by_number)
        assert sum(end - start for _, start, end in _located(chunk, by_number)) >= len(drawn(chunk.text))
    for dropped in passing.dropped:
        assert by_number[dropped.span.page].text[dropped.span.start : dropped.span.end] == dropped.text
    _check_nothing_is_lost(document, chunks, passing)


def _located(chunk: Chunk, pages: dict[int, Page]) -> Sequence[tuple[int, int, int]]:
    spans = locate(chunk.text, chunk.spans, pages, 0, len(chunk.text))
    return [(span.page, span.start, span.end) for span in spans]


def _check_rectangles(chunk: Chunk, pages: dict[int, Page]) -> None:
    for number in {span.page for span in chunk.spans}:
        page = pages[number]
        assert page.boxes is not None
        spans = [(span.start, span.end) for span in chunk.spans if span.page == number]
        marks = rects(page.boxes, SIZE, spans)
        inside = {at for start, end in spans for at in range(start, end)}
        for at, (x0, y0, x1, y1) in enumerate(unpack(page.boxes, SIZE)):
            if not y1 or page.text[at].isspace():
                continue
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            is_marked = any(mark[0] <= x <= mark[2] and mark[1] <= y <= mark[3] for mark in marks)
            assert is_marked == (at in inside), (page.text[at], at)


def _check_nothing_is_lost(document: list[Page], chunks: list[Chunk], passing: Flow) -> None:
    """Every character of a page is in a chunk or was dropped with a reason."""
    held = {(span.page, at) for chunk in chunks for span in chunk.spans for at in range(span.start, span.end)}
    held |= {(part.span.page, at) for part in passing.dropped for at in range(part.span.start, part.span.end)}
    for page in document:
        for at, char in enumerate(page.text):
            assert not drawn(char) or (page.number, at) in held, (page.number, at, char)
