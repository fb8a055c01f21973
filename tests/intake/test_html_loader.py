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
