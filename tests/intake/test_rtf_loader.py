from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.documents import FileState, Page, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source, load, rtf


def hexes(text: str, codec: str = "gbk") -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(codec))


HEAD = (
    r"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}"
    r"{\f1\fnil\fcharset134 \'cb\'ce\'cc\'e5;}{\f2\fnil\fcharset136 PMingLiU;}}"
)


def read(tmp_path: Path, body: str | bytes, name: str = "文.rtf") -> list[LoadItem]:
    path = tmp_path / name
    path.write_bytes(body if isinstance(body, bytes) else (HEAD + body + "}").encode("latin-1"))
    return list(load(path))


def page(tmp_path: Path, body: str) -> Page:
    items = read(tmp_path, body)
    assert isinstance(items[1], Page)
    assert len(items) == 2
    for heading in items[1].headings:
        assert items[1].text[heading.offset :].startswith(heading.text + "\n")
    return items[1]


def test_chinese_comes_out_right_in_every_way_it_is_written(tmp_path: Path) -> None:
    body = (
        rf"\f0 {hexes('西文字体里的中文')}\par \f1 {hexes('宋体')}\par "
        rf"{{\f2 {hexes('彈性工作制', 'big5')}}}\par "
        # A second byte that is a plain letter; halves of a pair on two lines; raw bytes.
        "\\'81@\\par \\'b5\r\n\\'af\\par " + "\xb9\xab\xcb\xbe" + r"\par "
        # Unicode with a replacement for old programs: one character, two bytes, none; a surrogate pair.
        r"\u24377?\u24615\'3f\par {\uc2\u24037\'b9\'a4}{\uc0\u20316}\par \u-10187?\u-9138?\par "
        r"\loch\af0\hich\af0\dbch\af1 \'d6\'c6\par"
    )
    assert page(tmp_path, body).text == (
        "西文字体里的中文\n宋体\n彈性工作制\n丂\n弹\n公司\n弹性\n工作\n𝑎\n制\n"
    )


def test_headings_title_tables_lists_and_notes(tmp_path: Path) -> None:
    body = (
        r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2 " + hexes("标题 2") + r";}}"
        r"{\info{\title " + hexes("员工手册") + r"}{\author zhang}}"
        r"\pard\plain\s1 " + hexes("总则") + r"\par\pard\s2 " + hexes("年假") + r"\par\pard "
        r"A\b B\b0 C{\footnote\pard " + hexes("脚注") + r"\par}\tab D\par "
        r"\trowd\trhdr\cellx1\cellx2\pard\intbl " + hexes("项目") + r"\cell " + hexes("金额") + r"\cell\row"
        r"\trowd\cellx1\cellx2\pard\intbl x\par y\cell 100\cell\row\pard "
        r"{\listtext 1.\tab}{\field{\*\fldinst HYPERLINK \"http://a\"}{\fldrslt link}}\par"
    )
    document, read_page = read(tmp_path, body)
    assert isinstance(document, SourceDocument)
    assert isinstance(read_page, Page)
    assert (document.kind, document.title) == ("word", "员工手册")
    assert read_page.text == "总则\n\n年假\n\nABC D\n脚注\n\n项目 | 金额\nx y | 100\n\n1. link\n"
    assert [(heading.level, heading.text) for heading in read_page.headings] == [(1, "总则"), (2, "年假")]
    (table,) = read_page.tables
    assert read_page.text[table.start : table.header_end] == "项目 | 金额\n"
    assert read_page.text[table.header_end : table.end] == "x y | 100"


def test_what_is_not_shown_goes_and_what_is_shown_stays(tmp_path: Path) -> None:
    body = (
        r"{\pict\pngblip 89504e47" + "\r\n0a0b" * 500 + r"}{\*\unknown secret}{\v hidden}{\deleted gone}"
        r"{\pict\bin6 }}{}\'}shown\par {\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt \pard "
        + hexes("文本框")
        + r"\par}}{\shprslt again}}{\header\pard "
        + hexes("内部资料")
        + r"\par}end\par\u-3913?\par"
    )
    assert page(tmp_path, body).text == "shown\n文本框\nend\n•\n\n内部资料\n"


def test_a_file_that_is_cut_off_keeps_what_is_there(tmp_path: Path) -> None:
    data = (HEAD + hexes("公司实行弹性工作制。") * 20).encode("latin-1")[:-7]
    *_, read_page, missing = read(tmp_path, data)
    assert isinstance(read_page, Page)
    assert read_page.text.count("弹性") == 20
    assert isinstance(missing, Missing)
    assert missing.reason.code == "cut_short"


def test_rtf_is_known_by_its_bytes(tmp_path: Path) -> None:
    data = (HEAD + hexes("弹性") + "}").encode()
    assert isinstance(read(tmp_path, data, "旧.doc")[1], Page)
    with pytest.raises(LoadFailed) as failed:
        read(tmp_path, "没有标记的文字".encode())
    assert (failed.value.state, failed.value.reason.code) == (FileState.DAMAGED, "wrong_suffix")


def test_pictures_cost_no_time(tmp_path: Path) -> None:
    picture = b"{\\pict " + b"0123456789abcdef\r\n" * 1_000_000 + b"}"
    (_, read_page) = read(tmp_path, HEAD.encode() + picture * 2 + b"x}")
    assert isinstance(read_page, Page)
    assert read_page.text == "x\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["{", "}", "\\", "\\'b5", "\\'", "\\u-5", "\\bin9", "\\par", "\\cell", "\\row", "\\footnote ",
             "\\intbl", "{\\shptxt ", "{\\*", "\\fonttbl", "\\stylesheet", "甲", "x\n", "\\title ",
             "\\ansicpg99999 ", "\\f9999999 "]
        )
    )
)  # fmt: skip
def test_no_order_of_tokens_can_raise(tmp_path: Path, tokens: list[str]) -> None:
    list(rtf.read(Source(tmp_path / "a.rtf", content=b"{\\rtf1" + "".join(tokens).encode("utf-8"))))
