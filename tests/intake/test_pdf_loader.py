from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from engine.documents import Page
from engine.intake.boxes import Rect, rects
from engine.intake.loaders import LoadFailed, Missing, load

RED = (1.0, 0.0, 0.0)


def write(
    page: Any, x: float, y: float, text: str, color: tuple[float, ...] = (0.0, 0.0, 0.0), **how: Any
) -> None:
    page.insert_text((x, y), text, fontname="china-s", fontsize=how.pop("size", 12), color=color, **how)


def save(document: Any, path: Path, **how: Any) -> Path:
    document.save(path, **how)
    document.close()
    return path


def pages_of(path: Path) -> list[Page]:
    return [item for item in load(path) if isinstance(item, Page)]


def ink(path: Path, index: int, zoom: int = 4) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Points of red ink and of other ink on the page as it is displayed."""
    with pymupdf.open(path) as document:
        pixmap = document[index].get_pixmap(matrix=pymupdf.Matrix(zoom, zoom))
    red, other = [], []
    samples, width = pixmap.samples, pixmap.width
    for at in range(0, len(samples), 3):
        r, g, b = samples[at], samples[at + 1], samples[at + 2]
        if g < 140:
            x, y = (at // 3) % width / zoom, (at // 3) // width / zoom
            (red if r > 180 and b < 140 else other).append((x, y))
    return red, other


def inside(point: tuple[float, float], areas: list[Rect], slack: float) -> bool:
    x, y = point
    return any(x0 - slack <= x <= x1 + slack and y0 - slack <= y <= y1 + slack for x0, y0, x1, y1 in areas)


def check_marks(path: Path, phrase: str, occurrence: int = 0, index: int = 0) -> list[Rect]:
    """The rectangles of ``phrase``, written in red, hold all of the red ink and no other."""
    page = pages_of(path)[index]
    flat = [at for at, char in enumerate(page.text) if not char.isspace()]
    squeezed = "".join(page.text[at] for at in flat)
    start = -1
    for _ in range(occurrence + 1):
        start = squeezed.index(phrase, start + 1)
    span = (flat[start], flat[start + len(phrase) - 1] + 1)
    assert page.boxes is not None
    assert page.size is not None
    areas = rects(page.boxes, page.size, [span])
    red, other = ink(path, index)
    assert red
    assert all(inside(point, areas, 0.5) for point in red)
    assert not any(inside(point, areas, -0.75) for point in other)
    return areas


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


def test_a_table_is_read_row_by_row(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for row, cells in enumerate([("编号", "名称", "数量"), ("A001", "齿轮", "15"), ("A002", "电机", "18")]):
        for column, cell in enumerate(cells):
            write(page, 60 + column * 120, 80 + row * 20, cell)
    (page,) = pages_of(save(document, tmp_path / "表.pdf"))
    assert page.text == "编号 | 名称 | 数量\nA001 | 齿轮 | 15\nA002 | 电机 | 18"


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


def picture_page(document: Any) -> Any:
    page = document.new_page(width=200, height=200)
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20))
    pixmap.clear_with(200)
    page.insert_image(page.rect, pixmap=pixmap)
    return page


@pytest.mark.parametrize("stamp", ["", "内部资料 请勿外传"])
def test_scans_are_named_also_with_a_watermark(
    make_pdf: Callable[..., Any], tmp_path: Path, stamp: str
) -> None:
    document = make_pdf()
    for _ in range(3):
        page = picture_page(document)
        if stamp:
            write(page, 20, 100, stamp)
    with pytest.raises(LoadFailed) as caught:
        pages_of(save(document, tmp_path / "扫描.pdf"))
    assert (caught.value.state, caught.value.reason.code) == ("needs_ocr", "scanned")


def test_a_scanned_page_among_text_pages_is_missing(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    write(document.new_page(), 60, 80, "第一页的文字")
    picture_page(document)
    document.new_page()
    *_, missing = load(save(document, tmp_path / "混.pdf"))
    assert isinstance(missing, Missing)
    assert (missing.pages, missing.reason.code) == ((2,), "pages_scanned")


def test_a_font_without_unicode_values_is_noticed(tmp_path: Path, make_pdf: Callable[..., Any]) -> None:
    document = make_pdf()
    page = document.new_page()
    page.insert_text((60, 80), "数据安全管理办法", fontname="f0", fontfile=_cjk_font(), fontsize=12)
    for xref in range(1, document.xref_length()):
        if document.xref_get_key(xref, "ToUnicode")[0] != "null":
            document.xref_set_key(xref, "ToUnicode", "null")
    with pytest.raises(LoadFailed) as caught:
        pages_of(save(document, tmp_path / "无映射.pdf"))
    assert caught.value.state == "unmapped_text"


def _cjk_font() -> str:
    path = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
    if not path.exists():
        pytest.skip("fonts-noto-cjk is not installed")
    return str(path)


def test_a_user_password_is_asked_for_and_an_owner_password_is_not(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    aes = pymupdf.PDF_ENCRYPT_AES_256
    for name, how in {
        "用户.pdf": {"user_pw": "密码", "owner_pw": "o"},
        "所有者.pdf": {"owner_pw": "o"},
    }.items():
        document = make_pdf()
        write(document.new_page(), 60, 80, "受保护的文字")
        save(document, tmp_path / name, encryption=aes, permissions=0, **how)
    with pytest.raises(LoadFailed) as caught:
        pages_of(tmp_path / "用户.pdf")
    assert caught.value.state == "needs_password"
    assert pages_of(tmp_path / "所有者.pdf")[0].text == "受保护的文字"


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
