"""The stored text of a document for readers: whole, with its headings, and searched as people see it."""

from pathlib import Path

import pymupdf
import pytest

from engine.commands import FindInDocument, LocatePassage, ReadPages
from engine.documents import Page, RecognisedLine
from engine.errors import LibraryUnknown
from engine.index.library import Library
from engine.intake import boxes
from engine.reader.document_text import find, read
from engine.reader.finding import spans_of
from engine.reader.passages import locate
from tests.builders import add_pages, memory_library
from tests.desk import Desk
from tests.fakes import FakeEmbedder

RULE = "员工不得擅自复制、导出核心数据，违者按本制度第九条处理。部门负责人每季度检查一次。"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def narrow_pdf(path: Path) -> Path:
    """Sentences in a box of 128 points, so that they run over several lines (B54)."""
    document = pymupdf.open()
    page = document.new_page(width=300, height=400)
    font = pymupdf.Font("china-s")
    writer = pymupdf.TextWriter(page.rect)
    writer.fill_textbox(pymupdf.Rect(60, 60, 188, 380), RULE, font=font, fontsize=12)
    writer.write_text(page)
    document.save(path)
    document.close()
    return path


def row_of(desk: Desk, words: str) -> int:
    return desk.found(words)[0].row


def test_a_phrase_over_two_lines_is_marked_and_found_on_both(desk: Desk) -> None:
    narrow_pdf(desk.folder / "制度.pdf")
    desk.ingest()
    row = row_of(desk, "擅自复制")
    (page,) = locate(LocatePassage(1, "库", row), desk.library).pages
    assert len({rect[1] for rect in page.rects}) >= 3
    phrase = "擅自复制、导出核心数据"
    (place,) = find(FindInDocument(2, "库", row, phrase), desk.library).occurrences
    assert place.page == 1 and "\n" in page.text[place.start : place.end]
    assert len(place.rects) == 2 and place.rects[0][3] <= place.rects[1][3]
    cited = ((1, place.start, place.end),)
    (page,) = locate(LocatePassage(3, "库", row, cited), desk.library).pages
    assert page.rects == place.rects
    assert set(page.passage_spans) and len(page.passage_rects) > len(page.rects)


def test_a_quote_that_is_nowhere_leaves_the_page_without_marks(desk: Desk) -> None:
    narrow_pdf(desk.folder / "制度.pdf")
    desk.ingest()
    row = row_of(desk, "擅自复制")
    assert find(FindInDocument(1, "库", row, "没有这句话"), desk.library).occurrences == ()
    (page,) = locate(LocatePassage(2, "库", row, ((1, 9000, 9010),)), desk.library).pages
    assert page.rects == () and page.passage_rects


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("核心数据", "导出核心\n数据", ["核心\n数据"]),
        ("abc", "ABC ａｂｃ a b\nc", ["ABC", "ａｂｃ", "a b\nc"]),
        ("information", "infor-\nmation", ["infor-\nmation"]),
        ("１２", "第12条", ["12"]),
        ("a.c", "abc a.c", ["a.c"]),
        ("  ", "空 白", []),
        ("没有", "有", []),
    ],
)
def test_words_are_found_whatever_their_width_case_and_line_breaks(
    words: str, text: str, found: list[str]
) -> None:
    assert [text[start:end] for start, end in spans_of(words, text)] == found


def scanned_library() -> Library:
    """One page that OCR has read: a box of 10 points for each character."""
    text = "扫描件里的金额"
    places = [(20 + 10 * n, 50, 30 + 10 * n, 60) for n in range(len(text))]
    page = Page(
        1, text, from_ocr=True, size=(200, 100), boxes=boxes.pack(places, (200, 100)),
        recognised=(RecognisedLine(0, len(text), 0.9),),
    )  # fmt: skip
    library = Library(None, dimension=FakeEmbedder().dimension)
    library.set_meta("name", "库")
    add_pages(library, "扫描.pdf", [page], FakeEmbedder())
    return library


def test_words_of_a_scanned_page_are_found_where_they_stand() -> None:
    library = scanned_library()
    (place,) = find(FindInDocument(1, "库", 1, "金额"), library).occurrences
    assert place.rects[0] == pytest.approx((70, 50, 90, 60), abs=0.1)
    assert locate(LocatePassage(2, "库", 1), library).from_ocr == (1,)
    (page,) = read(ReadPages(3, "库", 1), library).pages
    assert page.from_ocr and page.boxes is not None


def test_headings_are_the_lines_that_chunks_stand_under(desk: Desk) -> None:
    desk.write("手册.md", "# 手册\n\n总则。\n\n## 年假\n\n年假十天。\n\n## 病假\n\n年假\n\n病假凭证明。\n")
    desk.ingest()
    (page,) = read(ReadPages(1, "库", row_of(desk, "年假十天")), desk.library).pages
    assert [(each.level, each.text, page.text[each.offset :][:2]) for each in page.headings] == [
        (1, "手册", "手册"),
        (2, "年假", "年假"),
        (2, "病假", "病假"),
    ]


def test_pages_are_read_all_or_by_number() -> None:
    library = memory_library({})
    pages = [Page(number, f"第{number}页") for number in range(1, 5)]
    add_pages(library, "长.pdf", pages, FakeEmbedder())
    assert [page.number for page in read(ReadPages(1, "制度", 1), library).pages] == [1, 2, 3, 4]
    assert [page.text for page in read(ReadPages(1, "制度", 1, (3,)), library).pages] == ["第3页"]


def test_a_chunk_that_is_gone_is_said_to_be_unknown() -> None:
    library = memory_library({"甲": "文字"})
    for command, look in ((ReadPages(1, "制度", 99), read), (FindInDocument(1, "制度", 99, "文"), find)):
        with pytest.raises(LibraryUnknown):
            look(command, library)  # type: ignore[operator]


def test_very_many_places_are_cut_and_said_to_be() -> None:
    library = memory_library({"甲": "的" * 3000})
    found = find(FindInDocument(1, "制度", 1, "的"), library)
    assert found.is_cut and len(found.occurrences) == 2000
