import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from engine.documents import Page
from engine.intake.loaders import LoadFailed, load
from tests.intake.pdf_files import RED, check_marks, missing_of, pages_of, picture_page, save, write


def test_text_boxes_size_and_number(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    write(document.new_page(width=400, height=300), 50, 60, "第一章 总则")
    write(document.new_page(width=300, height=400), 50, 60, "第二章 考勤")
    first, second = pages_of(save(document, tmp_path / "手册.pdf"))
    assert (first.number, first.text, first.size) == (1, "第一章 总则", (400, 300))
    assert (second.number, second.text, second.size) == (2, "第二章 考勤", (300, 400))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("cropped", [False, True])
def test_marks_hold_exactly_the_phrase(
    make_pdf: Callable[..., Any], tmp_path: Path, rotation: int, cropped: bool
) -> None:
    document = make_pdf()
    page = document.new_page(width=500, height=400)
    write(page, 100, 120, "核心工作时间为上午十时")
    write(page, 100, 150, "每月迟到")
    write(page, 148, 150, "累计超过三次", RED)
    write(page, 220, 150, "的扣发奖金")
    write(page, 100, 180, "研发中心的服务器")
    if cropped:
        page.set_cropbox(pymupdf.Rect(60, 80, 420, 330))
    page.set_rotation(rotation)
    path = save(document, tmp_path / "转.pdf")
    assert len(check_marks(path, "累计超过三次")) == 1


def test_a_phrase_that_occurs_twice_is_marked_where_it_was_read(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page(width=400, height=300)
    write(page, 50, 60, "审批额度为五万元")
    write(page, 50, 90, "其他部门")
    write(page, 98, 90, "审批额度为五万元", RED)
    path = save(document, tmp_path / "两次.pdf")
    check_marks(path, "审批额度为五万元", occurrence=1)


def test_a_phrase_over_a_line_break_is_marked_on_both_lines(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page(width=400, height=300)
    write(page, 50, 60, "任何人不得")
    write(page, 110, 60, "擅自复制、", RED)
    write(page, 50, 80, "导出核心数据", RED)
    write(page, 122, 80, "，违者处分")
    path = save(document, tmp_path / "断行.pdf")
    assert len(check_marks(path, "擅自复制、导出核心数据")) == 2


def two_columns(page: Any, color: tuple[float, ...] = (0.0, 0.0, 0.0)) -> tuple[str, str]:
    left = [
        "本手册适用于星桥科技有限公司",
        "全体正式员工，自九月一日起施",
        "行，由人力资源部负责解释本办",
        "法的各项条款和附件。",
    ]
    right = [
        "办公电脑须启用全盘加密，口令",
        "长度不少于十二位，每九十天更",
        "换一次；客户数据不得存放于个",
        "人网盘或私人设备上。",
    ]
    write(page, 150, 50, "双栏排版测试员工手册摘要", size=16)
    for row, (one, two) in enumerate(zip(left, right, strict=True)):
        write(page, 50, 90 + row * 18, one)
        write(page, 290, 90 + row * 18, two, color)
    return "".join(left), "".join(right)


def test_columns_are_read_one_after_the_other_below_the_title(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    left, right = two_columns(document.new_page(width=520, height=300), RED)
    path = save(document, tmp_path / "双栏.pdf")
    (page,) = pages_of(path)
    assert page.text.replace("\n", "") == "双栏排版测试员工手册摘要" + left + right
    assert len(check_marks(path, right)) == 4


def test_text_drawn_twice_counts_once(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 80, "年度报告 aa 一一", size=18)
    write(page, 60.3, 80, "年度报告 aa 一一", size=18)
    (page,) = pages_of(save(document, tmp_path / "粗.pdf"))
    assert page.text == "年度报告 aa 一一"


def test_header_and_footer_drawn_last_stand_outside_the_text(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 120, "正文的第一行")
    write(page, 60, 780, "第1页")
    write(page, 60, 40, "页眉")
    (page,) = pages_of(save(document, tmp_path / "眉.pdf"))
    assert page.text.split() == ["页眉", "正文的第一行", "第1页"]


def test_printed_labels_are_kept_beside_sheet_numbers(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    for number in range(6):
        write(document.new_page(), 60, 80, f"事实{number}")
    document.set_page_labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 2, "style": "D", "firstpagenum": 1}]
    )
    pages = pages_of(save(document, tmp_path / "标签.pdf"))
    assert [(page.number, page.label) for page in pages] == [
        (1, "i"), (2, "ii"), (3, "1"), (4, "2"), (5, "3"), (6, "4"),
    ]  # fmt: skip


def test_bookmarks_become_headings(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 80, "前言部分")
    write(page, 60, 120, "第一章 总则")
    document.set_toc([[1, "第一章  总则", 1], [1, "不在页上", 1]])
    (page,) = pages_of(save(document, tmp_path / "书签.pdf"))
    assert [(heading.text, heading.level) for heading in page.headings] == [("第一章 总则", 1)]
    assert page.text[page.headings[0].offset :].startswith("第一章 总则")


@pytest.mark.parametrize("stamp", ["", "内部资料 请勿外传"])
def test_scans_are_named_also_with_a_watermark(
    make_pdf: Callable[..., Any], tmp_path: Path, stamp: str
) -> None:
    document = make_pdf()
    for _ in range(3):
        page = picture_page(document)
        if stamp:
            write(page, 20, 100, stamp)
    missing = missing_of(save(document, tmp_path / "扫描.pdf"))
    assert missing is not None
    assert missing.recognisable == (1, 2, 3)
    assert missing.alone is not None
    state, reason = missing.alone
    assert (state, reason.code) == ("needs_ocr", "scanned")


def test_a_scanned_page_among_text_pages_is_missing(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    write(document.new_page(), 60, 80, "第一页的文字")
    picture_page(document)
    document.new_page()
    missing = missing_of(save(document, tmp_path / "混.pdf"))
    assert missing is not None
    assert (missing.pages, missing.reason.code) == ((2,), "pages_scanned")


def test_a_font_without_unicode_values_is_noticed(tmp_path: Path, make_pdf: Callable[..., Any]) -> None:
    document = make_pdf()
    page = document.new_page()
    page.insert_text((60, 80), "数据安全管理办法", fontname="f0", fontfile=_cjk_font(), fontsize=12)
    for xref in range(1, document.xref_length()):
        if document.xref_get_key(xref, "ToUnicode")[0] != "null":
            document.xref_set_key(xref, "ToUnicode", "null")
    missing = missing_of(save(document, tmp_path / "无映射.pdf"))
    assert missing is not None
    assert missing.alone is not None
    assert (missing.alone[0], missing.unusable) == ("unmapped_text", (1,))


def _cjk_font() -> str:
    path = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
    if not path.exists():
        pytest.skip("fonts-noto-cjk is not installed")
    return str(path)


def test_a_broken_file_says_nothing_on_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "坏.pdf"
    path.write_bytes(b"%PDF-1.7\n" + b"\x9c garbage" * 500)
    with pytest.raises(LoadFailed) as caught:
        pages_of(path)
    assert caught.value.state == "damaged"
    assert capfd.readouterr() == ("", "")


def test_text_outside_the_crop_box_is_not_read(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page(width=400, height=400)
    write(page, 120, 200, "看得见的")
    write(page, 120, 390, "裁掉的")
    page.set_cropbox(pymupdf.Rect(100, 100, 300, 300))
    (page,) = pages_of(save(document, tmp_path / "裁.pdf"))
    assert page.text == "看得见的"


def test_a_picture_that_says_more_than_the_line_above_it_is_a_scan(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    for name, side in {"图.pdf": 120, "徽标.pdf": 20}.items():
        document = make_pdf()
        page = document.new_page(width=400, height=400)
        write(page, 40, 60, "我是文字")
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20))
        pixmap.clear_with(200)
        page.insert_image((40, 100, 40 + side, 100 + side), pixmap=pixmap)
        save(document, tmp_path / name)
    assert missing_of(tmp_path / "图.pdf") is not None
    assert missing_of(tmp_path / "徽标.pdf") is None


def test_a_scan_in_strips_is_a_scan(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    write(document.new_page(), 60, 80, "第一页的文字")
    page = document.new_page(width=200, height=200)
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 2))
    pixmap.clear_with(200)
    for top in range(0, 200, 10):
        page.insert_image((0, top, 200, top + 10), pixmap=pixmap, keep_proportion=False)
    missing = missing_of(save(document, tmp_path / "条.pdf"))
    assert missing is not None
    assert missing.pages == (2,)


def test_line_numbers_stand_apart_from_the_text(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for number in range(1, 13):
        write(page, 40, 60 + number * 24, str(number))
    for number in range(1, 13):
        write(page, 80, 60 + number * 24, f"笔录的第{number}行，证人陈述当日的经过")
    (page,) = pages_of(save(document, tmp_path / "笔录.pdf"))
    lines = page.text.split("\n")
    assert lines[0] == "笔录的第1行，证人陈述当日的经过"
    assert lines[-1] == "1 2 3 4 5 6 7 8 9 10 11 12"


def test_footnotes_come_after_the_body_of_their_column(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page(width=520, height=400)
    write(page, 50, 320, "1 左栏的脚注说明文字内容", size=9)
    write(page, 290, 320, "2 右栏的脚注说明文字内容", size=9)
    for row in range(8):
        write(page, 50, 60 + row * 18, f"左栏正文第{row}行的内容文字说明")
        write(page, 290, 60 + row * 18, f"右栏正文第{row}行的内容文字说明")
    (read,) = pages_of(save(document, tmp_path / "脚注.pdf"))
    order = [read.text.index(part) for part in ("左栏正文第7", "1 左栏的脚注", "右栏正文第0", "2 右栏的脚注")]
    assert order == sorted(order)


def test_glyph_numbers_taken_for_latin_letters_are_moved_back(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    text = "The rules of this handbook apply to all staff and are read in the order of the list"
    document = make_pdf()
    document.new_page().insert_text(
        (40, 80), "".join(chr(ord(char) - 29) if char != " " else " " for char in text)
    )
    (page,) = pages_of(save(document, tmp_path / "移位.pdf"))
    assert page.text == text


def test_a_page_whose_drawing_breaks_off_is_named_and_the_others_are_read(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    for number in range(3):
        document.new_page().insert_text((50, 80), f"page {number} " + "text that is packed " * 20)
    data = bytearray(document.tobytes(deflate=True))
    with pymupdf.open("pdf", bytes(data)) as packed:
        raw = packed.xref_stream_raw(packed[1].get_contents()[-1])
    at = data.find(raw)
    data[at : at + 20] = bytes(20)
    path = tmp_path / "半坏.pdf"
    path.write_bytes(data)
    missing = missing_of(path)
    assert missing is not None
    assert (missing.pages, missing.reason.code) == ((2,), "pages_damaged")
    assert [page.text[:6] for page in pages_of(path)] == ["page 0", "", "page 2"]


def test_pages_are_not_kept_while_reading(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    for number in range(50):
        write(document.new_page(), 60, 80, f"第{number}页")
    path = save(document, tmp_path / "长.pdf")
    most = 0
    for _ in load(path):
        most = max(most, sum(isinstance(thing, Page) for thing in gc.get_objects()))
    assert most <= 2


def test_a_scanned_page_with_a_number_on_it_is_still_a_scan(
    make_pdf: Callable[..., Any], tmp_path: Path, reading: Any
) -> None:
    """Some scanners print a page number or a name onto the picture: that is not the page's text."""
    document = make_pdf()
    write(document.new_page(), 40, 60, "本合同由双方于二〇二四年三月一日签订，一式两份。")
    write(picture_page(document), 20, 100, "第2页")
    path = save(document, tmp_path / "合同.pdf")
    result = reading(path)
    assert (result.state, result.done.missing_pages, result.done.recognisable) == ("partial", (2,), (2,))
