"""Word documents, read from their XML: python-docx leaves out insertions, controls and text boxes.

It also refuses macro and Strict files; the few elements that carry text are quickly read directly.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.documents import FileState, Heading, Page, Reason, SourceDocument
from engine.intake.encodings import safe
from engine.intake.loaders import LoadFailed, LoadItem, Source

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_HEADING_NAME = re.compile(r"(?:heading|标题) ?([1-9])$", re.IGNORECASE)
_SKIPPED = frozenset({"del", "moveFrom", "instrText", "delText", "pPr", "rPr", "sectPr", "tblPr"})


def read(source: Source) -> Iterator[LoadItem]:
    body, styles, properties, notes = _open(source)
    writer = _Writer(styles, notes)
    writer.blocks(body)
    title = writer.title or next((h.text for h in writer.headings if h.level == 1), None)
    yield SourceDocument("word", title or source.path.stem, title_from_name=title is None, metadata=properties)
    yield Page(1, writer.text(), headings=tuple(writer.headings))


def _open(source: Source) -> "tuple[Element, dict[str, int | str], dict[str, Any], dict[str, Element]]":
    from lxml import etree

    # No entities: a document that refers to others is out to read files or to fill the memory.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True)
    try:
        with source.open() as stream, zipfile.ZipFile(stream) as archive:
            names = set(archive.namelist())
            document = etree.fromstring(archive.read("word/document.xml"), parser)
            styles, core, footnotes, endnotes = (
                etree.fromstring(archive.read(name), parser) if name in names else None
                for name in (
                    "word/styles.xml",
                    "docProps/core.xml",
                    "word/footnotes.xml",
                    "word/endnotes.xml",
                )
            )
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError) as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged_archive")) from exc
    except RuntimeError as exc:  # zipfile's word for an entry with a password
        raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed")) from exc
    except etree.XMLSyntaxError as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "XML"})) from exc
    body = next((child for child in document if _name(child) == "body"), document)
    notes = {
        f"{_name(note)}{_value(note, 'id')}": note
        for part in (footnotes, endnotes)
        for note in (() if part is None else part)
    }
    return body, _heading_styles(styles), _properties(core), notes


def _name(element: "Element") -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _value(element: "Element | None", name: str = "val") -> str | None:
    if element is None:
        return None
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def _child(element: "Element | None", *names: str) -> "Element | None":
    for name in names:
        if element is None:
            return None
        element = next((child for child in element if _name(child) == name), None)
    return element


def _heading_styles(styles: "Element | None") -> dict[str, int | str]:
    """Style id → heading level from 1, or the word title."""
    levels: dict[str, int | str] = {}
    based: dict[str, str] = {}
    for style in () if styles is None else styles:
        style_id = _value(style, "styleId")
        if _name(style) != "style" or not style_id:
            continue
        name = _value(_child(style, "name")) or ""
        outline = _value(_child(style, "pPr", "outlineLvl"))
        match = _HEADING_NAME.match(name)
        if name.lower() in ("title", "标题"):
            levels[style_id] = "title"
        elif match:
            levels[style_id] = int(match[1])
        elif outline is not None and outline.isdecimal() and int(outline) < 9:
            levels[style_id] = int(outline) + 1
        elif (parent := _value(_child(style, "basedOn"))) is not None:
            based[style_id] = parent
    for style_id, parent in based.items():
        for _ in range(12):
            if parent in levels:
                levels[style_id] = levels[parent]
                break
            parent = based.get(parent, "")
    return levels


def _properties(core: "Element | None") -> dict[str, Any]:
    wanted = ("title", "subject", "creator", "keywords", "created", "modified")
    items = () if core is None else core
    return {_name(item): item.text for item in items if _name(item) in wanted and item.text}


class _Writer:
    """Writes paragraphs and tables in document order."""

    def __init__(self, styles: dict[str, int | str], notes: "dict[str, Element]") -> None:
        self._styles = styles
        self._notes = notes
        self._lines: list[str] = []
        self._length = 0
        self.headings: list[Heading] = []
        self.title: str | None = None

    def text(self) -> str:
        return "\n".join(self._lines) + ("\n" if self._lines else "")

    def blocks(self, parent: "Element") -> None:
        for element in parent:
            name = _name(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._table(element)
            elif name in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml"):
                self.blocks(element)

    def _paragraph(self, element: "Element") -> None:
        boxes: list[Element] = []
        text = _inline(element, boxes).strip("\n")
        level = self._level(element)
        flat = " ".join(text.split())
        if isinstance(level, int) and flat:
            self._gap()
            self.headings.append(Heading(self._length, level, flat))
            self._put(flat)
            self._gap()
        elif flat:
            if level == "title" and self.title is None:
                self.title = flat
            for line in text.split("\n"):
                self._put(line.rstrip())
        elif not boxes:
            self._gap()
        for box in boxes:
            if _name(box) == "txbxContent":
                self.blocks(box)
            else:
                self._note(f"{_name(box).removesuffix('Reference')}{_value(box, 'id')}")

    def _note(self, key: str) -> None:
        """A footnote stands below its paragraph, so that both are found together."""
        note = self._notes.pop(key, None)
        if note is not None and (text := _flat(note)):
            self._put(text)

    def _level(self, element: "Element") -> int | str | None:
        properties = _child(element, "pPr")
        outline = _value(_child(properties, "outlineLvl"))
        if outline is not None and outline.isdecimal():
            return int(outline) + 1 if int(outline) < 9 else None
        return self._styles.get(_value(_child(properties, "pStyle")) or "")

    def _table(self, table: "Element") -> None:
        self._gap()
        for row in _rows(table):
            cells: list[str] = []
            for cell in _cells(row):
                # A cell merged downwards has its text in its first row only.
                merged = _child(cell, "tcPr", "vMerge")
                goes_on = merged is not None and _value(merged) != "restart"
                cells.append("" if goes_on else _flat(cell, self._notes))
            if any(cells):
                self._put(" | ".join(cells).rstrip(" |"))
        self._gap()

    def _put(self, line: str) -> None:
        self._lines.append(line)
        self._length += len(line) + 1

    def _gap(self) -> None:
        if self._lines and self._lines[-1]:
            self._put("")


def _rows(table: "Element") -> "Iterator[Element]":
    for child in table:
        if _name(child) == "tr":
            yield child
        elif _name(child) in ("sdt", "sdtContent", "ins"):
            yield from _rows(child)


def _cells(row: "Element") -> "Iterator[Element]":
    for child in row:
        if _name(child) == "tc":
            yield child
        elif _name(child) in ("sdt", "sdtContent"):
            yield from _cells(child)


def _flat(parent: "Element", notes: "dict[str, Element] | None" = None) -> str:
    """The text of a cell or a note in one line."""
    inner = _Writer({}, {} if notes is None else notes)
    inner.blocks(parent)
    return " ".join(inner.text().split())


def _inline(element: "Element", boxes: "list[Element]") -> str:
    """The text of a paragraph; text boxes and notes anchored in it are put into ``boxes``."""
    parts: list[str] = []
    for child in element:
        name = _name(child)
        if name in _SKIPPED:
            continue
        if name == "t":
            parts.append(child.text or "")
        elif name == "tab":
            parts.append("\t")
        elif name in ("br", "cr"):
            parts.append("\n")
        elif name == "noBreakHyphen":
            parts.append("-")
        elif name in ("txbxContent", "footnoteReference", "endnoteReference"):
            boxes.append(child)
        elif name == "AlternateContent":
            # The same box twice, for newer and for older programs.
            choice = _child(child, "Choice")
            shown = choice if choice is not None else _child(child, "Fallback")
            parts.append(_inline(shown, boxes) if shown is not None else "")
        else:
            parts.append(_inline(child, boxes))
    return safe("".join(parts))
