from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.intake.loaders.pdf.headers import is_header
from engine.intake.loaders.pdf.rules import grids
from tests.intake.pdf_files import RED, check_marks, pages_of, save, tables_of, write

Cells = Sequence[Sequence[str]]


def ruled(page: Any, rows: Cells, *, width: float = 100, line: float = 16, red: str = "") -> None:
    """A table with all borders drawn; a line end in a cell wraps it, "" merges it with the one before."""
    x, tops = 60.0, [80.0]
    for row in rows:
        tops.append(tops[-1] + line * max(cell.count("\n") + 1 for cell in row) + 6)
    for row, (top, bottom) in zip(rows, pairwise(tops), strict=True):
        page.draw_line((x, top), (x + width * len(row), top))
        for column, cell in enumerate(row):
            left = x + column * width
            if cell or not column:
                page.draw_line((left, top), (left, bottom))
            for number, part in enumerate(cell.split("\n")):
                color = RED if red and part in red else (0.0, 0.0, 0.0)
                font = "helv" if part.isascii() else "china-s"
                at = (left + 4, top + 14 + line * number)
                page.insert_text(at, part, fontname=font, fontsize=11, color=color)
        page.draw_line((x + width * len(row), top), (x + width * len(row), bottom))
    page.draw_line((x, tops[-1]), (x + width * len(rows[0]), tops[-1]))


def test_an_aligned_table_is_read_row_by_row(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for row, cells in enumerate([("编号", "名称", "数量"), ("A001", "齿轮", "15"), ("A002", "电机", "18")]):
        for column, cell in enumerate(cells):
            write(page, 60 + column * 120, 80 + row * 20, cell)
    (page,) = pages_of(save(document, tmp_path / "表.pdf"))
    assert page.text == "编号 | 名称 | 数量\nA001 | 齿轮 | 15\nA002 | 电机 | 18"
    assert tables_of(page) == [("编号 | 名称 | 数量\n", "A001 | 齿轮 | 15\nA002 | 电机 | 18")]


def test_a_footer_far_below_is_no_row_of_the_last_table(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for row, cells in enumerate(
        [("事项", "时限"), ("申请", "提前两天"), ("补办", "三天以内"), ("付款", "五天")]
    ):
        for column, cell in enumerate(cells):
            write(page, 60 + column * 320, 80 + row * 20, cell)
    write(page, 60, 800, "差旅报销管理办法")
    write(page, 380, 800, "3 / 3")
    (page,) = pages_of(save(document, tmp_path / "表.pdf"))
    assert page.text.endswith("付款 | 五天\n\n差旅报销管理办法 3 / 3")


@pytest.mark.parametrize("rotation", [0, 90])
def test_a_wrapped_cell_stays_in_its_row_and_is_marked_on_its_lines(
    make_pdf: Callable[..., Any], tmp_path: Path, rotation: int
) -> None:
    document = make_pdf()
    page = document.new_page()
    write(page, 60, 60, "表一 评级情况")
    rows = [
        ("年份", "评级机构", "级别"),
        ("2023", "中诚信国际信\n用评级公司", "AA+"),
        ("2022", "联合资信评估\n有限公司", "AA"),
    ]
    ruled(page, rows, red="中诚信国际信用评级公司")
    write(page, 60, 300, "以上为历史评级。")
    page.set_rotation(rotation)
    path = save(document, tmp_path / "表.pdf")
    (read,) = pages_of(path)
    header = "年份 | 评级机构 | 级别\n"
    body = "2023 | 中诚信国际信用评级公司 | AA+\n2022 | 联合资信评估有限公司 | AA"
    assert [line for line in read.text.split("\n") if line] == [
        "表一 评级情况", *(header + body).split("\n"), "以上为历史评级。",
    ]  # fmt: skip
    assert read.text[read.tables[0].start : read.tables[0].end] == header + body
    assert len(check_marks(path, "中诚信国际信用评级公司")) == 2


def test_latin_cells_are_joined_with_a_blank(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    ruled(page, [("Case", "Response\nof the courts", "Year"), ("Cable", "No\nprotection", "12")])
    (read,) = pages_of(save(document, tmp_path / "t.pdf"))
    assert read.text == "Case | Response of the courts | Year\nCable | No protection | 12"


def test_the_table_is_read_in_rows_although_it_is_drawn_in_columns(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    rows = [("项目", "金额"), ("差旅费\n用合计", "1,200"), ("会议费", "800")]
    ruled(page, [(" ", " "), (" \n", " \n"), (" ", " ")])
    for column in (1, 0):
        for cell, top in zip((row[column] for row in rows), (94, 116, 154), strict=True):
            for number, part in enumerate(cell.split("\n")):
                write(page, 64 + column * 100, top + 16 * number, part)
    (read,) = pages_of(save(document, tmp_path / "列.pdf"))
    assert read.text == "项目 | 金额\n差旅费用合计 | 1,200\n会议费 | 800"


def test_merged_cells_are_said_once_and_bind_their_header(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    ruled(
        page,
        [
            ("股东", "质押情况", ""),
            ("", "状态", "数量"),
            ("甲公司", "质押", "100"),
            ("乙公司", "冻结", "250"),
        ],
    )
    # The name of the first column stands beside both rows of names.
    page.draw_rect((60.6, 99, 159.4, 105), color=(1, 1, 1), fill=(1, 1, 1), overlay=False)
    (read,) = pages_of(save(document, tmp_path / "合.pdf"))
    assert read.text.split("\n")[:3] == ["股东 | 质押情况", " | 状态 | 数量", "甲公司 | 质押 | 100"]
    assert read.text.count("质押情况") == 1


def test_tables_that_share_a_border_are_apart_where_a_title_runs_across(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    rows = [
        ("股东总数", "79,053", ""),
        ("前十名股东", "", ""),
        ("名称", "比例", "数量"),
        ("甲公司", "9.33%", "81,494"),
    ]
    ruled(page, rows)
    (read,) = pages_of(save(document, tmp_path / "连.pdf"))
    assert tables_of(read) == [
        ("", "股东总数 | 79,053"),
        ("前十名股东\n名称 | 比例 | 数量\n", "甲公司 | 9.33% | 81,494"),
    ]


def test_rows_without_lines_between_them_are_rows(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    ruled(page, [("名称", "库存", "备注"), ("齿轮\n电机\n轴承", "15\n18\n21", "甲\n乙\n丙")])
    (read,) = pages_of(save(document, tmp_path / "开.pdf"))
    assert read.text.split("\n") == [
        "名称 | 库存 | 备注",
        "齿轮 | 15 | 甲",
        "电机 | 18 | 乙",
        "轴承 | 21 | 丙",
    ]


def test_rows_that_continue_on_the_next_page_are_a_table_without_header(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    ruled(document.new_page(), [("编号", "名称", "数量"), ("A001", "齿轮", "15")])
    ruled(document.new_page(), [("A031", "电机", "18"), ("A032", "轴承", "21")])
    first, second = pages_of(save(document, tmp_path / "跨.pdf"))
    assert tables_of(first) == [("编号 | 名称 | 数量\n", "A001 | 齿轮 | 15")]
    assert tables_of(second) == [("", "A031 | 电机 | 18\nA032 | 轴承 | 21")]


def test_cells_that_nearly_touch_are_apart_where_a_line_stands_between(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    ruled(page, [("银行", "授信", "余额"), ("兴业银行", "302,600.00", "192,000.00")], width=62)
    (read,) = pages_of(save(document, tmp_path / "窄.pdf"))
    assert read.text.split("\n")[1] == "兴业银行 | 302,600.00 | 192,000.00"


def test_a_frame_around_text_is_no_table(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    page.draw_rect((50, 50, 400, 200))
    page.draw_rect((50, 220, 400, 300))
    write(page, 60, 80, "框中的第一行文字说明")
    write(page, 60, 100, "框中的第二行文字说明")
    (read,) = pages_of(save(document, tmp_path / "框.pdf"))
    assert read.text == "框中的第一行文字说明\n框中的第二行文字说明"
    assert read.tables == ()


def test_items_of_a_list_are_no_cells(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for row, text in enumerate(["第一项要求的说明", "第二项要求的说明", "第三项要求的说明"]):
        write(page, 60, 80 + row * 20, f"({row + 1})")
        write(page, 110, 80 + row * 20, text)
    (read,) = pages_of(save(document, tmp_path / "项.pdf"))
    assert "|" not in read.text
    assert read.tables == ()


def test_names_over_several_lines_above_an_aligned_table_become_its_header(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    page = document.new_page()
    for x, words in ((200, ("Treasury", "Stock")), (300, ("Retained", "Earnings"))):
        for row, word in enumerate(words):
            page.insert_text((x, 60 + row * 14), word)
    for row, cells in enumerate([("Net income", "(2)", "596"), ("Issued", "4", "17"), ("Total", "2", "613")]):
        for x, cell in zip((60, 205, 305), cells, strict=True):
            page.insert_text((x, 96 + row * 16), cell)
    (read,) = pages_of(save(document, tmp_path / "t.pdf"))
    assert tables_of(read)[0][0] == " | Treasury Stock | Retained Earnings\n"


def test_a_currency_belongs_to_its_number(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    page = document.new_page()
    for row, cells in enumerate([("Cash", "$", "4,236", "$", "3,844"), ("Debt", "$", "868", "$", "1,737")]):
        for x, cell in zip((60, 200, 230, 300, 330), cells, strict=True):
            page.insert_text((x, 96 + row * 16), cell)
    (read,) = pages_of(save(document, tmp_path / "t.pdf"))
    assert read.text == "Cash | $ 4,236 | $ 3,844\nDebt | $ 868 | $ 1,737"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("项目", "2022", "2021"), ("收入", "100", "200")], True),
        ([("A031", "齿轮", "18"), ("A032", "轴承", "21")], False),
        ([("姓名", "张三"), ("部门", "研发中心")], False),
        ([("条款", "内容", "责任人"), ("保密", "员工须对客户资料保密", "人力资源部经理")], True),
        ([("前言", "xiii"), ("第一章", "1")], False),
    ],
)
def test_headers_name_columns_and_count_nothing(rows: Cells, expected: bool) -> None:
    assert is_header(rows) is expected


def test_dashed_and_doubled_lines_make_one_grid_and_merged_cells_one_owner() -> None:
    dashes = [(x, 0.0, x + 4, 0.5) for x in range(0, 100, 6)]
    level = [(0.0, y, 100.0, y + 0.5) for y in (2.0, 20.0, 40.0)]
    upright = [(x, 0.0, x + 0.5, 40.0) for x in (0.0, 100.0)] + [(50.0, 20.0, 50.5, 40.0)]
    boxes = [*dashes, *level, *upright]
    (grid,) = grids(boxes, [False] * len(boxes))
    assert [len(grid.xs), len(grid.ys)] == [3, 3]
    assert grid.owner[0][0] == grid.owner[0][1]
    assert len({*grid.owner[1]}) == 2
