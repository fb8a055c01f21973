"""The text of a file by another way than the product's, to see how much of it the product recovers.

Plain and complete rather than good: no reading order, no layout, nothing left out on purpose. Each piece is a
paragraph, a cell or a line; characters of two pieces are never taken for neighbours.
"""

import email
import email.policy
import html
import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pymupdf
from bs4 import BeautifulSoup
from lxml import etree
from striprtf.striprtf import rtf_to_text

Pieces = Iterator[str]

_MARKUP = re.compile(r"[*_`#|>~\[\](){}!=+\\-]+")
_COMMON = re.compile("[的一是在不了有和人这這中大为為上个個国國我以要他时時来來用们們工作日年月]")
_NOT_SHOWN = (
    re.compile(r"\A---\n.*?\n---\n", re.S),
    re.compile(r"<!--.*?-->|\{/\*.*?\*/\}", re.S),
    re.compile(r"^(?:import|export) .*?\n(?=\n)", re.S | re.M),
    re.compile(r"</?[A-Za-z\u4e00-\u9fff][^<>]*>"),
    re.compile(r"(?<=\])\([^()\n]*\)|(?<=\])\[[^\]\n]*\]|^\[[^\]\n]+\]:.*$", re.M),
    re.compile(r"^ *(?:```|~~~).*$", re.M),
)
"""What Markdown and MDX hold besides text, as patterns."""

_UNSEEN = ("script", "style", "template", "noscript", "head")
_PARAGRAPHS = frozenset({"p", "h", "v", "pt"})
"""Local names of what holds a piece of text: DrawingML, WordprocessingML and ODF paragraphs, chart values."""

_TEXTS = frozenset({"t", "v", "tail"})
_DELETED = frozenset({"delText", "instrText", "del", "tracked-changes", "fldData"})


def bigrams(pieces: Pieces) -> set[str]:
    """The distinct pairs of neighbouring characters after NFKC, without blanks."""
    found: set[str] = set()
    for piece in pieces:
        text = "".join(unicodedata.normalize("NFKC", piece).split())
        found.update(text[at : at + 2] for at in range(len(text) - 1))
    return found


def pages(path: Path) -> list[set[str]]:
    """The bigrams of each page of a PDF, of the whole of any other file; none where there is no second way.

    A page at a time, because a whole book holds every common pair somewhere else, too.
    """
    data = path.read_bytes()
    if data.startswith(b"%PDF-"):
        with pymupdf.open(stream=data, filetype="pdf") as document:
            return [bigrams(iter(page.get_text().splitlines())) for page in document]
    extract = _BY_SUFFIX.get(path.suffix.lower())
    return [] if extract is None else [bigrams(extract(data))]


def _zip(data: bytes, wanted: str) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in sorted(archive.namelist()):
            if re.fullmatch(wanted, name):
                yield archive.read(name)


def _office(wanted: str) -> Callable[[bytes], Pieces]:
    def extract(data: bytes) -> Pieces:
        parser = etree.XMLParser(resolve_entities=False, huge_tree=True)
        for part in _zip(data, wanted):
            # In OpenDocument, text stands in its paragraph itself.
            yield from _paragraphs(etree.fromstring(part, parser), is_open=wanted == _OPEN)

    return extract


def _paragraphs(root: etree._Element, is_open: bool) -> Pieces:
    """The text of each paragraph; what stands in a paragraph inside it (a text box) is a piece of its own."""
    stack: list[tuple[etree._Element, list[str] | None]] = [(root, None)]
    lists: list[list[str]] = []
    while stack:
        element, into = stack.pop()
        name = etree.QName(element).localname if isinstance(element.tag, str) else ""
        if name in _DELETED or not name:
            continue
        if name in _PARAGRAPHS:
            into = []
            lists.append(into)
        if name in ("tab", "br", "cr", "s", "line-break") and into is not None:
            into.append(" ")
        # Elsewhere than in these are positions and colours.
        if element.text and into is not None and (name in _TEXTS or is_open):
            into.append(element.text)
        for child in reversed(element):
            if child.tail and into is not None:
                stack.append((_tail(child.tail), into))
            stack.append((child, into))
    for parts in lists:
        yield "".join(parts)


def _tail(text: str) -> etree._Element:
    element = etree.Element("tail")
    element.text = text
    return element


def _sheet(data: bytes) -> Pieces:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        for sheet in book.worksheets:
            sheet.reset_dimensions()
            for row in sheet.iter_rows(values_only=True):
                # Dates and shares are shown in the format of their cell, which is not worked out here.
                yield from (str(value) for value in row if isinstance(value, str | int) and value is not True)
    finally:
        book.close()


def _markup(text: str) -> Pieces:
    soup = BeautifulSoup(text, "html.parser")
    for unseen in soup(_UNSEEN):
        unseen.decompose()
    yield from soup.stripped_strings


def _page(data: bytes) -> Pieces:
    return _markup(_decoded(data))


def _ebook(data: bytes) -> Pieces:
    for part in _zip(data, r".*\.x?html?"):
        yield from _markup(part.decode("utf-8", "replace"))


def _mail(data: bytes) -> Pieces:
    message = email.message_from_bytes(data, policy=email.policy.default)
    yield str(message.get("subject", ""))
    for part in message.walk():
        if part.get_content_type() == "text/html":
            yield from _markup(_decoded(part.get_payload(decode=True)))
        elif part.get_content_type() == "text/plain" and not part.get_filename():
            yield from part.get_content().splitlines()


def _rtf(data: bytes) -> Pieces:
    yield from rtf_to_text(data.decode("latin-1"), errors="ignore").splitlines()


def _text(data: bytes) -> Pieces:
    yield from _decoded(data).splitlines()


def _markdown(data: bytes) -> Pieces:
    """Without what is not shown to a reader: front matter, comments, tags, targets of links, imports."""
    text = "\n".join(_text(data)).removeprefix("\ufeff")
    for unseen in _NOT_SHOWN:
        text = unseen.sub("\n", text)
    for line in html.unescape(text).splitlines():
        yield from _MARKUP.split(line)


def _decoded(data: bytes) -> str:
    """By trial: of the encodings that fit the bytes, the one that gives the most common characters."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    texts = []
    for encoding in ("utf-8-sig", "gb18030", "big5", "utf-16-be", "utf-16-le"):
        try:
            texts.append(data.decode(encoding))
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8-sig":
            return texts[0]
    # Line by line, too: a log may have been written to by programs that did not agree.
    texts.append("\n".join(map(_line, data.split(b"\n"))))
    return max(texts, key=lambda text: len(_COMMON.findall(text)), default=data.decode("gb18030", "replace"))


def _line(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")


_OPEN = r"content\.xml"
_WORD = r"word/(document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml"
_SLIDES = r"ppt/(slides|notesSlides|charts|diagrams)/(slide|notesSlide|chart|data)\d+\.xml"

_BY_SUFFIX: dict[str, Callable[[bytes], Pieces]] = {
    ".docx": _office(_WORD),
    ".docm": _office(_WORD),
    ".pptx": _office(_SLIDES),
    ".xlsx": _sheet,
    ".odt": _office(_OPEN),
    ".odp": _office(_OPEN),
    ".ods": _office(_OPEN),
    ".html": _page,
    ".htm": _page,
    ".mhtml": _mail,
    ".eml": _mail,
    ".epub": _ebook,
    ".rtf": _rtf,
    ".txt": _text,
    ".csv": _text,
    ".md": _markdown,
    ".mdx": _markdown,
}
