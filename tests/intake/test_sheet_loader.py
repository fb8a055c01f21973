import contextlib
import datetime
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment

from engine.documents import Page, SourceDocument
from engine.intake.loaders import LoadFailed, Missing, load
from engine.intake.loaders.sheet.values import number_format, plain


def check(page: Page) -> Page:
    """Lines, row numbers and tables fit together."""
    lines = page.text.split("\n")
    assert len(page.rows) == len(lines)
    for heading in page.headings:
        assert page.text[heading.offset :].startswith(heading.text)
    for table in page.tables:
        assert 0 <= table.start <= table.header_end <= table.end <= len(page.text)
        assert table.start == 0 or page.text[table.start - 1] == "\n"
        assert table.end == len(page.text) or page.text[table.end] == "\n"
        assert table.header_end in (table.start, table.end) or page.text[table.header_end - 1] == "\n"
    return page


def read(path: Path) -> list[Page]:
    document, *items = load(path)
    assert isinstance(document, SourceDocument)
    assert document.kind == "sheet"
    assert document.title == path.stem
    pages = [check(item) for item in items if isinstance(item, Page)]
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    return pages


def headers(page: Page) -> list[str]:
    return [page.text[table.start : table.header_end].strip("\n") for table in page.tables]


def only(path: Path) -> Page:
    (page,) = read(path)
    return page


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    def save(*rows: Sequence[Any], merge: Sequence[str] = (), name: str = "Sheet1") -> Path:
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = name
        for row in rows:
            sheet.append(list(row))
        for cells in merge:
            sheet.merge_cells(cells)
        book.save(tmp_path / "表格.xlsx")
        return tmp_path / "表格.xlsx"

    return save


def rewrite(path: Path, part: str, change: Callable[[bytes], bytes | None]) -> Path:
    """The same archive with one part changed, added or left out."""
    target = path.with_name("改过.xlsx")
    with zipfile.ZipFile(path) as old:
        parts: dict[str, bytes | None] = {name: old.read(name) for name in old.namelist()}
    parts[part] = change(parts.get(part) or b"")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            if data is not None:
                new.writestr(name, data)
    return target


NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = f'<worksheet xmlns="{NAMESPACE}"><sheetData>{{}}</sheetData></worksheet>'
STRINGS = f'<sst xmlns="{NAMESPACE}">{{}}</sst>'


def written(save: Callable[..., Path], rows: str, strings: str = "") -> Path:
    """A workbook whose only sheet has these rows, as XML."""
    path = rewrite(save(["a"]), "xl/worksheets/sheet1.xml", lambda _: SHEET.format(rows).encode())
    path = path.rename(path.with_name("表格.xlsx"))
    return rewrite(path, "xl/sharedStrings.xml", lambda _: STRINGS.format(strings).encode())


def test_one_line_a_row_below_the_header(save: Callable[..., Path]) -> None:
    page = only(
        save(["编号", "姓名", "年龄"], ["007", "张三", 30], [], ["008", None, 41, None], ["009", "李\n四"])
    )
    assert page.text == "编号 | 姓名 | 年龄\n007 | 张三 | 30\n008 |  | 41\n009 | 李 四"
    assert page.rows == (1, 2, 4, 5)
    assert page.location == {"sheet": "Sheet1", "rows": [1, 5]}
    assert headers(page) == ["编号 | 姓名 | 年龄"]
    assert page.headings == ()


def test_values_as_people_see_them(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    cells: list[tuple[Any, str, str]] = [
        (datetime.date(2024, 7, 15), "yyyy-mm-dd", "2024-07-15"),
        (datetime.datetime(2024, 7, 15, 8, 30), "yyyy/m/d h:mm", "2024-07-15 08:30"),
        (datetime.datetime(2024, 7, 15), 'yyyy"年"m"月"d"日"', "2024-07-15"),
        (datetime.datetime(2024, 7, 1), 'yyyy"年"m"月"', "2024-07"),
        (datetime.time(8, 30, 5), "h:mm:ss", "08:30:05"),
        (datetime.timedelta(hours=26, minutes=3), "[h]:mm", "26:03"),
        (0.85, "0%", "85%"),
        (0.285, "0%", "29%"),
        (0.12345, "0.00%", "12.35%"),
        (42, "000000", "000042"),
        (12.5, "#,##0.00", "12.5"),
        (0.1 + 0.2, "General", "0.3"),
        (12.500000001, "General", "12.5"),
        (1234567.0, "General", "1234567"),
        (440101199001011, "0", "440101199001011"),
        (1200, '"¥"#,##0.00', "¥1200"),
        (35, '0"人"', "35人"),
        (12345, '0.0,"千"', "12345"),
        (True, "General", "TRUE"),
        ("000042", "General", "000042"),
        ("#N/A", "General", "#N/A"),
        ("None", "General", "None"),
        (0, "yyyy-mm-dd", "0"),
        ("=SUM(B2:B9)", "General", "=SUM(B2:B9)"),
    ]
    for row, (value, code, _) in enumerate(cells, 1):
        sheet.cell(row, 1, f"项目{row}甲")
        sheet.cell(row, 2, value).number_format = code
    book.save(tmp_path / "值.xlsx")
    page = only(tmp_path / "值.xlsx")
    shown = [line.partition(" | ")[2] for line in page.text.split("\n")]
    assert shown == [expected for _, _, expected in cells]


@pytest.mark.parametrize(
    ("number", "code", "raw", "shown"),
    [
        (14, None, "45488", "2024-07-15"),
        (31, None, "45488", "2024-07-15"),
        (57, None, "45488", "2024-07"),
        (22, None, "45488.5", "2024-07-15 12:00"),
        (20, None, "0.354166666666667", "08:30"),
        (14, None, "59", "1900-02-28"),
        (14, None, "60", "1900-02-29"),
        (14, None, "-3", "-3"),
        (164, "[$-804]yyyy/m/d aaaa", "45488", "2024-07-15"),
        (164, "[DBNum1]m月d日", "45488", "2024-07-15"),
        (164, "[Red]0.00", "1.5", "1.5"),
        (164, '_ "¥"* #,##0.00_ ;_ "¥"* \\-#,##0.00_ ', "1.5", "¥1.5"),
        (164, "[$€-407] #,##0", "7", "€ 7"),
        (164, '0!.0,"万"', "12345", "12345"),
        (164, "# ?/?", "0.5", "0.5"),
        (164, '[>100]0"大";0', "200", "200"),
        (164, '"NO."0000', "42", "NO.0042"),
        (164, '0"元"', "-5", "-5"),
        (164, 'General"元"', "12.50", "12.5元"),
        (164, ";;;", "12", "12"),
        (164, "0.00E+00", "12000", "12000"),
        (164, "mm:ss.0", "0.5", "12:00"),
        (0, None, "1E3", None),
    ],
)
def test_number_formats(number: int, code: str | None, raw: str, shown: str | None) -> None:
    made = number_format(number, code)
    assert (None if made is None else made.show(raw)) == (shown if made is not None else None)
    if made is None:
        assert plain(raw) == (shown or "1000")


def test_dates_of_workbooks_that_count_from_1904() -> None:
    made = number_format(14, None, from_1904=True)
    assert made is not None
    assert made.show("44026") == "2024-07-15"


def test_title_rows_stay_above_the_table(save: Callable[..., Path]) -> None:
    page = only(
        save(
            ["2024年销售明细"],
            ["制表人：张三", None, "单位：元"],
            ["订单", "客户", "金额"],
            ["A1", "甲公司", 100],
            ["A2", "乙公司", 200],
            merge=["A1:C1"],
        )
    )
    assert page.text.startswith(
        "2024年销售明细\n制表人：张三 | 单位：元\n订单 | 客户 | 金额\nA1 | 甲公司 | 100"
    )
    assert headers(page) == ["订单 | 客户 | 金额"]
    assert page.rows == (1, 2, 3, 4, 5)


def test_header_of_two_rows_is_combined(save: Callable[..., Path]) -> None:
    page = only(
        save(
            ["差旅标准（元/天）"],
            ["职级", "一线", None, "二线", None],
            [None, "住宿", "餐饮", "住宿", "餐饮"],
            ["经理", 500, 120, 400, 100],
            ["员工", 350, 100, 280, 80],
            merge=["A1:E1", "A2:A3", "B2:C2", "D2:E2"],
        )
    )
    header = "职级 | 一线 / 住宿 | 一线 / 餐饮 | 二线 / 住宿 | 二线 / 餐饮"
    assert (
        page.text == f"差旅标准（元/天）\n{header}\n经理 | 500 | 120 | 400 | 100\n员工 | 350 | 100 | 280 | 80"
    )
    assert headers(page) == [header]
    assert page.rows == (1, 2, 4, 5)


def test_a_sheet_of_numbers_has_no_header(save: Callable[..., Path]) -> None:
    page = only(save([1, 2.5], [3, 4], [5, 6]))
    assert page.text == "1 | 2.5\n3 | 4\n5 | 6"
    assert headers(page) == [""]


def test_years_may_name_columns(save: Callable[..., Path]) -> None:
    page = only(save(["地区", 2022, 2023], ["华东", 512, 630], ["华南", 401, 388]))
    assert headers(page) == ["地区 | 2022 | 2023"]


def test_words_only(save: Callable[..., Path]) -> None:
    page = only(save(["问题", "答案"], ["怎么请假？", "在系统里提交申请。"], ["怎么报销？", "交发票。"]))
    assert headers(page) == ["问题 | 答案"]
    page = only(save(["张三", "北京", "男"], ["李四", "上海", "男"], ["王五", "北京", "女"]))
    assert headers(page) == [""]


def test_merged_downwards_is_repeated_and_merged_across_is_not(save: Callable[..., Path]) -> None:
    page = only(
        save(
            ["部门", "姓名", "得分"],
            ["研发部", "张三", 90],
            [None, "李四", 80],
            ["合计", None, 170],
            merge=["A2:A3", "A4:B4"],
        )
    )
    assert page.text.split("\n")[1:] == ["研发部 | 张三 | 90", "研发部 | 李四 | 80", "合计 |  | 170"]


def test_a_second_table_below_an_empty_row(save: Callable[..., Path]) -> None:
    page = only(
        save(
            ["姓名", "年龄"], ["张三", 30], [], ["李四", 41], [],
            ["表二 库存"], ["品名", "数量", "单价"], ["螺丝", 3, 0.5], ["螺母", 9, 0.2],
        )
    )  # fmt: skip
    assert headers(page) == ["姓名 | 年龄", "品名 | 数量 | 单价"]
    assert "李四 | 41\n\n表二 库存\n品名" in page.text
    assert page.rows == (1, 2, 4, 0, 6, 7, 8, 9)


def test_the_header_stands_on_every_page(save: Callable[..., Path]) -> None:
    pages = read(save(["订单明细"], ["编号", "数量"], *([f"单{n}", n] for n in range(450))))
    assert [page.location for page in pages] == [
        {"sheet": "Sheet1", "rows": rows} for rows in ([1, 201], [202, 401], [402, 452])
    ]
    for page in pages:
        assert headers(page) == ["编号 | 数量"]
    assert pages[1].text.startswith("编号 | 数量\n单199 | 199\n")
    assert pages[1].rows[:3] == (2, 202, 203)


def test_long_rows_make_short_pages(save: Callable[..., Path]) -> None:
    pages = read(save(["编号", "说明"], *([n, "长" * 3000] for n in range(12))))
    assert [len(page.rows) for page in pages] == [8, 6]


def test_sheets_are_headings_and_hidden_ones_are_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["甲", 1])
    book.create_sheet("空表")
    hidden = book.create_sheet("隐藏成本")
    hidden.append(["项目", "成本"])
    hidden.append(["A项目", 778899])
    hidden.append(["B项目", 5])
    hidden.sheet_state = "veryHidden"
    hidden.row_dimensions[3].hidden = True
    book.save(tmp_path / "多表.xlsx")
    first, second = read(tmp_path / "多表.xlsx")
    assert [heading.text for heading in (*first.headings, *second.headings)] == ["Sheet", "隐藏成本"]
    assert second.text == "隐藏成本\n项目 | 成本\nA项目 | 778899\nB项目 | 5"
    assert second.rows == (0, 1, 2, 3)
    assert second.location == {"sheet": "隐藏成本", "rows": [1, 3]}


def test_empty_columns_are_left_out(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row, values in enumerate([("名称", "数量"), ("螺丝", 3)], 5):
        book.active.cell(row, 3, values[0])
        book.active.cell(row, 6, values[1])
    book.save(tmp_path / "偏.xlsx")
    page = only(tmp_path / "偏.xlsx")
    assert page.text.split("\n", 1)[1] == "名称 | 数量\n螺丝 | 3" or page.text == "名称 | 数量\n螺丝 | 3"
    assert page.rows[-2:] == (5, 6)


def test_comments_stand_at_their_cells(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["品名", "金额"], ["螺丝", 3], ["螺母", 5]):
        sheet.append(row)
    sheet["B1"].comment = Comment("含税价", "王")
    sheet["B2"].comment = Comment("待\n核对", "王")
    sheet["D9"].comment = Comment("空格的批注", "王")
    book.save(tmp_path / "批注.xlsx")
    page = only(tmp_path / "批注.xlsx")
    text = page.text.removeprefix("Sheet\n")
    assert text == (
        "金额（批注：含税价）\n品名 | 金额\n螺丝 | 3（批注：待 核对）\n螺母 | 5\n |  | （批注：空格的批注）"
    )
    assert page.rows[-1] == 9


def test_formulas_give_their_stored_value(save: Callable[..., Path]) -> None:
    made = save(["数量", "金额"], [3, "=A2*2"], [4, "=A3*2"], [5, "x"])
    path = rewrite(
        made,
        "xl/worksheets/sheet1.xml",
        lambda xml: (
            xml.replace(b"<f>A2*2</f><v></v>", b"<f>A2*2</f><v>6</v>")
            .replace(b"<f>A2*2</f><v/>", b"<f>A2*2</f><v>6</v>")
            .replace(b"<f>A2*2</f><v />", b"<f>A2*2</f><v>6</v>")
        ),
    )
    assert only(path).text == "数量 | 金额\n3 | 6\n4 | =A3*2\n5 | x"


def test_what_other_programs_write(save: Callable[..., Path]) -> None:
    strings = (
        '<si><t>名</t><rPh sb="0" eb="1"><t>míng</t></rPh></si>'
        '<si><r><t>数</t></r><r><t xml:space="preserve">量_x000D_\n单位 </t></r></si>'
    )
    rows = (
        '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
        '<row r="3"><c r="B3"><f t="shared" ref="B3:B4" si="0">A3*_xlfn.SUM($C$1,2)</f></c></row>'
        '<row r="4"><c r="A4" t="b"><v>0</v></c><c r="B4"><f t="shared" si="0"/></c></row>'
        '<row r="5"><c r="A5" t="str"><f>IF(1,"","x")</f><v></v></c>'
        '<c r="B5" t="d"><v>2024-07-15T00:00:00</v></c><c r="C5" t="e"><v>#REF!</v></c>'
        '<c r="D5" t="inlineStr"><is><t>行内</t></is></c></row>'
    )
    page = only(written(save, rows, strings))
    assert page.text.split("\n") == [
        "名 | 数量 单位",
        " | =A3*SUM($C$1,2)",
        "FALSE | =A4*SUM($C$1,2)",
        " | 2024-07-15 | #REF! | 行内",
    ]
    assert page.rows == (1, 3, 4, 5)


def test_a_shared_text_that_is_not_there_is_damage(save: Callable[..., Path]) -> None:
    rows = '<row r="1"><c r="A1"><v>12</v></c></row><row r="2"><c r="A2" t="s"><v>9</v></c></row>'
    _, page, missing = load(written(save, rows, "<si><t>甲</t></si>"))
    assert isinstance(page, Page)
    assert page.text == "12"
    assert isinstance(missing, Missing)
    assert missing.pages == (1,)


def test_a_filter_names_the_header(save: Callable[..., Path]) -> None:
    made = save(["甲", "乙"], ["A", "B"], ["甲", "B"])
    assert headers(only(made)) == [""]
    filtered = rewrite(
        made,
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"</sheetData>", b'</sheetData><autoFilter ref="A1:B3"/>'),
    )
    assert headers(only(filtered)) == ["甲 | 乙"]


def test_rows_that_are_empty_cost_little(save: Callable[..., Path]) -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c></row>' + '<row r="9"><c r="A9" s="0"/></row>' * 50_000
    rows += '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    page = only(written(save, rows))
    assert page.text == "1\n | 2"
    assert page.rows == (1, 1_048_576)


def test_a_wide_header_is_not_repeated(save: Callable[..., Path]) -> None:
    pages = read(save([f"指标名称{n}" for n in range(2000)], *([n] * 2000 for n in range(8))))
    assert len(headers(pages[0])[0]) > 10_000
    assert headers(pages[1]) == [""]
    assert sum(len(page.text) for page in pages) < 100_000


BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{}]>'.format(
    "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
)
TEXT = '<row r="1"><c r="A1" t="inlineStr"><is><t>前{}后</t></is></c><c r="B1"><v>7</v></c></row>'


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml"])
def test_entity_bombs_are_inert(save: Callable[..., Path], part: str) -> None:
    sheet, strings = SHEET.format(TEXT.format("&e8;")), STRINGS.format("<si><t>&e8;</t></si>")
    book = f'<workbook xmlns="{NAMESPACE}"><sheets><sheet name="&e8;"/></sheets></workbook>'
    xml = {"xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": strings, "xl/workbook.xml": book}[part]
    items: list[Any] = []
    with contextlib.suppress(LoadFailed):
        items += load(rewrite(save(["a"]), part, lambda _: (BOMB + xml).encode()))
    assert sum(len(item.text) for item in items if isinstance(item, Page)) < 100


def test_other_files_are_not_read(save: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "秘密.txt").write_text("机密内容", encoding="utf-8")
    kind = f'<!DOCTYPE x [<!ENTITY s SYSTEM "{(tmp_path / "秘密.txt").as_uri()}">]>'
    xml = kind + SHEET.format(TEXT.format("&s;"))
    items = list(load(rewrite(save(["a"]), "xl/worksheets/sheet1.xml", lambda _: xml.encode())))
    assert not any("机密" in item.text for item in items if isinstance(item, Page))


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml"])
def test_a_broken_part_is_damage(save: Callable[..., Path], part: str) -> None:
    path = written(save, '<row r="1"><c r="A1" t="s"><v>0</v></c></row>', "<si><t>甲</t></si>")
    path = path.rename(path.with_name("表格.xlsx"))
    with pytest.raises(LoadFailed) as failed:
        list(load(rewrite(path, part, lambda xml: xml[: len(xml) // 2])))
    assert (failed.value.state.value, failed.value.reason.code) == ("damaged", "damaged_archive")


def test_a_file_cut_short_is_damaged(save: Callable[..., Path]) -> None:
    path = save(["甲", "乙"], ["丙", 1])
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(LoadFailed) as failed:
        list(load(path))
    assert failed.value.state.value == "damaged"


@pytest.mark.parametrize("change", [lambda xml: xml[: xml.find(b'<row r="150"') + 20], lambda _: None])
def test_what_is_left_of_a_damaged_sheet_is_read(tmp_path: Path, change: Callable[[bytes], Any]) -> None:
    book = openpyxl.Workbook()
    for n in range(300):
        book.active.append([f"项{n}", n])
    book.create_sheet("好的").append(["完好的内容"])
    book.save(tmp_path / "坏.xlsx")
    *pages, missing = list(load(rewrite(tmp_path / "坏.xlsx", "xl/worksheets/sheet1.xml", change)))[1:]
    assert isinstance(missing, Missing)
    assert missing.pages == (1,)
    assert missing.reason.code == "pages_damaged"
    assert [page.location["sheet"] for page in pages if isinstance(page, Page) and page.location] == [
        "Sheet",
        "好的",
    ]
    assert isinstance(pages[-1], Page)
    assert "完好的内容" in pages[-1].text
    assert isinstance(pages[0], Page)
    assert pages[0].text == "" or "项148 | 148" in pages[0].text


def test_an_empty_workbook_has_no_pages(save: Callable[..., Path]) -> None:
    assert read(save()) == []


CELLS = st.one_of(
    st.none(),
    st.integers(-(10**9), 10**9),
    st.booleans(),
    st.text("甲乙丙丁abcXYZ 0189|：，%（）", min_size=1, max_size=8),
)


@given(rows=st.lists(st.lists(CELLS, max_size=6), max_size=40), name=st.sampled_from(["Sheet1", "明细"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_cell_is_lost(tmp_path: Path, rows: list[list[Any]], name: str) -> None:
    book = openpyxl.Workbook()
    book.active.title = name
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if isinstance(value, str):
                book.active.cell(number, column).value = value
                book.active.cell(number, column).data_type = "s"
            else:
                book.active.cell(number, column, value)
    book.save(tmp_path / "任意.xlsx")
    pages = read(tmp_path / "任意.xlsx")
    lines: dict[int, list[str]] = {}
    for page in pages:
        for number, line in zip(page.rows, page.text.split("\n"), strict=True):
            lines.setdefault(number, []).append(line)
    # A header of several rows is one line, at the first of them.
    assert lines.keys() - {0} <= {number for number, row in enumerate(rows, 1) if any(map(str, row))}
    for number, row in enumerate(rows, 1):
        near = "\n".join(line for at in range(number, max(0, number - 3), -1) for line in lines.get(at, []))
        for value in row:
            text = (
                "" if value is None else str(value).upper() if isinstance(value, bool) else str(value).strip()
            )
            assert text in near
