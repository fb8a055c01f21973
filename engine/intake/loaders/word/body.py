"""Writes the paragraphs and tables of a Word document in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.intake.encodings import safe
from engine.intake.loaders.lines import Lines
from engine.intake.loaders.ooxml import (
    BrokenPart,
    Package,
    Relation,
    child_of,
    described,
    is_on,
    name_of,
    number_of,
    value_of,
)
from engine.intake.loaders.ooxml_figures import write_figure
from engine.intake.loaders.word.numbering import Numbering
from engine.intake.loaders.word.text import inline_text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

PICTURE = {True: "图片说明：", False: "Picture: "}
COMMENT = {True: "批注：", False: "Comment: "}
_MOST_HEADER_ROWS = 3


@dataclass(slots=True)
class Surroundings:
    """What a paragraph may refer to, shared by all writers of a document."""

    package: Package
    relations: dict[str, Relation]
    numbering: Numbering
    notes: "dict[str, Element]"
    """Footnotes, endnotes and comments by kind and id; each is taken out where it is written."""
    han: bool
    broken: list[str] = field(default_factory=list)
    """Parts that the document shows and that could not be read."""


class Writer:
    """``styles`` gives the heading level of a style, or the word title."""

    def __init__(self, around: Surroundings, styles: dict[str, int | str]) -> None:
        self._around = around
        self._styles = styles
        self.lines = Lines()
        self.title: str | None = None

    def blocks(self, parent: "Element") -> None:
        for element in parent:
            name = name_of(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._table(element)
            elif name in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml"):
                self.blocks(element)

    def _paragraph(self, element: "Element") -> None:
        anchored: list[Element] = []
        text = inline_text(element, anchored).strip("\n")
        properties = child_of(element, "pPr")
        level = self._level(properties)
        label = self._around.numbering.label(properties)
        flat = " ".join(text.split())
        if isinstance(level, int) and flat:
            # A heading's bullet is decoration, its number is part of its name.
            self.lines.heading(level, label.lstrip("- ") + flat)
        elif flat:
            if level == "title" and self.title is None:
                self.title = flat
            first, *rest = text.split("\n")
            self.lines.put(label + (first.strip() if label else first.rstrip()))
            for line in rest:
                self.lines.put(line.rstrip())
        elif not anchored:
            self.lines.gap()
        for item in anchored:
            self._anchored(item)

    def _anchored(self, item: "Element") -> None:
        """A note stands below its paragraph, so that both are found together; so does what is drawn."""
        match name_of(item):
            case "txbxContent":
                self.blocks(item)
            case "docPr":
                if text := described(value_of(item, "descr")):
                    self.lines.put(PICTURE[self._around.han] + safe(text))
            case "graphicData":
                try:
                    write_figure(
                        item, self._around.package, self._around.relations, self.lines, han=self._around.han
                    )
                except BrokenPart as exc:
                    self._around.broken.append(str(exc))
            case name:
                kind = name.removesuffix("Reference")
                note = self._around.notes.pop(f"{kind}{value_of(item, 'id')}", None)
                if note is not None and (text := self._flat(note)):
                    self.lines.put((COMMENT[self._around.han] if kind == "comment" else "") + text)

    def _level(self, properties: "Element | None") -> int | str | None:
        outline = value_of(child_of(properties, "outlineLvl"))
        if outline is not None and outline.isdecimal():
            return int(outline) + 1 if int(outline) < 9 else None
        return self._styles.get(value_of(child_of(properties, "pStyle")) or "")

    def _table(self, table: "Element") -> None:
        rows = [(row, list(_cells(row))) for row in _rows(table)]
        if rows and all(len(cells) == 1 for _, cells in rows):
            # A frame around text rather than a table: what stands in it keeps its lines and headings.
            self.lines.gap()
            for _, cells in rows:
                if not _goes_on(cells[0]):
                    self.blocks(cells[0])
            self.lines.gap()
            return
        # A cell merged downwards has its text in its first row only.
        texts = [["" if _goes_on(cell) else self._flat(cell) for cell in cells] for _, cells in rows]
        header = _header_rows(rows)
        for row in texts:
            while row and not row[-1]:
                row.pop()
        self.lines.table(texts, header=header)

    def _flat(self, parent: "Element") -> str:
        """The text of a cell or a note in one line; of a table in it, with marks between cells and rows."""
        inner = _CellWriter(self._around, {})
        inner.blocks(parent)
        return " ".join(inner.lines.text().split())


class _CellWriter(Writer):
    """Nothing in a cell or a note is a heading of the document, and a table there is no table of the page."""

    def _level(self, properties: "Element | None") -> None:
        return None

    def _table(self, table: "Element") -> None:
        rows = [["" if _goes_on(cell) else self._flat(cell) for cell in _cells(row)] for row in _rows(table)]
        if line := "; ".join(filter(None, (" / ".join(filter(None, row)) for row in rows))):
            self.lines.put(line)


def _header_rows(rows: "Sequence[tuple[Element, list[Element]]]") -> int:
    """How many rows are the header: those marked as such, else the first and what it is merged into."""
    if len(rows) < 2:
        return 0
    count = 0
    while count < len(rows) and is_on(child_of(rows[count][0], "trPr", "tblHeader")):
        count += 1
    if count:
        return count
    count = 1
    while count < min(_MOST_HEADER_ROWS, len(rows) - 1) and any(_goes_on(cell) for cell in rows[count][1]):
        # Only cells that were merged across as well make a header of two rows; a label beside rows does not.
        above = (number_of(value_of(child_of(cell, "tcPr", "gridSpan")), 1) for cell in rows[count - 1][1])
        if max(above, default=1) < 2:
            break
        count += 1
    return count


def _goes_on(cell: "Element") -> bool:
    """Whether a cell is merged into the one above it."""
    merged = child_of(cell, "tcPr", "vMerge")
    return merged is not None and value_of(merged) != "restart"


def _rows(table: "Element") -> "Iterator[Element]":
    for child in table:
        if name_of(child) == "tr":
            if not is_on(child_of(child, "trPr", "del")):
                yield child
        elif name_of(child) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _rows(child)


def _cells(row: "Element") -> "Iterator[Element]":
    for child in row:
        if name_of(child) == "tc":
            # Old files merge to the right by marking the cells that go on.
            across = child_of(child, "tcPr", "hMerge")
            if across is None or value_of(across) == "restart":
                yield child
        elif name_of(child) in ("sdt", "sdtContent", "customXml"):
            yield from _cells(child)
