from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from engine.documents import Page, SourceDocument
from engine.intake import boxes
from engine.intake.boxes import unpack


def test_a_folder_of_good_and_bad_files(tmp_path: Path, reading: Any) -> None:
    files: dict[str, bytes] = {
        "好.md": "# 说明\n\n传真号为8800。".encode(),
        "好.txt": "传真号为8811。".encode("gbk"),
        "好.html": "<p>传真号为8822。</p>".encode(),
        "旧版.docx": bytes.fromhex("D0CF11E0A1B11AE1") + b"\0" * 600,
        "空.pdf": b"",
        "坏.pdf": "其实是文字".encode(),
        "断.docx": b"PK\x03\x04rest",
        "表.xlsx": b"PK\x03\x04rest",
        "空白.txt": " \u3000\u200b\n\t\ufeff".encode(),
        "乱码.txt": bytes(range(256)) * 20,
    }
    expected = {
        "好.md": ("indexed", None),
        "好.txt": ("indexed", None),
        "好.html": ("indexed", None),
        "空.pdf": ("empty", "zero_bytes"),
        "坏.pdf": ("damaged", "wrong_suffix"),
        "断.docx": ("damaged", "damaged_archive"),
        "表.xlsx": ("damaged", "damaged_archive"),
        "空白.txt": ("empty", "no_text"),
        "乱码.txt": ("damaged", "not_text"),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for order in (sorted(files), sorted(files, reverse=True)):
        results = {name: reading(tmp_path / name) for name in order}
        # Without LibreOffice it is unsupported, with it a file that cannot be converted.
        assert results["旧版.docx"].state in ("unsupported", "damaged")
        assert {name: (results[name].state, results[name].reason) for name in expected} == expected
        assert all(bool(r.chunks) == (r.state == "indexed") for r in results.values())


def test_line_separators_leave_one_line_each(tmp_path: Path, reading: Any) -> None:
    (tmp_path / "行.txt").write_bytes("第一行\u2028第二行\x0c第三\x85行\x1e末\0行".encode())
    result = reading(tmp_path / "行.txt")
    assert result.text == "第一行\n第二行\n第三\n行\n末行"
    assert result.text.splitlines() == result.text.split("\n")


def test_the_encoding_is_told(tmp_path: Path, reading: Any) -> None:
    (tmp_path / "a.txt").write_bytes("公司实行弹性工作制，核心工作时间。".encode("gbk"))
    assert reading(tmp_path / "a.txt").done.document.encoding == "gb18030"


def test_a_loader_that_breaks_costs_its_file_only(
    tmp_path: Path, reading: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: Path) -> Any:
        raise ZeroDivisionError("库里的错误")
        yield

    monkeypatch.setattr("engine.intake.loaders.text.read", broken)
    (tmp_path / "a.txt").write_text("文字", encoding="utf-8")
    result = reading(tmp_path / "a.txt")
    assert (result.state, result.reason) == ("damaged", "loader_failed")
    assert result.done.reason.params == {"detail": "ZeroDivisionError"}


def test_what_vanished_or_is_no_file_is_unreadable(tmp_path: Path, reading: Any) -> None:
    assert (reading(tmp_path / "没有.md").state, reading(tmp_path / "没有.md").reason) == (
        "unreadable",
        "vanished",
    )
    (tmp_path / "夹.md").mkdir()
    assert reading(tmp_path / "夹.md").reason == "not_a_file"


def test_chunks_of_a_pdf_lead_to_their_glyphs(tmp_path: Path, reading: Any) -> None:
    document = pymupdf.open()
    for number in range(1, 4):
        page = document.new_page(width=400, height=400)
        for row in range(12):
            page.insert_text(
                (40, 60 + 24 * row), f"第{number}页第{row}行的文字在这里", fontname="china-s", fontsize=11
            )
        page.insert_text((190, 380), f"- {number} -", fontsize=9)
    document.save(tmp_path / "手册.pdf")
    document.close()
    result = reading(tmp_path / "手册.pdf", chunk_size=120, chunk_overlap=20)
    assert result.state == "indexed"
    assert [dropped.text for dropped in result.done.dropped] == ["- 1 -", "- 2 -", "- 3 -"]
    pages = {page.number: page for page in result.pages}
    for chunk in result.chunks:
        shown = "".join(pages[s.page].text[s.start : s.end] for s in chunk.spans)
        assert "".join(shown.split()) == "".join(chunk.text.split())
        for span in chunk.spans:
            page = pages[span.page]
            glyphs = unpack(page.boxes, page.size)
            assert len(glyphs) == len(page.text)
            for at in range(span.start, span.end):
                assert page.text[at].isspace() or glyphs[at][3] > 0


def test_a_partial_file_names_its_missing_pages(tmp_path: Path, reading: Any) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((40, 60), "第一页有文字", fontname="china-s")
    page = document.new_page()
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20))
    pixmap.clear_with(200)
    page.insert_image(page.rect, pixmap=pixmap)
    document.save(tmp_path / "混.pdf")
    document.close()
    result = reading(tmp_path / "混.pdf")
    assert (result.state, result.done.missing_pages, len(result.pages)) == ("partial", (2,), 2)
    assert result.done.reason.params == {"missing": 1, "pages": 2}


def test_a_comment_on_a_scan_stays_beside_what_ocr_read(
    make_pdf: Callable[..., Any], tmp_path: Path, reading: Any
) -> None:
    """A reviewed scan: the picture is read by OCR, the comment by the loader; each is marked at its place."""
    document = make_pdf()
    page = document.new_page(width=300, height=200)
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 40))
    pixels.clear_with(200)
    page.insert_image(page.rect, pixmap=pixels)
    page.add_text_annot((40, 150), "金额需要复核")
    path = tmp_path / "扫描.pdf"
    document.save(path)
    text = "合同总价为三十万元。"
    places = boxes.pack([(10.0 + 12 * i, 20, 22 + 12 * i, 34) for i in range(len(text))], (300, 200))
    seen = Page(1, text, from_ocr=True, size=(300.0, 200.0), boxes=places)
    assert reading(path).state == "needs_ocr"
    first = reading(path, recognised=(seen,))
    assert (first.state, first.done.from_ocr) == ("indexed", (1,))
    assert text in first.text
    assert "金额需要复核" in first.text
    stored = first.pages[0]
    assert stored.boxes is not None
    at = stored.text.index("金额")
    (rect,) = boxes.rects(stored.boxes, (300.0, 200.0), [(at, at + 6)])
    assert rect[1] > 100, "where the comment stands, not where the picture's text does"
    # What was stored comes back with the next reading; the comment is not added twice.
    again = reading(path, recognised=(stored,))
    assert again.pages[0].text == stored.text


@pytest.mark.parametrize(
    "items",
    [
        (SourceDocument("text", "半\ud83d"), Page(1, "正文")),
        (SourceDocument("text", "题", metadata={"n": 16**4000}), Page(1, "正文")),
        (SourceDocument("text", "题"), Page(1, "半\udc00个字")),
        (SourceDocument("text", "题"), Page(1, "正文", label="\ud800")),
        (SourceDocument("text", "题"), Page(1, "正文", location={"sheet": "\ud800"})),
    ],
)
def test_what_cannot_be_stored_costs_its_file_only(
    tmp_path: Path, reading: Any, monkeypatch: pytest.MonkeyPatch, items: tuple[Any, ...]
) -> None:
    """SQLite would refuse it in the parent process, in the middle of everybody's import."""
    monkeypatch.setattr("engine.intake.reading.load", lambda *_: iter(items))
    result = reading(tmp_path / "a.txt")
    assert (result.state, result.reason) == ("damaged", "loader_failed")
