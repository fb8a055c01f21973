"""The Word file, opened by the product's own loader, by python-docx, and part by part."""

import io
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from lxml import etree

from engine.documents import Page, SourceDocument
from engine.exporting.composition import compose
from engine.exporting.word import document
from engine.intake.loaders import load
from tests.exporting.records import citation, plain, record, sentence

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def word(*records: dict[str, Any], title: str | None = None) -> bytes:
    return document([compose(item, "zh") for item in records], "zh", title)


def read(file: Path) -> tuple[SourceDocument, Page]:
    """With the product's own loader, which must find nothing missing."""
    source, page = load(file)
    assert isinstance(source, SourceDocument)
    assert isinstance(page, Page)
    return source, page


def part(data: bytes, name: str) -> Any:
    return etree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read(name))


def notes(data: bytes) -> dict[str, str]:
    found = part(data, "word/footnotes.xml")
    return {note.get(f"{W}id"): "".join(note.itertext()) for note in found if note.get(f"{W}type") is None}


def test_footnotes_are_words_own() -> None:
    data = word(plain())
    assert notes(data) == {"1": " 部门/保密.pdf，第 3 页（页码标签 iii）：“秘密级数据的保密期限为10年。”"}
    (reference,) = part(data, "word/document.xml").iter(f"{W}footnoteReference")
    assert reference.get(f"{W}id") == "1"
    named = [item.get(f"{W}id") for item in part(data, "word/settings.xml").iter(f"{W}footnote")]
    separators = part(data, "word/footnotes.xml").findall(f"{W}footnote")[:2]
    assert named == ["-1", "0"] == [item.get(f"{W}id") for item in separators]


def test_the_products_own_loader_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "回答.docx"
    file.write_bytes(word(plain()))
    source, page = read(file)
    assert "秘密级数据的保密期限为十年" in page.text
    assert "报销单须在99天内提交。（未核实：片段里没有 99天）" in page.text
    assert "秘密级数据的保密期限为10年。" in page.text  # from the footnote
    assert page.headings[0].text == "秘密级数据的保密期限是几年？"
    assert source.kind == "word"


def test_python_docx_reads_it() -> None:
    opened = docx.Document(io.BytesIO(word(plain(), plain(), title="保密")))
    styles = [paragraph.style.name for paragraph in opened.paragraphs if paragraph.text]
    assert styles[0] == "Title"
    assert styles.count("Heading 1") == 2
    assert opened.core_properties.title == "保密"
    assert opened.sections[0].footer.paragraphs[0].style.name == "Remark"
    normal = opened.styles["Normal"]
    assert normal is not None
    fonts = opened.styles.element.find(f"{W}docDefaults").find(f".//{W}rFonts")
    assert fonts.get(f"{W}eastAsia") == "宋体"


def test_a_footnote_that_is_called_again_is_referred_to() -> None:
    twice = record("甲[1]。乙[1]。丙[2]。", [], [citation(1), citation(2, quote="别的。")])
    data = word(twice)
    body = part(data, "word/document.xml")
    assert [item.get(f"{W}id") for item in body.iter(f"{W}footnoteReference")] == ["1", "2"]
    (field,) = body.iter(f"{W}fldSimple")
    bookmark = field.get(f"{W}instr").split()[1]
    assert bookmark in [item.get(f"{W}name") for item in body.iter(f"{W}bookmarkStart")]
    assert "".join(field.itertext()) == "1"
    assert len(notes(data)) == 2


def test_every_relation_leads_to_a_part_with_a_type() -> None:
    archive = zipfile.ZipFile(io.BytesIO(word(plain())))
    names = set(archive.namelist())
    assert archive.testzip() is None
    types = etree.fromstring(archive.read("[Content_Types].xml"))
    overrides = {item.get("PartName").lstrip("/") for item in types if item.get("PartName")}
    assert overrides == {name for name in names if not name.endswith(".rels")} - {"[Content_Types].xml"}
    targets = {}
    for rels, base in (("_rels/.rels", ""), ("word/_rels/document.xml.rels", "word/")):
        for relation in etree.fromstring(archive.read(rels)):
            targets[relation.get("Id")] = base + relation.get("Target")
            assert relation.get("TargetMode") is None
    assert set(targets.values()) == overrides
    (footer,) = etree.fromstring(archive.read("word/document.xml")).iter(f"{W}footerReference")
    assert targets[footer.get(f"{R}id")] == "word/footer1.xml"
    for name in names:
        etree.fromstring(archive.read(name))
    used = {
        style.get(f"{W}val")
        for name in ("word/document.xml", "word/footnotes.xml", "word/footer1.xml")
        for style in etree.fromstring(archive.read(name)).iter(f"{W}pStyle", f"{W}rStyle", f"{W}tblStyle")
    }
    defined = {item.get(f"{W}styleId") for item in part(word(plain()), "word/styles.xml").iter(f"{W}style")}
    assert used <= defined


# Parts of the sequences of CT_RPr and CT_PPr (ECMA-376, part 1, 17.3): Word calls a file damaged otherwise.
ORDER = {
    "rPr": ["rStyle", "rFonts", "b", "color", "sz", "szCs", "vertAlign", "lang"],
    "pPr": ["pStyle", "keepNext", "spacing", "outlineLvl"],
    "style": ["name", "basedOn", "qFormat", "pPr", "rPr", "tblPr"],
    "settings": ["footnotePr", "compat"],
    "sectPr": ["footerReference", "pgSz", "pgMar"],
    "tblPr": ["tblStyle", "tblW", "tblBorders"],
}


def test_elements_stand_in_the_order_that_the_format_has_for_them() -> None:
    archive = zipfile.ZipFile(io.BytesIO(word(plain())))
    seen = set()
    for name in archive.namelist():
        for item in etree.fromstring(archive.read(name)).iter():
            kind = etree.QName(item).localname
            if kind in ORDER:
                places = [ORDER[kind].index(etree.QName(child).localname) for child in item]
                assert places == sorted(places), (name, kind)
                seen.add(kind)
    assert seen >= ORDER.keys() - {"tblPr"}


def test_the_same_answer_gives_the_same_bytes() -> None:
    assert word(plain()) == word(plain())


def test_a_table_has_its_rows_and_its_head_on_every_page() -> None:
    rows = [{"cells": ["年假", "10"], "citations": [1]}, {"cells": ["病假", "15"], "citations": [1]}]
    table = {"columns": ["名称", "天数"], "rows": rows, "read": 2, "of": 2}
    data = word(record("共两种：", [], [citation(1)], table=table))
    (grid,) = docx.Document(io.BytesIO(data)).tables
    assert [[cell.text for cell in row.cells] for row in grid.rows][:2] == [["名称", "天数"], ["年假", "10"]]
    assert len(list(part(data, "word/document.xml").iter(f"{W}tblHeader"))) == 1


@pytest.mark.parametrize(
    "text", ["a\x00b\x0b", "\ud800", "\ufffe\uffff", "<w:p/>&amp;]]>", "\u202e反", "长" * 50_000]
)
def test_any_text_makes_a_whole_file(text: str, tmp_path: Path) -> None:
    hostile = record(
        text, [sentence(text, "unsupported", flags=(text,))], [citation(1, document=text, quote=text)],
        rewritten=text, refused=True, nearest=[citation(1, section=[text], kind="word")],
    )  # fmt: skip
    file = tmp_path / "回答.docx"
    file.write_bytes(word(hostile | {"question": text}, plain(), title="标题"))
    _, page = read(file)
    assert "秘密级数据的保密期限为十年" in page.text
    assert len(docx.Document(str(file)).paragraphs) > 3


def test_a_very_long_thread_is_one_file() -> None:
    data = word(*[plain()] * 300, title="长")
    assert len(notes(data)) == 300
    assert len(docx.Document(io.BytesIO(data)).paragraphs) > 900
