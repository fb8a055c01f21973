import zipfile
from pathlib import Path
from typing import Any

import pytest

from engine.documents import FileState, Page, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, load

NAMES = " ".join(
    f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{value}:1.0"'
    for key, value in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
        "meta": "meta", "presentation": "presentation", "svg": "svg-compatible", "manifest": "manifest",
    }.items()
)  # fmt: skip
NAMES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'


def package(path: Path, kind: str, body: str, *, styles: str = "", start: str = "", **parts: str) -> Path:
    content = (
        f"{start}<office:document-content {NAMES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def read(tmp_path: Path, kind: str, body: str, **more: Any) -> list[Any]:
    suffix = {"text": "odt", "presentation": "odp", "spreadsheet": "ods"}[kind]
    return list(load(package(tmp_path / f"文.{suffix}", kind, body, **more)))


def pages(items: list[LoadItem]) -> list[Page]:
    found = [item for item in items if isinstance(item, Page)]
    for page in found:
        for heading in page.headings:
            assert page.text[heading.offset :].startswith(heading.text + "\n")
    return found


LIST_STYLE = (
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    '<text:list-level-style-bullet text:level="2"/></text:list-style>'
)
TEXT = """<text:tracked-changes><text:changed-region><text:deletion><text:p>删掉的话</text:p></text:deletion>
</text:changed-region></text:tracked-changes>
<text:table-of-content><text:index-body><text:p>总则 1</text:p></text:index-body></text:table-of-content>
<text:h text:outline-level="1">总<text:span>则</text:span></text:h>
<text:p>公司<text:s text:c="2"/>实行<text:tab/>弹性<text:change-start/>工作制<text:change-end/>。<text:note>
<text:note-citation>1</text:note-citation><text:note-body><text:p>脚注文字</text:p></text:note-body></text:note>下一
<text:line-break/>行</text:p>
<text:list text:style-name="L1"><text:list-item><text:p>甲</text:p>
<text:list><text:list-item><text:p>内</text:p>
</text:list-item></text:list></text:list-item><text:list-item><text:p>乙</text:p></text:list-item></text:list>
<text:section><text:h text:outline-level="2">标准</text:h>
<table:table><table:table-header-rows><table:table-row>
<table:table-cell table:number-rows-spanned="2"><text:p>级</text:p></table:table-cell>
<table:table-cell table:number-columns-spanned="2"><text:p>住宿</text:p>
</table:table-cell><table:covered-table-cell/></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><text:p>一线</text:p></table:table-cell>
<table:table-cell><text:p>其他</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>经</text:p><text:p>理</text:p>
</table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>650</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="99999999"/></table:table-row></table:table></text:section>
<text:p>见<draw:frame><draw:text-box><text:p>文本框</text:p></draw:text-box></draw:frame>下</text:p>
<text:p><draw:frame><draw:object xlink:href="./Object 1"/><draw:image/><svg:title>图</svg:title></draw:frame>
</text:p>"""
CHART = (
    f"<office:document-content {NAMES}><office:body><office:chart><text:p>销量图</text:p>"
    "<table:table><table:table-row><table:table-cell><text:p>一季</text:p></table:table-cell>"
    "<table:table-cell><text:p>5</text:p></table:table-cell></table:table-row></table:table></office:chart></office:body></office:document-content>"
)


def test_a_text_with_everything_in_it(tmp_path: Path) -> None:
    parts = {"Object 1/content.xml": CHART}
    document, page = read(tmp_path, "text", TEXT, styles=LIST_STYLE, **parts)
    assert isinstance(document, SourceDocument)
    assert (document.kind, document.title) == ("word", "总则")
    assert page.text == (
        "总则\n\n公司  实行 弹性工作制。下一\n行\n脚注文字\n1. 甲\n  - 内\n2. 乙\n\n标准\n\n"
        "级 | 住宿\n级 | 一线 | 其他\n经 理 | 650 | 650\n经 理 | 650 | 650\n\n"
        "见下\n文本框\n\n销量图\n\n一季 | 5\n"
    )
    assert [(heading.level, heading.text) for heading in page.headings] == [(1, "总则"), (2, "标准")]
    assert page.text[page.tables[0].start : page.tables[0].header_end] == "级 | 住宿\n级 | 一线 | 其他\n"
    assert len(page.tables) == 2


def test_the_title_comes_from_the_properties(tmp_path: Path) -> None:
    title = "<office:meta><dc:title>手册</dc:title></office:meta>"
    meta = f"<office:document-meta {NAMES}>{title}</office:document-meta>"
    document, _ = read(tmp_path, "text", "<text:p>文</text:p>", **{"meta.xml": meta})
    assert (document.title, document.title_from_name) == ("手册", False)


def test_slides_have_their_numbers_and_notes(tmp_path: Path) -> None:
    slide = (
        "<draw:page><draw:frame><draw:text-box><text:list><text:list-item><text:p>要点</text:p>"
        "</text:list-item></text:list></draw:text-box></draw:frame>"
        '<draw:frame presentation:class="title"><draw:text-box><text:p>季度汇报</text:p></draw:text-box>'
        "</draw:frame>"
        '<presentation:notes><draw:page-thumbnail/><draw:frame presentation:class="notes"><draw:text-box>'
        "<text:p>讲慢一点</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
    )
    document, *found = read(tmp_path, "presentation", slide + "<draw:page/>" + slide)
    assert (document.kind, document.title) == ("slides", "季度汇报")
    assert [page.location for page in found] == [{"slide": 1}, {"slide": 2}, {"slide": 3}]
    assert found[0].text == "季度汇报\n\n- 要点\n\n备注：\n讲慢一点\n"
    assert found[1].text == ""


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def test_sheets_come_in_pages_with_their_header(tmp_path: Path) -> None:
    header = f"<table:table-row>{cell('编码')}{cell('单价')}{cell('日期')}</table:table-row>"
    rows = "".join(
        f"<table:table-row>{cell(f'WL{number:04}')}"
        + cell("1,234.50", 'office:value-type="float" office:value="1234.5"')
        + cell("24年7月", 'office:value-type="date" office:date-value="2024-07-15T00:00:00"')
        + '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        for number in range(2, 402)
    )
    end = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    body = (
        f'<table:table table:name="物料">{header}{rows}{end}</table:table><table:table table:name="空"/>'
        f'<table:table table:name="备注"><table:table-row>{cell("只有一格")}</table:table-row></table:table>'
    )
    document, *found = read(tmp_path, "spreadsheet", body)
    assert document.kind == "sheet"
    assert [page.number for page in found] == list(range(1, len(found) + 1))
    assert found[0].location is not None
    assert found[0].location["sheet"] == "物料"
    assert "编码 | 单价 | 日期\nWL0002 | 1234.5 | 2024-07-15\n" in found[0].text
    assert "编码 | 单价 | 日期\n" in found[1].text
    assert found[-1].location == {"sheet": "备注", "rows": [1, 1]}
    everything = "\n".join(page.text for page in found)
    assert all(everything.count(f"WL{number:04}") == 1 for number in range(2, 402))
    for page in found:
        lines = page.text.split("\n")
        for line, row in zip(lines, page.rows, strict=False):
            assert not line.startswith("WL") or int(line[2:6]) == row


def test_bombs_of_repeats_and_entities_stay_small(tmp_path: Path) -> None:
    many = 'table:number-columns-repeated="2000000000"'
    row = f'<table:table-row table:number-rows-repeated="2000000000">{cell("弹", many)}</table:table-row>'
    found = pages(read(tmp_path, "spreadsheet", f'<table:table table:name="a">{row}</table:table>'))
    assert sum(len(page.text) for page in found) < 5_000_000
    found = pages(read(tmp_path, "text", f"<table:table>{row}</table:table>"))
    assert len(found[0].text) < 5_000_000
    entities = '<!DOCTYPE a [<!ENTITY a "哈哈哈哈哈哈哈哈">' + "".join(
        f'<!ENTITY {chr(code + 1)} "{f"&{chr(code)};" * 10}">' for code in range(ord("a"), ord("m"))
    )
    for kind in ("text", "spreadsheet"):
        body = "<text:p>前&m;后</text:p>"
        if kind == "spreadsheet":
            row = f"<table:table-row>{cell('前&m;后')}</table:table-row>"
            body = f'<table:table table:name="a">{row}</table:table>'
        try:
            found = pages(read(tmp_path, kind, body, start=entities + "]>"))
            assert sum(len(page.text) for page in found) < 1000
        except LoadFailed as failed:
            assert failed.state is FileState.DAMAGED


def test_encrypted_and_damaged_files_say_so(tmp_path: Path) -> None:
    manifest = (
        f'<manifest:manifest {NAMES}><manifest:file-entry manifest:full-path="content.xml">'
        "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    with pytest.raises(LoadFailed) as failed:
        read(tmp_path, "text", "<text:p>x</text:p>", **{"META-INF/manifest.xml": manifest})
    assert (failed.value.state, failed.value.reason.code) == (FileState.NEEDS_PASSWORD, "password_needed")
    for kind, body in (("text", "<text:p>"), ("spreadsheet", "<table:table><table:table-row>")):
        with pytest.raises(LoadFailed) as failed:
            read(tmp_path, kind, body)
        assert failed.value.state is FileState.DAMAGED
    path = package(tmp_path / "短.odt", "text", "<text:p>文</text:p>" * 500)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(LoadFailed) as failed:
        list(load(path))
    assert failed.value.state is FileState.DAMAGED
