from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.documents import Page, SourceDocument
from engine.intake.loaders import LoadFailed, load

ROWS = "编号,姓名,部门\n007,张三,研发部\n008,李四,市场部\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., tuple[str | None, list[Page]]]:
    def read(data: bytes, name: str = "名单.csv") -> tuple[str | None, list[Page]]:
        (tmp_path / name).write_bytes(data)
        document, *pages = load(tmp_path / name)
        assert isinstance(document, SourceDocument)
        assert document.kind == "sheet"
        result = [page for page in pages if isinstance(page, Page)]
        assert [page.number for page in result] == list(range(1, len(result) + 1))
        for page in result:
            assert len(page.rows) == page.text.count("\n") + 1
        return document.encoding, result

    return read


Read = Callable[..., tuple[str | None, list[Page]]]


def header(page: Page) -> str:
    (table,) = page.tables
    return page.text[table.start : table.header_end].strip("\n")


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("gbk", "gb18030"),
        ("gb18030", "gb18030"),
        ("utf-16", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
    ],
)
def test_encodings(read: Read, codec: str, encoding: str) -> None:
    found, (page,) = read(ROWS.encode(codec))
    assert found == encoding
    assert page.text == "编号 | 姓名 | 部门\n007 | 张三 | 研发部\n008 | 李四 | 市场部"
    assert page.location == {"sheet": None, "rows": [1, 3]}
    assert page.rows == (1, 2, 3)
    assert header(page) == "编号 | 姓名 | 部门"


def test_letters_that_come_late(read: Read) -> None:
    plain = "id,name,n\n" + "".join(f"{n},row{n},{n * 2}\n" for n in range(90_000))
    encoding, pages = read((plain + "90000,张三丰在武当山,7\n").encode("gbk"))
    assert encoding == "gb18030"
    assert pages[-1].text.endswith("90000 | 张三丰在武当山 | 7")
    encoding, pages = read((plain + "90000,张三丰在武当山,7\n").encode())
    assert encoding == "utf-8"
    assert pages[-1].text.endswith("90000 | 张三丰在武当山 | 7")
    assert all(header(page) == "id | name | n" for page in pages)


def test_a_file_cut_in_a_character_keeps_its_encoding(read: Read) -> None:
    encoding, (page,) = read((ROWS + "009,王五,财务部").encode()[:-1])
    assert encoding == "utf-8"
    assert page.text.endswith("009 | 王五 | 财务\ufffd")


def test_two_encodings_in_one_file(read: Read) -> None:
    lines = ["编号,说明,数量", "1,这是一个测试的说明,3", "2,我们在这里看到的数据,4", "3,来自不同的系统,5"] * 5
    data = b"\n".join(line.encode("gbk" if n % 2 else "utf-8") for n, line in enumerate(lines))
    _, (page,) = read(data)
    assert "2 | 我们在这里看到的数据 | 4" in page.text
    assert "3 | 来自不同的系统 | 5" in page.text


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "，"])
def test_delimiters(read: Read, delimiter: str) -> None:
    _, (page,) = read(ROWS.replace(",", delimiter).encode())
    assert page.text.startswith("编号 | 姓名 | 部门\n007 | 张三 | 研发部")


def test_decimal_commas_between_semicolons(read: Read) -> None:
    _, (page,) = read("名称;价格;税\n甲;1,5;0,2\n乙;2,5;0,3\n".encode())
    assert page.text == "名称 | 价格 | 税\n甲 | 1,5 | 0,2\n乙 | 2,5 | 0,3"


def test_sentences_are_not_cut_at_their_commas(read: Read) -> None:
    _, (page,) = read("今天下雨，我们不去。\n明天也许，后天也许，再看。\n好。\n".encode())
    assert page.text == "今天下雨，我们不去。\n明天也许，后天也许，再看。\n好。"


def test_the_line_that_tells_the_separator(read: Read) -> None:
    _, (page,) = read("sep=;\r\n名称;数量\r\n甲,乙;3\r\n丙;4\r\n".encode())
    assert page.text == "名称 | 数量\n甲,乙 | 3\n丙 | 4"
    assert page.rows == (1, 2, 3)


def test_tabs_win_in_a_tsv(read: Read) -> None:
    _, (page,) = read(b"a,b\tc,d\n1,2\t3,4\n", "表.tsv")
    assert page.text == "a,b | c,d\n1,2 | 3,4"


def test_quoted_cells(read: Read) -> None:
    _, (page,) = read('名,注\r\n甲,"第一行\r\n第二行,""引"""\r\n\r\n乙,5" 屏\r\n'.encode())
    assert page.text == '名 | 注\n甲 | 第一行 第二行,"引"\n乙 | 5" 屏'
    assert page.rows == (1, 2, 4)


def test_a_stray_quotation_mark_swallows_nothing(read: Read) -> None:
    _, pages = read(
        ('编号,说明,数\n1,"没有合上,3\n' + "".join(f"{n},行{n},{n}\n" for n in range(500))).encode()
    )
    assert len(pages) == 3
    assert pages[0].text.startswith('编号 | 说明 | 数\n1 | "没有合上 | 3\n0 | 行0 | 0\n')
    assert pages[-1].text.endswith("499 | 行499 | 499")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_nuls_and_ragged_rows(read: Read, end: str) -> None:
    _, (page,) = read(end.join(["a,b,c", "1,\0二", "", "3,4,5,6,,", "7"]).encode())
    assert page.text == "a | b | c\n1 | 二\n3 | 4 | 5 | 6\n7"
    assert page.rows == (1, 2, 4, 5)


def test_a_very_long_cell(read: Read) -> None:
    _, pages = read(b"a,b\n1," + b"x" * 10_000_000 + b"\n2,y\n")
    assert [len(page.rows) for page in pages] == [2, 2]
    assert "x" * 10_000_000 in pages[0].text


def test_title_and_header_of_two_rows(read: Read) -> None:
    _, (page,) = read(
        "差旅标准,,,,\n职级,一线,,二线,\n,住宿,餐饮,住宿,餐饮\n经理,500,120,400,100\n员工,350,100,280,80\n".encode()
    )
    lines = page.text.split("\n")
    assert lines[:2] == ["差旅标准", "职级 | 一线 / 住宿 | 一线 / 餐饮 | 二线 / 住宿 | 二线 / 餐饮"]
    assert lines[2] == "经理 | 500 | 120 | 400 | 100"
    assert header(page).startswith("职级 | 一线 / 住宿")
    assert page.rows == (1, 2, 4, 5)


def test_numbers_only(read: Read) -> None:
    _, (page,) = read(b"1,2\n3,4\n")
    assert header(page) == ""


def test_bytes_that_are_no_text(read: Read) -> None:
    with pytest.raises(LoadFailed) as failed:
        read(bytes(range(1, 256)) * 50 + bytes(range(32)) * 200)
    assert failed.value.reason.code == "not_text"


def test_blanks_only(read: Read) -> None:
    assert read(b"\r\n , \r\n")[1] == []


CELLS = st.text("甲乙丙abc01 ,;|\t\"'：。\n", max_size=8)


@given(rows=st.lists(st.lists(CELLS, min_size=2, max_size=5), min_size=1, max_size=30))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_cell_is_lost(read: Read, rows: list[list[str]]) -> None:
    def quoted(rows: list[list[str]]) -> Iterator[str]:
        for row in rows:
            yield ",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\r\n"

    _, pages = read("".join(["sep=,\r\n", *quoted(rows)]).encode())
    lines: dict[int, list[str]] = {}
    for page in pages:
        for number, line in zip(page.rows, page.text.split("\n"), strict=True):
            lines.setdefault(number, []).append(line)
    for number, row in enumerate(rows, 1):
        near = "\n".join(line for at in range(number, max(0, number - 3), -1) for line in lines.get(at, []))
        for cell in row:
            assert " ".join(part.strip() for part in cell.split("\n") if part.strip()) in near
