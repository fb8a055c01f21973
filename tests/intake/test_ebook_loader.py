import zipfile
from pathlib import Path
from typing import Any

import pytest

from engine.documents import FileState, Page, SourceDocument
from engine.intake.loaders import LoadFailed, Missing, load

CONTAINER = (
    '<container><rootfiles><rootfile full-path="OEBPS/%E5%86%85%E5%AE%B9.opf"/></rootfiles></container>'
)
NAV = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
<nav epub:type="toc"><h1>目录</h1><ol><li><a href="text/%E7%AC%AC9%E5%9B%9E.xhtml">第一回 启程</a></li>
<li><a href="text/c1.xhtml#top">第二回 渡河</a></li></ol></nav>
<nav epub:type="landmarks"><a href="text/c1.xhtml">正文</a></nav></body></html>"""
NCX = """<ncx><navMap><navPoint><navLabel><text>卷首</text></navLabel>
<content src="text/c5.xhtml"/></navPoint></navMap></ncx>"""


def opf(spine: str) -> str:
    items = {"c9": "text/%E7%AC%AC9%E5%9B%9E.xhtml", "c1": "text/c1.xhtml", "c5": "text/c5.xhtml"}
    manifest = "".join(
        f'<item id="{key}" href="{href}" media-type="application/xhtml+xml"/>' for key, href in items.items()
    )
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        f"<dc:title>驼铃记</dc:title><dc:creator>佚名</dc:creator></metadata><manifest>{manifest}"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        '<item id="pic" href="a.png" media-type="image/png"/></manifest>'
        f'<spine toc="ncx">{spine}</spine></package>'
    )


def chapter(body: str) -> str:
    start = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
    return f"{start}<body>{body}</body></html>"


PARTS = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OEBPS/内容.opf": opf(
        '<itemref idref="nav"/><itemref idref="c9"/><itemref idref="c1"/><itemref idref="c5" linear="no"/>'
    ),
    "OEBPS/nav.xhtml": NAV,
    "OEBPS/toc.ncx": NCX,
    "OEBPS/text/第9回.xhtml": chapter("<p>第一回 启程</p><p>骆驼四十二匹。</p><aside>注：一匹病倒。</aside>"),
    "OEBPS/text/c1.xhtml": chapter(
        "<h1>第二回</h1><p>收费三钱。</p><table><tr><th>人</th><th>钱</th></tr><tr><td>船夫</td><td>3</td></tr></table>"
    ),
    "OEBPS/text/c5.xhtml": chapter("<script>坏()</script><p>附录里的文字。</p>"),
}


def book(tmp_path: Path, **changed: Any) -> Path:
    path = tmp_path / "书.epub"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (PARTS | {key.replace("__", "/"): value for key, value in changed.items()}).items():
            if text is not None:
                archive.writestr(name, text)
    return path


def pages(path: Path) -> list[Page]:
    return [item for item in load(path) if isinstance(item, Page)]


def test_chapters_come_in_reading_order_with_their_names(tmp_path: Path) -> None:
    document, *read = load(book(tmp_path))
    assert isinstance(document, SourceDocument)
    assert (document.kind, document.title, document.metadata["creator"]) == ("ebook", "驼铃记", "佚名")
    found = [page for page in read if isinstance(page, Page)]
    assert [(page.number, page.location) for page in found] == [
        (1, {"chapter": "第一回 启程"}),
        (2, {"chapter": "第二回 渡河"}),
        (3, {"chapter": "卷首"}),
    ]
    assert found[0].text == "第一回 启程\n\n骆驼四十二匹。\n\n注：一匹病倒。\n"
    # A title in large letters counts as a heading where the book has no other.
    assert [heading.text for heading in found[0].headings] == ["第一回 启程"]
    assert found[1].text.endswith("人 | 钱\n船夫 | 3\n")
    assert len(found[1].tables) == 1
    assert "坏" not in found[2].text


def test_a_contents_page_with_a_text_of_its_own_is_kept(tmp_path: Path) -> None:
    text = NAV.replace(
        "</body>", "<p>本书依据一九三二年的抄本整理，缺页处以方框标出，人名地名一仍其旧。</p></body>"
    )
    assert "抄本" in pages(book(tmp_path, **{"OEBPS/nav.xhtml": text}))[0].text


def test_a_chapter_without_an_entry_goes_on_with_the_one_before(tmp_path: Path) -> None:
    found = pages(book(tmp_path, **{"OEBPS/toc.ncx": None}))
    assert [page.location for page in found][1:] == [{"chapter": "第二回 渡河"}] * 2


def encryption(algorithm: str, uri: str) -> str:
    return (
        '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData><enc:CipherReference URI="{uri}"/>'
        "</enc:CipherData></enc:EncryptedData></encryption>"
    )


def test_a_locked_book_says_so_but_locked_fonts_do_not_matter(tmp_path: Path) -> None:
    fonts = encryption("http://www.idpf.org/2008/embedding", "OEBPS/fonts/a.otf")
    assert len(pages(book(tmp_path, **{"META-INF/encryption.xml": fonts}))) == 3
    locked = encryption("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OEBPS/text/c1.xhtml")
    with pytest.raises(LoadFailed) as failed:
        list(load(book(tmp_path, **{"META-INF/encryption.xml": locked})))
    assert (failed.value.state, failed.value.reason.code) == (FileState.UNSUPPORTED, "drm_protected")


def test_damage_is_named(tmp_path: Path) -> None:
    whole = book(tmp_path)
    for change in ({"OEBPS/内容.opf": "<package"}, {"OEBPS/内容.opf": opf("")}):
        with pytest.raises(LoadFailed) as failed:
            list(load(book(tmp_path, **change)))
        assert failed.value.state is FileState.DAMAGED
    whole = book(tmp_path)
    whole.write_bytes(whole.read_bytes()[:900])
    with pytest.raises(LoadFailed) as failed:
        list(load(whole))
    assert (failed.value.state, failed.value.reason.code) == (FileState.DAMAGED, "damaged_archive")


def test_a_missing_chapter_makes_the_book_partial(tmp_path: Path) -> None:
    *read, missing = load(book(tmp_path, **{"OEBPS/text/c1.xhtml": None}))
    assert isinstance(missing, Missing)
    assert missing.pages == (2,)
    assert sum(isinstance(item, Page) for item in read) == 3


def test_entities_and_paths_that_leave_the_book_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "秘密.txt").write_text("秘密", encoding="utf-8")
    bomb = '<!DOCTYPE p [<!ENTITY a "哈哈哈哈哈哈哈哈"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">' + "".join(
        f'<!ENTITY {chr(c + 1)} "{f"&{chr(c)};" * 10}">' for c in range(ord("b"), ord("m"))
    )
    bomb += f'<!ENTITY x SYSTEM "{(tmp_path / "秘密.txt").as_uri()}">]>'
    found = pages(
        book(
            tmp_path,
            **{
                "OEBPS/text/c5.xhtml": bomb + chapter("<p>附录&m;&x;</p>"),
                "OEBPS/内容.opf": bomb
                + opf('<itemref idref="c5"/>').replace("text/c1.xhtml", "../../../秘密.txt"),
            },
        )
    )
    assert len(found) == 1
    assert len(found[0].text) < 1000
    assert "秘密" not in found[0].text
