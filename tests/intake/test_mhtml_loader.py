import quopri
from base64 import encodebytes
from pathlib import Path

import pytest

from engine.documents import FileState, Page, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, load

PAGE = (
    '<html><head><meta charset="gb2312"><title>员工手册</title></head><body><nav>菜单</nav><h2>考勤</h2>'
    "<p>朱镕基、陈喆：公司实行弹性工作制。</p><table><tr><th>级</th><th>元</th></tr>"
    "<tr><td>一</td><td>550</td></tr></table></body></html>"
).encode("gb18030")


def saved(html: bytes = PAGE, *, encoding: str = "quoted-printable", head: str = "", part: str = "") -> bytes:
    body = quopri.encodestring(html) if encoding == "quoted-printable" else encodebytes(html)
    frame = quopri.encodestring("<html><body>广告框架</body></html>".encode())
    lines = [
        b"From: <Saved by Blink>",
        b"Snapshot-Content-Location: https://a.example/",
        b"Subject: =?utf-8?B?5qCH6aKY?=",
        b"MIME-Version: 1.0",
        b"Content-Type: multipart/related;",
        f'\ttype="text/html"; boundary="--x--"{head}'.encode(),
        b"",
        b"----x--",
        b"Content-Type: text/html",
        b"Content-Transfer-Encoding: quoted-printable",
        b"Content-Location: https://ads.example/",
        b"",
        frame,
        b"----x--",
        f"Content-Type: text/html{part}".encode(),
        f"Content-Transfer-Encoding: {encoding}".encode(),
        b"Content-ID: <root>",
        b"Content-Location: https://a.example/",
        b"",
        body,
        b"----x--",
        b"Content-Type: image/png",
        b"Content-Transfer-Encoding: base64",
        b"",
        b"iVBORw0KGgo=",
        b"----x----",
        b"",
    ]
    return b"\r\n".join(lines)


def read(tmp_path: Path, data: bytes, name: str = "页.mhtml") -> list[LoadItem]:
    path = tmp_path / name
    path.write_bytes(data)
    return list(load(path))


@pytest.mark.parametrize("name", ["页.mhtml", "页.mht", "页.htm"])
@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_the_page_itself_is_read_and_nothing_of_its_wrapping(
    tmp_path: Path, name: str, encoding: str
) -> None:
    document, page = read(tmp_path, saved(encoding=encoding), name)
    assert isinstance(document, SourceDocument)
    assert isinstance(page, Page)
    assert (document.kind, document.title, document.encoding) == ("html", "员工手册", "gb18030")
    assert page.text == "考勤\n\n朱镕基、陈喆：公司实行弹性工作制。\n\n级 | 元\n一 | 550\n"
    assert [heading.text for heading in page.headings] == ["考勤"]
    assert len(page.tables) == 1


def test_the_start_parameter_names_the_page(tmp_path: Path) -> None:
    data = saved(head='; start="<root>"').replace(
        b"Content-Location: https://a.example/", b"Content-Location: x:y"
    )
    _, page = read(tmp_path, data)
    assert isinstance(page, Page)
    assert "弹性工作制" in page.text


def test_the_charset_of_the_part_and_the_title_of_the_subject(tmp_path: Path) -> None:
    html = "<p>公司實行彈性工作制，核心工作時間為上午10時。</p>".encode("big5")
    document, page = read(tmp_path, saved(html, part='; charset="big5"'))
    assert isinstance(document, SourceDocument)
    assert isinstance(page, Page)
    assert document.title == "标题"
    assert "彈性工作制" in page.text


def test_a_page_that_is_cut_off_is_partial(tmp_path: Path) -> None:
    data = saved()
    *_, page, missing = read(tmp_path, data[: data.index(b"</html>") - 60])
    assert isinstance(page, Page)
    assert isinstance(missing, Missing)
    assert missing.reason.code == "cut_short"


def test_a_file_without_a_page_is_damaged(tmp_path: Path) -> None:
    for data in (b"Content-Type: image/png\r\n\r\nabc", b"\x00\x01" * 500):
        with pytest.raises(LoadFailed) as failed:
            read(tmp_path, data)
        assert failed.value.state is FileState.DAMAGED
