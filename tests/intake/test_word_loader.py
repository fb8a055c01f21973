import io
import random
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest

from engine.documents import Page, SourceDocument
from engine.intake import legacy
from engine.intake.loaders import LoadFailed, Missing, load
from tests.intake.ole import ole


def word(path: Path) -> tuple[SourceDocument, Page]:
    document, page, *_ = load(path)
    assert isinstance(document, SourceDocument)
    assert isinstance(page, Page)
    for heading in page.headings:
        assert page.text[heading.offset :].startswith(heading.text + "\n")
    return document, page


def test_paragraphs_tables_and_headings_in_order(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("采购制度", 1)
    made.add_paragraph("单笔金额在两万元以下的，由部门经理审批。")
    made.add_heading("预算", 2)
    table = made.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "合并的表头"
    table.cell(0, 2).text = "负责人"
    for column, text in enumerate(["预算", "100", "200"]):
        table.cell(1, column).text = text
    table.cell(1, 0).add_paragraph("第二段")
    table.cell(1, 2).merge(table.cell(2, 2))
    made.add_heading("附则", 1)
    made.save(str(tmp_path / "制度.docx"))
    document, page = word(tmp_path / "制度.docx")
    assert document.title == "采购制度"
    assert [(heading.level, heading.text) for heading in page.headings] == [
        (1, "采购制度"), (2, "预算"), (1, "附则"),
    ]  # fmt: skip
    assert page.text == (
        "采购制度\n\n单笔金额在两万元以下的，由部门经理审批。\n\n预算\n\n合并的表头 | 负责人\n"
        "预算 第二段 | 100 | 200\n\n附则\n"
    )
    (table,) = page.tables
    assert page.text[table.start : table.header_end] == "合并的表头 | 负责人\n"
    assert page.text[table.start : table.end].endswith("| 200")


def body(inner: str) -> str:
    return (
        '<?xml version="1.0"?><w:document '
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<w:body>{inner}</w:body></w:document>"
    )


def pack(path: Path, inner: str, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", body(inner))
        for name, text in parts.items():
            archive.writestr(f"word/{name}.xml" if name != "rels" else "word/_rels/document.xml.rels", text)
    return path


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_insertions_controls_and_boxes_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    box = f"<w:txbxContent><w:p>{run('框里的字')}</w:p></w:txbxContent>"
    _, page = word(
        pack(
            tmp_path / "修订.docx",
            f"<w:p>{run('金额在')}<w:del><w:r><w:delText>10万</w:delText></w:r></w:del>"
            f"<w:ins>{run('15万')}</w:ins>{run('以上')}</w:p>"
            f"<w:sdt><w:sdtContent><w:p>{run('控件里')}</w:p></w:sdtContent></w:sdt>"
            f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
            f"</mc:AlternateContent></w:r></w:p>"
            f"<w:p>{run('有脚注')}<w:r><w:footnoteReference w:id='2'/></w:r></w:p>",
            footnotes=body("")
            .replace("w:document", "w:footnotes")
            .replace("<w:body></w:body>", "")
            .replace(
                "</w:footnotes>",
                f"<w:footnote w:id='2'><w:p>{run('脚注正文')}</w:p></w:footnote></w:footnotes>",
            ),
        )
    )
    assert page.text.split() == ["金额在15万以上", "控件里", "框里的字", "有脚注", "脚注正文"]


def zipped(**entries: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return target.getvalue()


def test_every_bad_file_has_a_reason_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legacy, "find_program", lambda: None)
    old = ole({"WordDocument": b""})
    bad = {
        "旧版.docx": (old, "unsupported", "old_office"),
        "旧版.doc": (old, "unsupported", "old_office"),
        "坏的旧版.doc": (old[:8] + b"\0" * 600, "damaged", "damaged"),
        "没有正文.docx": (
            zipped(**{"[Content_Types].xml": "<Types/>", "word/document.xml": ""}),
            "damaged",
            "damaged",
        ),
        "空.docx": (b"", "empty", "zero_bytes"),
        "断.docx": (b"PK\x03\x04" + b"\0" * 100, "damaged", "damaged_archive"),
        "文字.docx": ("其实是文字".encode(), "damaged", "wrong_suffix"),
        "文字.pdf": ("其实是文字".encode(), "damaged", "wrong_suffix"),
    }
    for name, (data, state, code) in bad.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(LoadFailed) as caught:
            list(load(tmp_path / name))
        assert (caught.value.state, caught.value.reason.code) == (state, code), name


def test_a_renamed_file_is_read_by_its_content(tmp_path: Path) -> None:
    pack(tmp_path / "宏.docm", f"<w:p>{run('带宏')}</w:p>")
    pack(tmp_path / "改名.pdf", f"<w:p>{run('其实是Word')}</w:p>")
    assert word(tmp_path / "宏.docm")[1].text == "带宏\n"
    assert word(tmp_path / "改名.pdf")[0].kind == "word"


def test_archives_that_swell_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "炸弹.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * (80 << 20))
    with pytest.raises(LoadFailed) as caught:
        list(load(tmp_path / "炸弹.docx"))
    assert caught.value.state == "over_budget"


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("机密内容", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "实体.docx", "w") as archive:
        document = body(f"<w:p>{run('前&x;后')}</w:p>").replace(
            '<?xml version="1.0"?>',
            f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
        )
        archive.writestr("word/document.xml", document)
    assert "机密" not in word(tmp_path / "实体.docx")[1].text


def numbering(*levels: tuple[str, str, str], num: str = "") -> str:
    """A part with one list whose levels are (format, text, further XML), used as number 1."""
    items = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/>{more}</w:lvl>'
        for depth, (form, text, more) in enumerate(levels)
    )
    return (
        '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f'<w:abstractNum w:abstractNumId="5">{items}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>{num}</w:numbering>'
    )


def item(text: str, level: int = 0, number: int = 1, more: str = "") -> str:
    return (
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>{more}</w:pPr>'
        f"{run(text)}</w:p>"
    )


def test_chinese_clauses_carry_their_numbers(tmp_path: Path) -> None:
    part = numbering(
        ("chineseCounting", "第%1条", ""),
        ("chineseCounting", "（%2）", ""),
        ("decimal", "%1.%2.%3", "<w:isLgl/>"),
    )
    inner = (
        item("总则") + item("范围", 1) + item("名词", 1) + item("内部", 2) + item("职责") + item("经理", 1)
        + "".join(item("略") for _ in range(9))
    )  # fmt: skip
    lines = word(pack(tmp_path / "条款.docx", inner, numbering=part))[1].text.split("\n")
    assert lines[:6] == [
        "第一条 总则",
        "（一）范围",
        "（二）名词",
        "1.2.1 内部",
        "第二条 职责",
        "（一）经理",
    ]
    assert lines[14] == "第十一条 略"


def test_bullets_levels_and_restarts(tmp_path: Path) -> None:
    again = '<w:num w:numId="2"><w:abstractNumId w:val="5"/><w:lvlOverride w:ilvl="0">' \
        '<w:startOverride w:val="7"/></w:lvlOverride></w:num>'  # fmt: skip
    part = numbering(("decimal", "%1.", ""), ("bullet", "\uf0b7", ""), num=again)
    deleted = '<w:rPr><w:del w:id="1"/></w:rPr>'
    inner = (
        item("一") + item("点", 1) + item("删", more=deleted) + item("二") + item("七", number=2)
        + item("八", number=2) + item("无", number=0)
    )  # fmt: skip
    text = word(pack(tmp_path / "列表.docx", inner, numbering=part))[1].text
    assert text == "1. 一\n  - 点\n删\n2. 二\n7. 七\n8. 八\n无\n"


def test_numbers_come_with_the_style_of_a_heading(tmp_path: Path) -> None:
    styles = (
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        '<w:style w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
        '</w:pPr></w:style><w:style w:styleId="2"><w:name w:val="heading 2"/><w:basedOn w:val="1"/></w:style>'
        "</w:styles>"
    )
    part = numbering(
        ("chineseCounting", "%1、", '<w:pStyle w:val="1"/>'),
        ("decimal", "%1.%2", '<w:isLgl/><w:pStyle w:val="2"/>'),
    )
    inner = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{run(text)}</w:p>'
        for style, text in [(1, "总则"), (2, "目的"), (2, "范围"), (1, "职责"), (2, "经理")]
    )
    document, page = word(pack(tmp_path / "标题.docx", inner, numbering=part, styles=styles))
    assert [(heading.level, heading.text) for heading in page.headings] == [
        (1, "一、总则"), (2, "1.1 目的"), (2, "1.2 范围"), (1, "二、职责"), (2, "2.1 经理"),
    ]  # fmt: skip
    assert document.title == "一、总则"


def table(*rows: str) -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"


def test_merged_cells_are_written_once(tmp_path: Path) -> None:
    down, more, wide = '<w:vMerge w:val="restart"/>', "<w:vMerge/>", '<w:gridSpan w:val="2"/>'
    _, page = word(
        pack(
            tmp_path / "合并.docx",
            table(
                cell("部门", down) + cell("预算", wide),
                cell("", more) + cell("去年") + cell("今年"),
                cell("研发", down) + cell("10") + cell("12"),
                cell("旧字", more) + cell("11", '<w:hMerge w:val="restart"/>') + cell("11", "<w:hMerge/>"),
            ),
        )
    )
    assert page.text == "部门 | 预算\n | 去年 | 今年\n研发 | 10 | 12\n | 11\n"
    (found,) = page.tables
    assert page.text[found.start : found.header_end] == "部门 | 预算\n | 去年 | 今年\n"


def test_headers_are_what_is_marked_and_deleted_rows_are_gone(tmp_path: Path) -> None:
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    gone = "<w:trPr><w:del w:id='1'/></w:trPr>"
    rows = [head + cell("甲") + cell("乙"), head + cell("丙") + cell("丁"), gone + cell("9") + cell("9"),
            cell("1") + cell("2")]  # fmt: skip
    single = table(cell("一") + cell("行"))
    _, page = word(pack(tmp_path / "表.docx", table(*rows) + single))
    assert page.text == "甲 | 乙\n丙 | 丁\n1 | 2\n\n一 | 行\n"
    assert [(page.text[t.start : t.header_end], page.text[t.start : t.end]) for t in page.tables] == [
        ("甲 | 乙\n丙 | 丁\n", "甲 | 乙\n丙 | 丁\n1 | 2"), ("", "一 | 行"),
    ]  # fmt: skip


def test_tables_in_tables_stay_in_their_cell_and_frames_are_no_tables(tmp_path: Path) -> None:
    inner = table(cell("A") + cell("B"), cell("C") + cell("D"))
    heading = f'<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>{run("框中标题")}</w:p>'
    _, page = word(
        pack(
            tmp_path / "嵌套.docx",
            table(cell("外") + f"<w:tc>{inner}<w:p/></w:tc>")
            + table(f"<w:tc>{heading}<w:p>{run('框中正文')}</w:p></w:tc>")
            + table(cell("左") + f"<w:tc>{heading}</w:tc>"),
        )
    )
    assert page.text == "外 | A / B; C / D\n\n框中标题\n\n框中正文\n\n左 | 框中标题\n"
    assert [heading.text for heading in page.headings] == ["框中标题"]


def test_hidden_text_ticks_fractions_and_readings(tmp_path: Path) -> None:
    def sign(font: str, code: str) -> str:
        return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'

    _, page = word(
        pack(
            tmp_path / "表单.docx",
            f"<w:p>{sign('Wingdings', 'F0FE')}{run('同意')}{sign('Wingdings 2', 'F0A3')}{run('不同意')}</w:p>"
            f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>隐藏</w:t></w:r>{run('可见')}"
            f"<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>也可见</w:t></w:r></w:p>"
            f"<w:p>{run('比例')}<w:f><w:num>{run('3')}</w:num><w:den>{run('4')}</w:den></w:f>"
            f"<w:sSup><w:e>{run('x')}</w:e><w:sup>{run('2')}</w:sup></w:sSup></w:p>"
            f"<w:p><w:r><w:ruby><w:rt>{run('hàn')}</w:rt><w:rubyBase>{run('汉')}</w:rubyBase></w:ruby></w:r></w:p>",
        )
    )
    assert page.text == "☑同意☐不同意\n可见也可见\n比例3/4x²\n汉\n"


def relations(**targets: str) -> str:
    links = "".join(
        f'<Relationship Id="{key}" Type="x/{key.rstrip("0123456789")}" Target="{target}"/>'
        for key, target in targets.items()
    )
    return f"<Relationships>{links}</Relationships>"


def margin(kind: str, *paragraphs: str) -> str:
    lines = "".join(f"<w:p>{text}</w:p>" for text in paragraphs)
    return body("").replace("w:document", f"w:{kind}").replace("<w:body></w:body>", lines)


def test_headers_and_footers_once_and_without_page_numbers(tmp_path: Path) -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("17")}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    simple = f'<w:fldSimple w:instr="NUMPAGES">{run("99")}</w:fldSimple>'
    r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    section = (
        f'<w:sectPr {r}><w:headerReference r:id="header1"/><w:headerReference r:id="header2"/>'
        '<w:footerReference r:id="footer1"/></w:sectPr>'
    )
    _, page = word(
        pack(
            tmp_path / "页眉.docx",
            f"<w:p>{run('正文')}</w:p>" + section * 2,
            rels=relations(header1="header1.xml", header2="header2.xml", footer1="footer1.xml"),
            header1=margin("hdr", run("文件编号 CG-2024")),
            header2=margin("hdr", run("文件编号 CG-2024"), run("首页")),
            footer1=margin(
                "ftr", run("第") + field + run("页 共") + simple + run("页"), run("内部资料 ") + field
            ),
        )
    )
    assert page.text == "文件编号 CG-2024\n首页\n\n正文\n\n内部资料\n"


def test_comments_and_descriptions_stand_below_their_paragraph(tmp_path: Path) -> None:
    picture = '<w:r><w:drawing><w:inline><w:docPr id="1" descr="{}"/></w:inline></w:drawing></w:r>'
    comments = body("").replace("w:document", "w:comments").replace(
        "<w:body></w:body>", f'<w:comment w:id="3"><w:p>{run("请法务确认")}</w:p></w:comment>'
    )  # fmt: skip
    _, page = word(
        pack(
            tmp_path / "批注.docx",
            f'<w:p>{run("违约金10%")}<w:r><w:commentReference w:id="3"/></w:r></w:p>'
            f"<w:p>{run('图')}{picture.format('办公楼三层消防疏散示意图')}{picture.format('图片 1')}</w:p>",
            comments=comments,
        )
    )
    assert page.text == "违约金10%\n批注：请法务确认\n图\n图片说明：办公楼三层消防疏散示意图\n"


def test_damaged_parts_are_named_and_the_rest_is_read(tmp_path: Path, reading: Any) -> None:
    path = pack(
        tmp_path / "坏.docx",
        f"<w:p>{run('正文还在')}</w:p>",
        footnotes="<w:footnotes",
        styles="",
        numbering="x",
    )
    *_, page, missing = load(path)
    assert isinstance(page, Page)
    assert isinstance(missing, Missing)
    assert page.text == "正文还在\n"
    result = reading(path)
    assert (result.state, result.reason) == ("partial", "parts_damaged")
    assert result.done.reason.params == {"parts": "footnotes.xml"}


def test_a_document_of_pictures_is_named(tmp_path: Path, reading: Any) -> None:
    path = pack(tmp_path / "扫描.docx", "<w:p><w:r><w:drawing><w:blip/></w:drawing></w:r></w:p>")
    result = reading(path)
    assert (result.state, result.reason) == ("needs_ocr", "pictures_only")


def test_no_damage_raises_anything_else(tmp_path: Path, reading: Any) -> None:
    made = docx.Document()
    made.add_heading("标题", 1)
    made.add_paragraph("项", style="List Number")
    made.add_table(2, 2).cell(0, 0).text = "格"
    made.save(str(tmp_path / "好.docx"))
    whole = (tmp_path / "好.docx").read_bytes()
    chance = random.Random(11)
    for attempt in range(60):
        data = bytearray(whole[: chance.randrange(100, len(whole))] if attempt % 3 == 0 else whole)
        for _ in range(chance.randrange(1, 40)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path = tmp_path / f"坏{attempt}.docx"
        path.write_bytes(data)
        assert reading(path).reason != "loader_failed"
