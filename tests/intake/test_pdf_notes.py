from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from engine.documents import Page
from engine.intake.boxes import rects
from tests.intake.pdf_files import missing_of, pages_of, picture_page, save, write


def field(page: Any, kind: int, name: str, box: tuple[float, ...], value: Any, **more: Any) -> None:
    widget = pymupdf.Widget()
    widget.field_type, widget.field_name, widget.rect = kind, name, pymupdf.Rect(box)
    for key, setting in more.items():
        setattr(widget, key, setting)
    widget.field_value = value
    page.add_widget(widget)


def marked(page: Page, phrase: str) -> list[tuple[int, ...]]:
    assert page.boxes is not None
    assert page.size is not None
    start = page.text.index(phrase)
    return [tuple(map(round, area)) for area in rects(page.boxes, page.size, [(start, start + len(phrase))])]


def test_a_drawn_value_stands_beside_its_label_and_is_said_once(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 80, "姓名：")
    write(page, 60, 120, "部门：")
    field(page, pymupdf.PDF_WIDGET_TYPE_TEXT, "name", (120, 66, 300, 84), "Lin Xiaoman")
    field(page, pymupdf.PDF_WIDGET_TYPE_TEXT, "dept", (120, 106, 300, 124), "R&D Center")
    (read,) = pages_of(save(document, tmp_path / "表.pdf"))
    assert read.text.split("\n") == ["姓名： Lin Xiaoman", "部门： R&D Center"]


def test_a_value_that_is_not_drawn_gets_a_line_with_its_label_marked_at_the_field(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 80, "姓名：")
    field(page, pymupdf.PDF_WIDGET_TYPE_TEXT, "name", (120, 66, 300, 84), "张三")
    for xref in range(1, document.xref_length()):
        if document.xref_get_key(xref, "Subtype")[1] == "/Widget":
            drawn = document.xref_get_key(xref, "AP/N")[1]
            document.update_stream(int(drawn.split()[0]), b" ")
    (read,) = pages_of(save(document, tmp_path / "表.pdf"))
    assert read.text == "姓名：\n\n姓名：张三"
    assert marked(read, "姓名：张三") == [(120, 66, 300, 84)]


def test_checked_boxes_are_named_and_others_are_not(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for row, (label, checked) in enumerate({"同意条款": True, "接收邮件": False}.items()):
        write(page, 90, 80 + row * 30, label)
        field(
            page, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, f"c{row}", (70, 70 + row * 30, 82, 82 + row * 30), checked
        )
    (read,) = pages_of(save(document, tmp_path / "勾.pdf"))
    assert read.text.split() == ["同意条款", "接收邮件", "☑", "同意条款"]


def test_a_choice_is_said_as_it_is_shown(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    kind = pymupdf.PDF_WIDGET_TYPE_LISTBOX
    field(page, kind, "City", (70, 70, 200, 120), "sh", choice_values=[("bj", "Beijing"), ("sh", "Shanghai")])
    (read,) = pages_of(save(document, tmp_path / "选.pdf"))
    assert read.text.split("\n")[-1] == "City: Shanghai"


@pytest.mark.parametrize("rotation", [0, 90])
def test_comments_come_after_the_text_with_their_author_and_place(
    make_pdf: Callable[..., Any], tmp_path: Path, rotation: int
) -> None:
    document = make_pdf()
    page = document.new_page(width=400, height=300)
    write(page, 60, 80, "试用期为三个月")
    square = page.add_rect_annot((50, 200, 150, 240))
    square.set_info(content="试用期延长至\n六个月", title="李四")
    square.update()
    lone = page.add_highlight_annot((60, 70, 100, 82))
    lone.update()
    page.set_rotation(rotation)
    (read,) = pages_of(save(document, tmp_path / "批.pdf"))
    assert read.text == "试用期为三个月\n\n批注（李四）：试用期延长至 六个月"
    expected = (60, 50, 100, 150) if rotation else (50, 200, 150, 240)
    (area,) = marked(read, "批注（李四）：试用期延长至 六个月")
    assert all(abs(here - there) <= 2 for here, there in zip(area, expected, strict=True))


def test_text_written_on_the_page_is_not_repeated_as_a_comment(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    page.add_freetext_annot((50, 200, 300, 230), "written on the page")
    (read,) = pages_of(save(document, tmp_path / "freetext.pdf"))
    assert read.text == "written on the page"


def test_comments_on_english_pages_are_named_in_english(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    page.insert_text((60, 80), "The contract ends in May.")
    note = page.add_text_annot((300, 100), "Ask the lawyer")
    note.set_info(title="Ann")
    note.update()
    (read,) = pages_of(save(document, tmp_path / "note.pdf"))
    assert read.text.split("\n")[-1] == "Comment (Ann): Ask the lawyer"


def test_hidden_comments_are_left_out(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 80, "正文")
    note = page.add_text_annot((300, 100), "看不见的批注")
    note.set_flags(pymupdf.PDF_ANNOT_IS_HIDDEN)
    (read,) = pages_of(save(document, tmp_path / "隐.pdf"))
    assert read.text == "正文"


def test_attached_files_are_named_on_the_first_page_and_where_they_are_pinned(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    for text in ("第一页", "第二页"):
        write(document.new_page(), 60, 80, text)
    document.embfile_add("清单", b"x", filename="附件清单.txt", ufilename="附件清单.txt")
    document[1].add_file_annot((300, 200), b"x", "报价单.xlsx", ufilename="报价单.xlsx")
    first, second = pages_of(save(document, tmp_path / "附.pdf"))
    assert first.text.split("\n")[-1] == "附件：附件清单.txt"
    assert second.text.split("\n")[-1] == "附件：报价单.xlsx"


def test_a_scan_with_a_comment_still_needs_ocr(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = picture_page(document)
    page.add_text_annot((100, 100), "看过")
    path = save(document, tmp_path / "扫.pdf")
    missing = missing_of(path)
    assert missing is not None
    assert (missing.unusable, missing.recognisable) == ((1,), (1,))
    assert "看过" in pages_of(path)[0].text


def test_what_was_filled_into_a_form_without_pages_is_read(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    document.new_page().insert_text((60, 80), "Please wait...")
    packet = document.get_new_xref()
    document.update_object(packet, "<<>>")
    form = "<form><Full_Name>张三</Full_Name><Empty/></form>"
    space = "xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'"
    data = f"<xfa:datasets {space}><xfa:data>{form}</xfa:data></xfa:datasets>"
    document.update_stream(packet, data.encode(), new=True)
    catalog = document.pdf_catalog()
    document.xref_set_key(catalog, "AcroForm", f"<</Fields[]/XFA[(datasets) {packet} 0 R]>>")
    document.xref_set_key(catalog, "NeedsRendering", "true")
    (page,) = pages_of(save(document, tmp_path / "xfa.pdf"))
    assert page.text.split("\n")[-1] == "Full Name: 张三"
