import io
import random
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Emu, Inches

from engine.documents import Page, SourceDocument
from engine.intake.loaders import LoadFailed, Missing, load, ooxml

TITLE_ONLY, TITLE_AND_BODY, TWO_COLUMNS, BLANK = 5, 1, 3, 6


def slides(path: Path) -> tuple[SourceDocument, list[Page], Missing | None]:
    document, *rest = load(path)
    assert isinstance(document, SourceDocument)
    assert document.kind == "slides"
    missing = rest.pop() if rest and isinstance(rest[-1], Missing) else None
    pages = [item for item in rest if isinstance(item, Page)]
    assert pages == rest
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        assert page.location == {"slide": page.number}
        for heading in page.headings:
            assert page.text[heading.offset :].startswith(heading.text + "\n")
        for table in page.tables:
            assert 0 <= table.start <= table.header_end <= table.end <= len(page.text)
    return document, pages, missing


@pytest.fixture
def deck(tmp_path: Path) -> Any:
    """An empty presentation; ``deck.save_as(name)`` writes it."""
    made = Presentation()

    def save_as(name: str = "汇报.pptx") -> Path:
        made.save(str(tmp_path / name))
        return tmp_path / name

    made.save_as = save_as
    made.add = lambda layout=BLANK: made.slides.add_slide(made.slide_layouts[layout])
    return made


def box(shapes: Any, text: str, left: float, top: float) -> Any:
    shape = shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    shape.text_frame.text = text
    return shape


def repack(path: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """Rewrite the parts of a file; None leaves one out."""
    source = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = change(name, source.read(name))
            if data is not None:
                target.writestr(name, data)
    return path


def test_titles_come_first_and_the_rest_from_top_to_bottom(deck: Any) -> None:
    slide = deck.add(TITLE_ONLY)
    box(slide.shapes, "右下", 6, 5)
    box(slide.shapes, "左下", 1, 5.1)
    box(slide.shapes, "中间", 3, 3)
    slide.shapes.title.text = "季度\v回顾"
    document, (page,), missing = slides(deck.save_as())
    assert page.text == "季度 回顾\n\n中间\n左下\n右下\n"
    assert [(heading.offset, heading.level, heading.text) for heading in page.headings] == [
        (0, 1, "季度 回顾")
    ]
    assert (document.title, document.title_from_name) == ("季度 回顾", False)
    assert missing is None


def test_placeholders_stand_where_their_layout_puts_them(deck: Any) -> None:
    slide = deck.add(TWO_COLUMNS)
    slide.placeholders[2].text = "右栏"
    slide.placeholders[1].text = "左栏"
    slide.shapes.title.text = "两栏"
    # Drawn last, but above both columns' middle and below the title.
    box(slide.shapes, "栏下", 1, 7)
    tree = slide.shapes._spTree
    tree.insert(2, tree[-1])
    assert slides(deck.save_as())[1][0].text == "两栏\n\n左栏\n右栏\n栏下\n"


def test_groups_are_read_at_any_depth(deck: Any) -> None:
    shapes = deck.add().shapes
    for depth in range(12):
        shapes = shapes.add_group_shape().shapes
        box(shapes, f"第{depth}层", 1, 1)
    assert slides(deck.save_as())[1][0].text.split() == [f"第{depth}层" for depth in range(12)]


def test_tables_keep_their_cells_apart_and_merged_cells_once(deck: Any) -> None:
    table = deck.add().shapes.add_table(3, 3, 0, 0, Inches(6), Inches(2)).table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 2).merge(table.cell(2, 2))
    table.cell(0, 0).text = "区域"
    page = slides(deck.save_as())[1][0]
    assert page.text == "区域 | 02\n10 | 11 | 12 22\n20 | 21 | \n"
    (found,) = page.tables
    assert page.text[found.start : found.header_end] == "区域 | 02\n"
    assert page.text[: found.end].endswith("20 | 21 | ")


def test_charts_become_tables(deck: Any) -> None:
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["华东", "华南"]
    data.add_series("完成率", (0.9125, 0.3))
    data.add_series("目标", (1, None))
    shapes = deck.add().shapes
    chart = shapes.add_chart(XL_CHART_TYPE.LINE, 0, 0, Inches(5), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "上半年"
    page = slides(deck.save_as())[1][0]
    assert page.text == "上半年\n类别 | 完成率 | 目标\n华东 | 91.25% | 100%\n华南 | 30% | \n"
    (table,) = page.tables
    assert page.text[table.start : table.header_end] == "类别 | 完成率 | 目标\n"


def test_charts_of_dates_show_dates(deck: Any) -> None:
    data = CategoryChartData()
    data.categories = [date(2024, 3, 1), date(2024, 4, 1)]
    data.add_series("Orders", (5, 0.1 + 0.2))
    deck.add().shapes.add_chart(XL_CHART_TYPE.LINE, 0, 0, Inches(5), Inches(3), data)
    text = slides(deck.save_as())[1][0].text
    assert text == "Category | Orders\n2024-03-01 | 5\n2024-04-01 | 0.3\n"


def test_notes_are_marked_and_stand_below(deck: Any) -> None:
    slide = deck.add(TITLE_ONLY)
    slide.shapes.title.text = "回款"
    slide.notes_slide.notes_text_frame.text = "缺口220万元\n月底补齐"
    other = deck.add(TITLE_ONLY)
    other.shapes.title.text = "其他"
    other.notes_slide.notes_text_frame.text = " "
    _, pages, _ = slides(deck.save_as())
    assert pages[0].text == "回款\n\n备注：\n缺口220万元\n月底补齐\n"
    assert pages[1].text == "其他\n"


def test_notes_of_an_english_deck_are_marked_in_english(deck: Any) -> None:
    slide = deck.add()
    box(slide.shapes, "Revenue", 1, 1)
    slide.notes_slide.notes_text_frame.text = "ask Bob"
    assert slides(deck.save_as("a.pptx"))[1][0].text == "Revenue\n\nNotes:\nask Bob\n"


def test_hidden_slides_count_and_repeated_placeholders_do_not(deck: Any) -> None:
    first, second, third = deck.add(TITLE_ONLY), deck.add(TITLE_ONLY), deck.add()
    first.shapes.title.text, second.shapes.title.text = "一", "二"
    second._element.set("show", "0")
    for kind in ("dt", "ftr", "sldNum"):
        shape = box(third.shapes, f"每页都有{kind}", 1, 7)
        shape._element.nvSpPr.nvPr.append(
            shape._element.makeelement(
                "{http://schemas.openxmlformats.org/presentationml/2006/main}ph", {"type": kind}
            )
        )
    _, pages, missing = slides(deck.save_as())
    assert [page.text for page in pages] == ["一\n", "二\n", ""]
    assert missing is None


def test_slides_stand_in_the_order_of_the_presentation(deck: Any) -> None:
    for text in "甲乙丙":
        box(deck.add().shapes, text, 1, 1)
    order = deck.slides._sldIdLst
    order.insert(0, order[-1])
    assert [page.text for page in slides(deck.save_as())[1]] == ["丙\n", "甲\n", "乙\n"]


@pytest.mark.parametrize(
    ("described", "kept"),
    [
        ("仓库一楼的平面布置图，货架共十二排", True),
        ("Floor plan of the ground floor", True),
        ("图片 3", False),
        ("Picture 12", False),
        ("微信图片_20240301.png", False),
        ("图片包含 文字 描述已自动生成", False),
        ("", False),
    ],
)
def test_alternative_texts_are_kept_when_a_person_wrote_them(deck: Any, described: str, kept: bool) -> None:
    slide = deck.add()
    box(slide.shapes, "仓库", 1, 1)
    picture = io.BytesIO(bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005"
        "fe02fea7355d480000000049454e44ae426082"
    ))  # fmt: skip
    shape = slide.shapes.add_picture(picture, Inches(1), Inches(3))
    shape._element.nvPicPr.cNvPr.set("descr", described)
    assert slides(deck.save_as())[1][0].text == "仓库\n" + (f"图片说明：{described}\n" if kept else "")


def test_numbered_paragraphs_carry_their_numbers(deck: Any) -> None:
    frame = box(deck.add().shapes, "", 1, 1).text_frame
    frame.text = "\n".join(["总则", "范围", "细则", "附则", "正文"])
    kinds = ["ea1ChsPeriod", "ea1ChsPeriod", "arabicParenR", "ea1ChsPeriod", None]
    for paragraph, kind, level in zip(frame.paragraphs, kinds, [0, 0, 1, 0, 0], strict=True):
        properties = paragraph._p.get_or_add_pPr()
        properties.set("lvl", str(level))
        if kind:
            properties.append(
                properties.makeelement(
                    "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum", {"type": kind}
                )
            )
    assert slides(deck.save_as())[1][0].text == "一、总则\n二、范围\n1) 细则\n三、附则\n正文\n"


def linked(relations: bytes, key: str, kind: str, target: str) -> bytes:
    link = f'<Relationship Id="{key}" Type="x/{kind}" Target="{target}"/></Relationships>'
    return relations.replace(b"</Relationships>", link.encode())


DIAGRAM = """<d:dataModel xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><d:ptLst><d:pt modelId="0" type="doc"/>
{points}<d:pt modelId="9" type="pres"><d:t><a:p><a:r><a:t>版式</a:t></a:r></a:p></d:t></d:pt></d:ptLst>
<d:cxnLst><d:cxn srcId="0" destId="3" srcOrd="0"/><d:cxn srcId="3" destId="1" srcOrd="1"/>
<d:cxn srcId="3" destId="2" srcOrd="0"/><d:cxn srcId="1" destId="3" srcOrd="0"/>
<d:cxn type="presOf" srcId="1" destId="9" srcOrd="0"/></d:cxnLst></d:dataModel>"""


def with_diagram(path: Path, data: str) -> Path:
    def change(name: str, old: bytes) -> bytes:
        if name == "ppt/slides/slide1.xml":
            frame = (
                '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="x"/><p:nvPr/>'
                '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic>'
                '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds '
                'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="rId77"/>'
                "</a:graphicData></a:graphic></p:graphicFrame></p:spTree>"
            )
            return old.replace(b"</p:spTree>", frame.encode())
        if name == "ppt/slides/_rels/slide1.xml.rels":
            return linked(old, "rId77", "diagramData", "../diagrams/data1.xml")
        return old

    repack(path, change)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("ppt/diagrams/data1.xml", data)
    return path


def test_diagrams_are_read_as_a_tree(deck: Any) -> None:
    box(deck.add().shapes, "组织", 1, 1)
    points = "".join(
        f'<d:pt modelId="{key}"><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>'
        for key, text in [("1", "财务部"), ("2", "研发部"), ("3", "总经理"), ("4", "顾问")]
    )
    path = with_diagram(deck.save_as(), DIAGRAM.format(points=points))
    assert slides(path)[1][0].text == "总经理\n  研发部\n  财务部\n顾问\n组织\n"


def test_a_part_that_cannot_be_read_costs_its_slide_only(deck: Any) -> None:
    for text in "甲乙丙丁戊":
        box(deck.add().shapes, text, 1, 1)
    data = CategoryChartData()
    data.categories = ["a"]
    data.add_series("b", (1,))
    deck.slides[4].shapes.add_chart(XL_CHART_TYPE.PIE, 0, Inches(3), Inches(1), Inches(1), data)

    def damage(name: str, old: bytes) -> bytes | None:
        if name == "ppt/slides/slide2.xml":
            return b""
        if name == "ppt/slides/slide3.xml":
            return old[: len(old) // 2]
        if name == "ppt/slides/slide4.xml" or name.startswith("ppt/charts/chart"):
            return None
        return old

    _, pages, missing = slides(repack(deck.save_as(), damage))
    assert [page.text for page in pages] == ["甲\n", "", "", "", "戊\n"]
    assert missing is not None
    assert missing.pages == (2, 3, 4, 5)
    assert (missing.reason.code, missing.reason.params) == ("pages_damaged", {"pages": 5, "missing": 4})


def test_a_broken_list_of_slides_falls_back_to_their_names(deck: Any) -> None:
    for number in range(11):
        box(deck.add().shapes, f"第{number}张", 1, 1)
    path = repack(deck.save_as(), lambda name, old: old[:90] if name == "ppt/presentation.xml" else old)
    assert [page.text for page in slides(path)[1]] == [f"第{number}张\n" for number in range(11)]


def test_a_missing_relationship_leaves_a_gap(deck: Any) -> None:
    for text in "甲乙":
        box(deck.add().shapes, text, 1, 1)
    path = repack(
        deck.save_as(),
        lambda name, old: (
            old.replace(b"slides/slide1.xml", b"slides/nowhere.xml")
            if "presentation.xml.rels" in name
            else old
        ),
    )
    _, pages, missing = slides(path)
    assert [page.text for page in pages] == ["", "乙\n"]
    assert missing is not None
    assert missing.pages == (1,)


def test_empty_decks_and_titles_of_no_use(deck: Any, tmp_path: Path, reading: Any) -> None:
    path = deck.save_as("空.pptx")
    with pytest.raises(LoadFailed) as caught:
        list(load(path))
    assert (caught.value.state, caught.value.reason.code) == ("empty", "no_text")
    deck.add()
    assert reading(deck.save_as("白.pptx")).state == "empty"
    box(deck.slides[0].shapes, "没有标题占位符", 1, 1)
    for useless in ("PowerPoint Presentation", "PowerPoint 演示文稿", "演示文稿1", "幻灯片 1", "", "无标题"):
        deck.core_properties.title = useless
        document, _, _ = slides(deck.save_as("周报.pptx"))
        assert (document.title, document.title_from_name) == ("周报", True), useless
    deck.core_properties.title = "华东区 2024 年度经营分析"
    assert slides(deck.save_as())[0].title == "华东区 2024 年度经营分析"


def test_slides_that_are_pictures_are_named(deck: Any, reading: Any) -> None:
    picture = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005"
        "fe02fea7355d480000000049454e44ae426082"
    )
    width, height = deck.slide_width, deck.slide_height
    deck.add().shapes.add_picture(io.BytesIO(picture), 0, 0, width, height)
    result = reading(deck.save_as())
    assert (result.state, result.reason) == ("needs_ocr", "pictures_only")
    box(deck.add().shapes, "有文字", 1, 1)
    deck.add().shapes.add_picture(io.BytesIO(picture), 0, 0, Emu(width // 3), height)
    result = reading(deck.save_as())
    assert (result.state, result.reason) == ("partial", "pages_scanned")
    assert result.done.missing_pages == (1,)


def test_comments_are_marked(deck: Any) -> None:
    box(deck.add().shapes, "方案", 1, 1)

    def change(name: str, old: bytes) -> bytes:
        if name != "ppt/slides/_rels/slide1.xml.rels":
            return old
        return linked(old, "rId50", "comments", "/ppt/comments/comment1.xml")

    path = repack(deck.save_as(), change)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("ppt/comments/comment1.xml", "<cmLst><cm><text>改为三期</text></cm></cmLst>")
    assert slides(path)[1][0].text == "方案\n批注：改为三期\n"


def test_five_hundred_slides_are_read_quickly(deck: Any, reading: Any) -> None:
    slide = deck.add(TITLE_ONLY)
    slide.shapes.title.text = "一张"
    path = deck.save_as()
    part, links = "", ""
    for number in range(2, 501):
        part += f'<p:sldId id="{300 + number}" r:id="rId1{number:04}"/>'
        links += f'<Relationship Id="rId1{number:04}" Type="x/slide" Target="slides/slide1.xml"/>'
    repack(
        path,
        lambda name, old: (
            old.replace(b"</p:sldIdLst>", part.encode() + b"</p:sldIdLst>")
            if name == "ppt/presentation.xml"
            else old.replace(b"</Relationships>", links.encode() + b"</Relationships>")
            if name == "ppt/_rels/presentation.xml.rels"
            else old
        ),
    )
    _, pages, missing = slides(path)
    assert len(pages) == 500
    assert missing is None


def test_a_slide_that_swells_is_over_budget(deck: Any) -> None:
    deck.add()
    path = repack(
        deck.save_as(),
        lambda name, old: (
            old.replace(b"</p:sld>", b" " * (90 << 20) + b"</p:sld>") if "slide1.xml" in name[-10:] else old
        ),
    )
    with pytest.raises(LoadFailed) as caught:
        list(load(path))
    assert caught.value.state == "over_budget"


def test_a_part_too_large_to_parse_is_over_budget(deck: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    deck.add()
    path = repack(
        deck.save_as(), lambda name, old: old + b" " * (1 << 20) if name == "ppt/slides/slide1.xml" else old
    )
    assert slides(path)[2] is None
    monkeypatch.setattr(ooxml, "_LARGEST_PART", 1 << 20)
    with pytest.raises(LoadFailed) as caught:
        list(load(path))
    assert (caught.value.state, caught.value.reason.code) == ("over_budget", "too_large")


def test_lost_notes_are_not_passed_over(deck: Any) -> None:
    slide = deck.add()
    box(slide.shapes, "正文", 1, 1)
    slide.notes_slide.notes_text_frame.text = "备注"
    path = repack(deck.save_as(), lambda name, old: None if name.startswith("ppt/notesSlides/notes") else old)
    _, (page,), missing = slides(path)
    assert page.text == "正文\n"
    assert missing is not None
    assert missing.pages == (1,)


def test_no_damage_raises_anything_else(deck: Any, tmp_path: Path, reading: Any) -> None:
    slide = deck.add(TITLE_AND_BODY)
    slide.shapes.title.text = "标题"
    slide.notes_slide.notes_text_frame.text = "备注"
    slide.shapes.add_table(2, 2, 0, 0, Inches(1), Inches(1))
    whole = deck.save_as().read_bytes()
    chance = random.Random(7)
    for attempt in range(60):
        data = bytearray(whole[: chance.randrange(100, len(whole))] if attempt % 3 == 0 else whole)
        for _ in range(chance.randrange(1, 40)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path = tmp_path / f"坏{attempt}.pptx"
        path.write_bytes(data)
        assert reading(path).reason != "loader_failed"
