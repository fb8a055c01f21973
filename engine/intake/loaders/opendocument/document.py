"""OpenDocument texts, presentations and spreadsheets (.odt, .odp, .ods), read from their XML.

Not by odfpy: it makes Python objects of every element first, and what is deleted, repeated or hidden would
have to be told apart here all the same.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Source
from engine.intake.loaders.ooxml import BrokenPart, Package, below, child_of, holds_han, name_of, value_of
from engine.intake.loaders.opendocument.sheet import sheet_pages
from engine.intake.loaders.opendocument.text import Styles, Writer, flat

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SHEETS = re.compile(rb"<office:body[^>]*>\s*<office:spreadsheet\b")
_NOTES = {True: "备注：", False: "Notes:"}


def read(source: Source) -> Iterator[LoadItem]:
    """A text is one page, a presentation has a page a slide, a spreadsheet some for each sheet.

    Raises:
        LoadFailed: it is damaged or encrypted.
        OSError: it cannot be read.
    """
    with Package(source) as package:
        _refuse_encrypted(package)
        try:
            metadata = _metadata(package)
            kind, pages = _pages(package)
            first = next(pages, None)
            title = str(metadata.get("title", "")) or _first_heading(first, kind)
            yield SourceDocument(
                {"spreadsheet": "sheet", "presentation": "slides"}.get(kind, "word"),
                title or source.path.stem,
                title_from_name=not title,
                metadata=metadata,
            )
            if first is not None:
                yield first
            yield from pages
        except BrokenPart as exc:
            raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "OpenDocument"})) from exc


def _refuse_encrypted(package: Package) -> None:
    manifest = package.root_or_none("META-INF/manifest.xml")
    if any(True for _ in below(manifest, "encryption-data")):
        raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed"))


def _pages(package: Package) -> tuple[str, Iterator[Page]]:
    """What kind of document it is, and its pages; a spreadsheet is not read at once."""
    if _SHEETS.search(package.read("content.xml")):
        return "spreadsheet", sheet_pages(package)
    root = package.root("content.xml")
    body = child_of(root, "body")
    if body is None or len(body) == 0:
        raise BrokenPart("content.xml")
    styles = Styles(root, package.root_or_none("styles.xml"))
    kind = name_of(body[0])
    return kind, (_slides if kind == "presentation" else _text)(package, body[0], styles)


def _metadata(package: Package) -> dict[str, Any]:
    wanted = ("title", "subject", "description", "creator", "initial-creator", "creation-date", "keyword")
    items = child_of(package.root_or_none("meta.xml"), "meta")
    return {
        name_of(item): text
        for item in (() if items is None else items)
        if name_of(item) in wanted and (text := flat(item))
    }


def _first_heading(page: Page | None, kind: str) -> str:
    if page is None or kind == "spreadsheet":
        return ""
    return next((heading.text for heading in page.headings if heading.level == 1), "")


def _text(package: Package, body: "Element", styles: Styles) -> Iterator[Page]:
    writer = Writer(styles, package)
    writer.blocks(body)
    lines = writer.lines
    yield Page(1, lines.text(), headings=tuple(lines.headings), tables=tuple(lines.tables))


def _slides(package: Package, body: "Element", styles: Styles) -> Iterator[Page]:
    han = any(holds_han(item.text or "") for item in below(body, "p", "span", "h"))
    slides = [slide for slide in body if name_of(slide) == "page"]
    for number, slide in enumerate(slides, 1):
        writer = Writer(styles, package)
        lines = writer.lines
        shapes = [shape for shape in slide if name_of(shape) != "notes"]
        for shape in shapes:
            if value_of(shape, "class") == "title":
                lines.heading(1, flat(shape))
        for shape in shapes:
            if value_of(shape, "class") != "title":
                writer.block(shape)
        notes = Writer(styles, package)
        for shape in slide.iterchildren():
            if name_of(shape) == "notes":
                notes.blocks(shape)
        if text := notes.lines.text().strip("\n"):
            lines.gap()
            lines.put(_NOTES[han])
            lines.add(text, (), notes.lines.tables)
        yield Page(
            number,
            lines.text(),
            location={"slide": number},
            headings=tuple(lines.headings),
            tables=tuple(lines.tables),
        )
