import os
import subprocess
import sys
from pathlib import Path

from engine.documents import Page, SourceDocument
from engine.intake.loaders import load


def html(tmp_path: Path, source: str | bytes, name: str = "页.html") -> tuple[SourceDocument, Page]:
    path = tmp_path / name
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    document, page = load(path)
    assert isinstance(document, SourceDocument)
    assert isinstance(page, Page)
    for heading in page.headings:
        assert page.text[heading.offset :].startswith(heading.text + "\n")
    return document, page


TABLE = """<h2>预算</h2><table><tr><th rowspan=2>项目</th><th colspan=2>年度</th></tr>
<tr><th>2022</th><th>2023</th></tr>
<tr><td><p>预算</p><p>总额</p></td><td>100</td><td>200</td></tr></table><h2>其他</h2><p>后文</p>"""


def test_cells_stay_apart_and_the_table_stands_under_its_heading(tmp_path: Path) -> None:
    _, page = html(tmp_path, TABLE)
    assert page.text == "预算\n\n项目 | 年度\n项目 | 2022 | 2023\n预算 总额 | 100 | 200\n\n其他\n\n后文\n"
    assert [(heading.level, heading.text) for heading in page.headings] == [(2, "预算"), (2, "其他")]


def test_noise_is_left_out_and_the_title_is_kept(tmp_path: Path) -> None:
    document, page = html(
        tmp_path,
        "<html><head><title> 差旅 标准 </title><style>x</style></head><body><nav>菜单</nav>"
        "<script>脚本</script>"
        "<div style='display: none'>999元</div>"
        "<p hidden>777元</p><!-- 注释 -->"
        "<noscript>无脚本</noscript>"
        "<ul>" + "<li><a href='#'>链接链接</a></li>" * 30 + "</ul>"
        "<h1>住宿</h1><p>一线城市每晚550元，<b>其他</b>城市<br>每晚380元&nbsp;起。</p>"
        "<ol><li>第一</li><li>第二<ul><li>内层</li></ul></li></ol>"
        "<pre>a\n  b</pre><footer>页脚</footer></body></html>",
    )
    assert document.title == "差旅 标准"
    assert page.text == (
        "住宿\n\n一线城市每晚550元，其他城市\n每晚380元 起。\n\n1. 第一\n2. 第二\n  - 内层\n\na\n  b\n"
    )


def test_gb2312_pages_are_never_empty_and_lose_one_bad_byte_only(tmp_path: Path) -> None:
    body = '<html><meta charset="gb2312"><body><p>' + "朱镕基、陈喆出席会议。" * 30 + "</p></body></html>"
    data = body.encode("gb18030")
    middle = data.index("出席".encode("gbk"), len(data) // 2)
    for variant in (data, data[:middle] + b"\xff" + data[middle:]):
        document, page = html(tmp_path, variant)
        assert document.encoding == "gb18030"
        assert "朱镕基、陈喆出席会议。朱镕基" in page.text
        assert page.text.count("\ufffd") <= 1


def test_a_page_inside_one_form_or_a_layout_table_is_read(tmp_path: Path) -> None:
    _, page = html(
        tmp_path,
        "<form><table><tr><td><table><tr><td>左</td><td>右</td></tr></table></td><td><h3>标题</h3>"
        "<p>整页都在表单里，这是正文。</p></td></tr></table></form>",
    )
    assert "左 | 右" in page.text
    assert "整页都在表单里，这是正文。" in page.text


def test_a_page_of_links_only_keeps_them(tmp_path: Path) -> None:
    _, page = html(tmp_path, "<ul>" + "".join(f"<li><a>条例{n}</a></li>" for n in range(20)) + "</ul>")
    assert "条例19" in page.text


def test_an_xml_declaration_and_deep_nesting_are_no_problem(tmp_path: Path) -> None:
    _, page = html(
        tmp_path, '<?xml version="1.0" encoding="gbk"?><html><body>' + "<div>" * 3000 + "深处的文字"
    )
    assert isinstance(page.text, str)
    _, page = html(tmp_path, '<?xml version="1.0" encoding="gbk"?><html><body><p>正文</p>')
    assert page.text == "正文\n"


def table_parts(page: Page) -> list[tuple[str, str]]:
    return [
        (page.text[table.start : table.header_end], page.text[table.header_end : table.end])
        for table in page.tables
    ]


def test_tables_know_their_header(tmp_path: Path) -> None:
    _, page = html(
        tmp_path,
        "<p>见表</p><table><caption>表一 标准</caption><tfoot><tr><td>合计<td>3</tfoot>"
        "<thead><tr><th rowspan=2>级别<th colspan=2>住宿<tr><th>一线<th>其他</thead>"
        "<tbody><tr><th>总监<td>800<td>600</tbody></table>"
        "<table><tr><td><b>项</b><td><strong>额</strong><tr><td>甲<td>1</table>"
        "<table><tr><td>乙<td>2</table><table><tr><th>甲<th>乙</table>后文",
    )
    assert table_parts(page) == [
        ("级别 | 住宿\n级别 | 一线 | 其他\n", "总监 | 800 | 600\n合计 | 3"),
        ("项 | 额\n", "甲 | 1"),
        ("", "乙 | 2"),
        ("", "甲 | 乙"),
    ]
    assert page.text.startswith("见表\n\n表一 标准\n级别 | 住宿\n")
    assert page.text.endswith("\n\n后文\n")


def test_a_table_of_one_column_is_only_layout(tmp_path: Path) -> None:
    _, page = html(tmp_path, "<table><tr><td><p>第一段</p><p>第二段</p></td></tr></table>")
    assert (page.text, page.tables) == ("第一段\n\n第二段\n".replace("\n\n", "\n"), ())


def test_list_items_of_paragraphs_code_and_readings(tmp_path: Path) -> None:
    _, page = html(
        tmp_path,
        "<ol><li><p>甲</p><p>乙</p></li><li><div>丙</div></li></ol><pre>a\n  b\n\n- c</pre>"
        "<p><ruby>弹<rt>tán</rt></ruby><ruby>性<rp>(</rp><rt>xìng</rt><rp>)</rp></ruby>工作制</p>",
    )
    assert page.text == "1. 甲\n乙\n2. 丙\n\na\n  b\n\n- c\n\n弹性(tán xìng)工作制\n"
    assert [page.text[start:end] for start, end in page.code] == ["a\n  b\n\n- c"]


def test_side_notes_of_the_article_are_kept(tmp_path: Path) -> None:
    _, page = html(
        tmp_path,
        "<aside>广告</aside><main><p>正文正文正文</p><aside>注意：先备份</aside>"
        "<blockquote>话<footer>某人</footer></blockquote></main><footer>版权</footer>",
    )
    assert page.text.split() == ["正文正文正文", "注意：先备份", "话", "某人"]


def test_an_xml_declaration_names_the_encoding_too(tmp_path: Path) -> None:
    page = '<?xml version="1.0" encoding="big5"?><html><body><p>' + "彈性" + "</p></body></html>"
    document, read_page = html(tmp_path, page.encode("big5"))
    assert (document.encoding, read_page.text) == ("big5hkscs", "彈性\n")


def test_missing_libraries_change_nothing(tmp_path: Path) -> None:
    body = '<html><meta charset="gb2312"><body><p>' + "朱镕基、陈喆𠮷出席。" * 30 + "</p></body></html>"
    data = body.encode("gb18030")
    middle = data.index("出席".encode("gbk"), len(data) // 2)
    (tmp_path / "一.html").write_bytes(data)
    (tmp_path / "二.html").write_bytes(data[:middle] + b"\xff" + data[middle:])
    (tmp_path / "三.html").write_bytes("<p>L'été dernier à Montréal</p>".encode("cp1252"))
    program = (
        "import sys\n"
        "names = ('charset_normalizer', 'chardet', 'cchardet') if sys.argv[1] == 'without' else ()\n"
        "sys.modules.update(dict.fromkeys(names))\n"
        "from pathlib import Path\n"
        "from engine.intake.loaders import load\n"
        f"for path in sorted(Path({str(tmp_path)!a}).iterdir()): print(ascii(list(load(path))))\n"
    )
    with_them, without = (
        subprocess.run(
            [sys.executable, "-c", program, how],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            timeout=120,
        ).stdout
        for how in ("with", "without")
    )
    assert with_them == without
    assert without.count(ascii("朱镕基、陈喆𠮷出席。")[1:-1]) >= 59
    assert without.count(ascii("\ufffd")[1:-1]) <= 1
    assert ascii("été")[1:-1] in without
