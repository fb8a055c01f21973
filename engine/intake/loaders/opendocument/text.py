"""Paragraphs, lists, tables, notes and frames of OpenDocument, as lines."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.intake.encodings import safe
from engine.intake.loaders.lines import Lines
from engine.intake.loaders.ooxml import BrokenPart, Package, below, child_of, name_of, number_of, value_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SKIPPED = frozenset({
    "tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls", "event-listeners",
    "dde-connection-decls", "table-of-content", "index-title-template", "annotation-end", "soft-page-break",
    "desc", "title", "image", "ruby-text", "bookmark", "bookmark-start", "bookmark-end", "change",
    "change-start", "change-end", "named-expressions", "database-ranges", "tab-stops", "creator", "date",
    "note-citation",
})  # fmt: skip
_OWN_LINES = frozenset({
    "frame", "text-box", "custom-shape", "rect", "ellipse", "g", "object", "annotation", "note",
})  # fmt: skip
MOST_COLUMNS, _MOST_ROWS = 1024, 200
"""More repeats of one cell or row than these only fill the memory."""
_DEEPEST_OBJECT = 3


class Styles:
    """What lists look like: numbered or not, by style and level."""

    def __init__(self, *roots: "Element | None") -> None:
        self._numbered: dict[tuple[str, int], bool] = {}
        for root in roots:
            for style in below(root, "list-style"):
                name = value_of(style, "name") or ""
                for level in style:
                    depth = number_of(value_of(level, "level"), 1)
                    is_number = name_of(level) == "list-level-style-number"
                    self._numbered[name, depth] = is_number and bool(value_of(level, "num-format"))

    def is_numbered(self, style: str, depth: int) -> bool:
        return self._numbered.get((style, depth), False)


class Writer:
    """Writes blocks to ``lines`` in document order."""

    def __init__(self, styles: Styles, package: Package, depth: int = 0) -> None:
        self.lines = Lines()
        self._styles = styles
        self._package = package
        self._depth = depth

    def blocks(self, parent: "Element") -> None:
        for element in parent:
            self.block(element)

    def block(self, element: "Element", indent: str = "") -> None:
        name = name_of(element)
        if not name or name in _SKIPPED:
            return
        if name in ("p", "h"):
            self._paragraph(element, indent)
        elif name == "list":
            self._list(element, value_of(element, "style-name") or "", 1)
        elif name == "table":
            self._table(element)
        elif name == "object":
            self._object(element)
        elif name == "frame":
            # A picture of the same thing stands behind it, for programs that cannot show it.
            self.blocks(element)
            if (described := child_of(element, "desc")) is not None and (text := flat(described)):
                self.lines.put(text)
        else:
            self.blocks(element)

    def _paragraph(self, element: "Element", indent: str = "") -> None:
        aside: list[Element] = []
        text = safe(inline(element, aside)).strip("\n")
        one_line = " ".join(text.split())
        if name_of(element) == "h" and one_line:
            self.lines.heading(max(1, number_of(value_of(element, "outline-level"), 1)), one_line)
        elif one_line:
            first, *rest = text.split("\n")
            self.lines.put((indent + first.strip()).rstrip())
            for line in rest:
                self.lines.put(" " * len(indent) + line.strip())
        elif not aside:
            self.lines.gap()
        for item in aside:
            # Notes and frames stand below the paragraph that they belong to.
            if name_of(item) in ("note", "annotation"):
                if text := self._flat(item):
                    self.lines.put(text)
            else:
                self.block(item)

    def _list(self, element: "Element", style: str, depth: int) -> None:
        number = 1
        numbered = self._styles.is_numbered(style, depth)
        for item in element:
            if name_of(item) not in ("list-item", "list-header"):
                continue
            number = number_of(value_of(item, "start-value"), number)
            mark = f"{number}. " if numbered else "- "
            indent = "  " * (depth - 1) + (mark if name_of(item) == "list-item" else "")
            for child in item:
                if name_of(child) == "list":
                    self._list(child, value_of(child, "style-name") or style, depth + 1)
                else:
                    # A heading may be an item of an outline; its number is not a part of it.
                    self.block(child, indent)
                    indent = " " * len(indent)
            number += name_of(item) == "list-item"

    def _table(self, table: "Element") -> None:
        rows: list[list[str]] = []
        header = 0
        hanging: dict[int, tuple[int, str]] = {}
        for row, is_header in table_rows(table):
            cells: list[str] = []
            below_it: dict[int, tuple[int, str]] = {}
            for cell, repeats in row_cells(row):
                column = len(cells)
                left, text = hanging.get(column, (0, ""))
                if name_of(cell) != "covered-table-cell":
                    text = self._flat(cell)
                    left = number_of(value_of(cell, "number-rows-spanned"), 1)
                # A cell that spans rows is repeated in each, so that every row makes sense.
                cells += [text if left > 0 else ""] * repeats
                if left > 1:
                    below_it[column] = (left - 1, text)
            hanging = below_it
            while cells and not cells[-1]:
                cells.pop()
            if is_header and header == len(rows) and any(cells):
                header += 1
            repeats = min(number_of(value_of(row, "number-rows-repeated"), 1), _MOST_ROWS)
            rows += [cells] * (repeats if any(cells) else 0)
        self.lines.table(rows, header=header if header < len(rows) else 0)

    def _object(self, element: "Element") -> None:
        """A chart or a table of another document in this one; formulas have no text to read."""
        name = (value_of(element, "href") or "").removeprefix("./").strip("/")
        if not name or self._depth >= _DEEPEST_OBJECT:
            self.blocks(element)
            return
        try:
            root = self._package.root(f"{name}/content.xml")
        except BrokenPart:
            return
        inner = Writer(Styles(root), self._package, self._depth + 1)
        body = child_of(root, "body")
        inner.blocks(root if body is None else body)
        self.lines.gap()
        self.lines.add(inner.lines.text(), (), inner.lines.tables)

    def _flat(self, element: "Element") -> str:
        inner = Writer(self._styles, self._package, self._depth)
        inner.blocks(element)
        return " ".join(inner.lines.text().split())


def table_rows(table: "Element", *, is_header: bool = False) -> "Iterator[tuple[Element, bool]]":
    for child in table:
        name = name_of(child)
        if name == "table-row":
            yield child, is_header
        elif name in ("table-header-rows", "table-rows", "table-row-group"):
            yield from table_rows(child, is_header=is_header or name == "table-header-rows")


def row_cells(row: "Element") -> "Iterator[tuple[Element, int]]":
    """The cells of a row, each with how many times it stands there."""
    for cell in row:
        if name_of(cell) in ("table-cell", "covered-table-cell"):
            repeats = max(1, number_of(value_of(cell, "number-columns-repeated"), 1))
            yield cell, min(repeats, MOST_COLUMNS)


def inline(element: "Element", aside: "list[Element] | None" = None) -> str:
    """The text of a paragraph; what is anchored in it is put into ``aside``, or left out without it."""
    parts: list[str] = [_unbroken(element.text)]
    for child in element:
        name = name_of(child)
        if name == "s":
            parts.append(" " * min(number_of(value_of(child, "c"), 1), 100))
        elif name == "tab":
            parts.append(" ")
        elif name == "line-break":
            parts.append("\n")
        elif name in _OWN_LINES:
            if aside is not None:
                aside.append(child)
        elif name and name not in _SKIPPED:
            parts.append(inline(child, aside))
        parts.append(_unbroken(child.tail))
    return "".join(parts)


def _unbroken(text: str | None) -> str:
    # Line breaks in the file are blanks; those of the author are elements.
    return (text or "").replace("\n", " ").replace("\r", " ")


def flat(element: "Element") -> str:
    """All text in ``element``, in one line."""
    return " ".join(safe(" ".join(map(str, element.itertext()))).split())
