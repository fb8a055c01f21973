"""Makers of files that are broken, locked, or made to harm."""

import contextlib
import io
import os
import socket
import zipfile
from pathlib import Path

import pymupdf
from msoffcrypto.format.ooxml import OOXMLFile

from tests.faults import good
from tests.faults.good import Maker
from tests.intake.ole import ole

OLD_WORD = ole({"WordDocument": bytes(600)})
OLE_HEAD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
"""The head of Microsoft's old container, and nothing in it."""

_ENTITIES = '<!DOCTYPE lolz [<!ENTITY a0 "哈哈哈哈哈哈哈哈哈哈">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
)
LAUGHS = _ENTITIES + "]>"
"""Ten thousand million characters, once it is expanded."""

_WORD = """<?xml version="1.0" encoding="UTF-8"?>{doctype}
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
<w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>"""


def data(content: bytes) -> Maker:
    def make(path: Path, text: str) -> None:
        path.write_bytes(content)

    return make


def nothing(path: Path, text: str) -> None:
    path.touch()


def cut(make: Maker, share: float) -> Maker:
    """A download that broke off."""

    def cut_off(path: Path, text: str) -> None:
        make(path, text)
        content = path.read_bytes()
        path.write_bytes(content[: int(len(content) * share)])

    return cut_off


def locked_pdf(path: Path, text: str) -> None:
    good.pdf(path, text, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="星桥", owner_pw="所有者")


def locked_word(path: Path, text: str) -> None:
    good.word(path, text)
    with path.open("rb") as plain, contextlib.closing(io.BytesIO()) as target:
        OOXMLFile(plain).encrypt("星桥", target)
        content = target.getvalue()
    path.write_bytes(content)


def pictures(stamp: str = "") -> Maker:
    """Three pages that are pictures, each with the same stamp if there is one."""

    def make(path: Path, text: str) -> None:
        document = pymupdf.open()
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20))
        pixmap.clear_with(200)
        for _ in range(3):
            page = document.new_page(width=300, height=300)
            page.insert_image(page.rect, pixmap=pixmap)
            if stamp:
                page.insert_text((20, 150), stamp, fontname="china-s", fontsize=12)
        document.save(path)
        document.close()

    return make


def unmapped(path: Path, text: str) -> None:
    """A font whose glyphs have no characters recorded: it looks right and reads as rubbish."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_font(fontname="f0", fontbuffer=pymupdf.Font("china-s").buffer)
    page.insert_text((60, 80), text, fontname="f0", fontsize=12)
    for xref in range(1, document.xref_length()):
        if document.xref_get_key(xref, "ToUnicode")[0] != "null":
            document.xref_set_key(xref, "ToUnicode", "null")
    document.save(path)
    document.close()


def word_bomb(path: Path, text: str) -> None:
    """Eighty megabytes of blanks in eighty kilobytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b" " * (80 << 20))


def laughing_word(path: Path, text: str) -> None:
    good.word(path, text)
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["word/document.xml"] = _WORD.format(doctype=LAUGHS, text="&a9;").encode()
    good.archive_of(path, parts)


def laughing_page(path: Path, text: str) -> None:
    path.write_text(f"{LAUGHS}<html><body><p>{text}</p><p>&a9;</p></body></html>", "utf-8")


def laughing_book(path: Path, text: str) -> None:
    good.ebook(path, text + "&a9;", doctype=LAUGHS)


def nested_archive(path: Path, text: str) -> None:
    """Archives in archives, five deep."""
    content, name = text.encode(), "里.txt"
    for depth in range(5):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(name, content)
        content, name = buffer.getvalue(), f"{depth}.zip"
    path.write_bytes(content)


# -- what is no file, or cannot be opened ---------------------------------------------------------


def pipe(path: Path, text: str) -> None:
    os.mkfifo(path)


def socket_file(path: Path, text: str) -> None:
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)  # the whole path may be longer than an address can be


def link(target: str) -> Maker:
    return lambda path, text: path.symlink_to(target)


def link_to_file(outside: Path) -> Maker:
    """A link to a file that stands in another folder."""

    def make(path: Path, text: str) -> None:
        target = outside / "别处.txt"
        target.write_text(text, encoding="utf-8")
        path.symlink_to(target)

    return make


def without_permission(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0)


def folder_of(name: str) -> Maker:
    """A folder, with one file in it that would be read if the folder were."""

    def make(path: Path, text: str) -> None:
        path.mkdir()
        (path / name).write_text(text, encoding="utf-8")

    return make
