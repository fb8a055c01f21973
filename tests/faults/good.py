"""Makers of sound files, one a format; each holds the one sentence that it is given."""

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pptx
import pymupdf
from odf.opendocument import OpenDocumentText
from odf.text import P

Maker = Callable[[Path, str], None]

_EPUB = {
    "META-INF/container.xml": """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>""",
    "OEBPS/book.opf": """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">1</dc:identifier>
<dc:title>一本书</dc:title><dc:language>zh</dc:language></metadata>
<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="c"/></spine></package>""",
}
CHAPTER = """<?xml version="1.0" encoding="utf-8"?>{doctype}
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>第一章</title></head>
<body><h1>第一章</h1><p>{text}</p></body></html>"""

_MAIL = """From: =?utf-8?b?5p2O5YWI55Sf?= <li@example.com>
To: office@example.com
Subject: =?utf-8?b?6aG555uu6aKE566X?=
Date: Mon, 18 Mar 2024 09:00:00 +0800
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

{text}
"""

_SAVED_PAGE = """From: <Saved by Blink>
Snapshot-Content-Location: https://example.com/
Subject: page
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="----MultipartBoundary--x"

------MultipartBoundary--x
Content-Type: text/html
Content-Transfer-Encoding: 8bit
Content-Location: https://example.com/

<html><head><meta charset="utf-8"></head><body><p>{text}</p></body></html>
------MultipartBoundary--x--
"""


def plain(encoding: str = "utf-8", form: str = "{text}\n") -> Maker:
    """A text file; ``form`` says what stands around the sentence."""

    def make(path: Path, text: str) -> None:
        path.write_bytes(form.format(text=text).encode(encoding))

    return make


def repeated(count: int, between: str = "") -> Maker:
    """The sentence once, after ``count`` others, all on one line."""

    def make(path: Path, text: str) -> None:
        path.write_text(between.join(f"第{n}项记录的数值是{n * 37}，" for n in range(count)) + text, "utf-8")

    return make


html = plain(form="<html><head><title>网页</title></head><body><p>{text}</p></body></html>")
csv = plain(form="名称,说明\n甲,{text}\n乙,没有\n")
mail = plain(form=_MAIL)
saved_page = plain(form=_SAVED_PAGE)
rtf_head = r"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0 SimSun;}}\f0\fs24 "


def rtf(path: Path, text: str) -> None:
    units = struct.unpack(f"<{len(text.encode('utf-16-le')) // 2}h", text.encode("utf-16-le"))
    path.write_text(rtf_head + "".join(rf"\u{unit}?" for unit in units) + r"\par}", "ascii")


def pdf(path: Path, text: str, **how: object) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((60, 80), text, fontname="china-s", fontsize=12)
    document.save(path, **how)
    document.close()


def word(path: Path, text: str) -> None:
    document = docx.Document()
    document.add_heading("一、总则", 1)
    document.add_paragraph(text)
    document.save(str(path))


def word_with_macros(path: Path, text: str) -> None:
    """Like :func:`word`, with the content type of a document that may hold macros."""
    word(path, text)
    plain_type = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    macro_type = b"application/vnd.ms-word.document.macroEnabled.main+xml"
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(plain_type, macro_type)
    archive_of(path, parts)


def slides(path: Path, text: str) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "第一页"
    slide.placeholders[1].text = text
    deck.save(str(path))


def sheet(path: Path, text: str) -> None:
    book = openpyxl.Workbook()
    book.active.append(["名称", "说明"])
    book.active.append(["甲", text])
    book.save(path)
    book.close()


def opendocument(path: Path, text: str) -> None:
    document = OpenDocumentText()
    document.text.addElement(P(text=text))
    document.save(str(path))


def ebook(path: Path, text: str, doctype: str = "") -> None:
    parts: dict[str, bytes] = {"mimetype": b"application/epub+zip"}
    parts |= {name: content.encode() for name, content in _EPUB.items()}
    parts["OEBPS/c.xhtml"] = CHAPTER.format(text=text, doctype=doctype).encode()
    archive_of(path, parts)


def archive_of(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
