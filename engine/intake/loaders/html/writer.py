"""Writes the elements of a web page as lines of text, and notes where headings and tables stand."""

import re
from typing import TYPE_CHECKING

from engine.intake.loaders.lines import Lines

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import NavigableString

_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "header", "ul", "ol", "dl", "dt", "dd", "li", "pre",
    "blockquote", "figure", "figcaption", "details", "summary", "address", "fieldset", "legend", "hr",
    "table", "tr", "caption", "center", "form", "tbody", "thead", "tfoot", "td", "th", "body", "html",
    "nav", "footer", "aside", "dialog",
})  # fmt: skip
_PARAGRAPHS = frozenset({"p", "ul", "ol", "dl", "pre", "blockquote", "table", "article", "section"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MARK = re.compile(r" *(?:-|\d+\.) \s*")
_WIDEST, _TALLEST = 1000, 65534
"""More columns or rows a cell cannot span."""


class Writer:
    """Walks a page and writes its text line by line."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._line: list[str] = []
        self._readings: list[str] = []
        self._verbatim = self._code_start = 0

    def result(self) -> Lines:
        self._end_line()
        return self._lines

    def walk(self, root: "BeautifulSoup | Tag") -> None:
        """A stack instead of recursion: saved pages nest thousands of levels deep."""
        from bs4 import Tag
        from bs4.element import NavigableString, PreformattedString

        stack: list[tuple[object, bool]] = [(root, False)]
        while stack:
            node, closing = stack.pop()
            if isinstance(node, Tag):
                if closing:
                    self._close(node)
                elif self._open(node):
                    stack.append((node, True))
                    stack.extend((child, False) for child in reversed(node.contents))
            elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
                self._add(node)

    def _add(self, node: "NavigableString") -> None:
        self._end_readings()
        text = str(node)
        if self._verbatim:
            first, *rest = text.split("\n")
            self._line.append(first)
            for line in rest:
                self._end_line()
                self._line.append(line)
        else:
            self._line.append(re.sub(r"\s+", " ", text))

    def _open(self, tag: "Tag") -> bool:
        """Begin ``tag``; False when it has been written as a whole."""
        name = tag.name
        if name == "br":
            self._end_line()
        elif name == "img":
            self._line.append(f" {tag.get('alt') or ''} ")
        elif name == "ruby":
            self._ruby(tag)
            return False
        elif name in _HEADINGS:
            self._heading(tag)
            return False
        elif name == "table" and (rows := _data_rows(tag)) is not None:
            self._table(tag, rows)
            return False
        elif name in _BLOCKS:
            self._end_line(keep_mark=name != "li")
            if name in _PARAGRAPHS and not tag.find_parent(["li", "td"]):
                self._lines.gap()
            if name == "pre":
                self._begin_code()
            elif name == "li":
                self._line.append("  " * (len(tag.find_parents(["ul", "ol"])) - 1) + _mark(tag))
        return True

    def _close(self, tag: "Tag") -> None:
        if tag.name in _BLOCKS:
            self._end_line()
            if tag.name == "pre":
                self._verbatim -= 1
                if not self._verbatim:
                    self._lines.end_code(self._code_start)
            if tag.name in _PARAGRAPHS and not tag.find_parent(["li", "td"]):
                self._lines.gap()

    def _begin_code(self) -> None:
        self._verbatim += 1
        if self._verbatim == 1:
            self._code_start = self._lines.length

    def _ruby(self, tag: "Tag") -> None:
        """A word with its reading above it: the reading follows, or no search would find the word."""
        base, reading = _ruby(tag)
        self._line.append(base)
        self._readings.append(reading)

    def _end_readings(self) -> None:
        # Often each character is a ruby of its own: the readings wait until the word is over.
        reading = " ".join(filter(None, self._readings))
        self._readings.clear()
        if reading:
            self._line.append(f"({reading})")

    def _heading(self, tag: "Tag") -> None:
        self._end_line()
        self._lines.heading(int(tag.name[1]), flat_text(tag))

    def _table(self, table: "Tag", rows: "list[tuple[bool, list[str]]]") -> None:
        self._end_line()
        caption = flat_text(table.caption) if table.caption else ""
        header = 0
        while header < len(rows) and rows[header][0]:
            header += 1
        self._lines.table([cells for _, cells in rows], header=header, caption=caption)

    def _end_line(self, *, keep_mark: bool = False) -> None:
        """``keep_mark``: a list item's mark alone waits for the paragraph that begins."""
        self._end_readings()
        text = "".join(self._line)
        if keep_mark and _MARK.fullmatch(text):
            return
        self._line = []
        if not self._verbatim:
            indent = len(text) - len(text.lstrip(" ")) if _MARK.match(text) else 0
            text = " " * indent + " ".join(text.split())
        if text.strip(" -") or (self._verbatim and (text.strip() or self._lines.last)):
            self._lines.put(text.rstrip())


def flat_text(tag: "Tag") -> str:
    """The text of ``tag`` in one line."""
    if tag.find("ruby") is None:
        return " ".join(tag.get_text(" ").split())
    writer = Writer()
    for child in tag.children:
        writer.walk(child)  # type: ignore[arg-type]
    return " ".join(writer.result().text().split())


def _ruby(tag: "Tag") -> tuple[str, str]:
    readings = [flat_text(reading) for reading in tag("rt")]
    base = [
        str(text)
        for text in tag.find_all(string=True)
        if text.find_parent(["rt", "rp", "rtc", "ruby"]) in (tag, None)
    ]
    return "".join("".join(base).split()), " ".join(readings)


def _mark(item: "Tag") -> str:
    if item.parent is None or item.parent.name != "ol":
        return "- "
    number = sum(1 for sibling in item.find_previous_siblings("li")) + 1
    start = item.parent.get("start")
    if isinstance(start, str) and start.isdecimal():
        number += int(start) - 1
    return f"{number}. "


def _data_rows(table: "Tag") -> list[tuple[bool, list[str]]] | None:
    """The rows as (is a header, cells), or None: old pages lay themselves out with tables.

    Those hold tables, headings or whole articles, or they stand in one column.
    """
    if table.get("role") == "presentation" or table.find(["table", "h1", "h2", "h3"]) is not None:
        return None
    if any(len(cell.find_all(["p", "div", "br"])) > 8 for cell in table(["td", "th"])):
        return None
    rows = _rows(table)
    return rows if any(len(cells) > 1 for _, cells in rows) else None


def _rows(table: "Tag") -> list[tuple[bool, list[str]]]:
    """A cell that spans rows is repeated in each, so that every row makes sense."""
    rows: list[tuple[bool, list[str]]] = []
    hanging: dict[int, tuple[str, int]] = {}
    # Wherever it stands in the source, the foot is shown below all others.
    ordered = sorted(table("tr"), key=lambda row: row.parent is not None and row.parent.name == "tfoot")
    header_left = 0
    leading = True
    for row in ordered:
        columns: list[str | None] = []
        below: dict[int, tuple[str, int]] = {}
        cells = row(["td", "th"])
        is_header = leading and (_is_header(row, cells) or header_left > 0)
        header_left -= 1
        for cell in [*cells, None]:
            while len(columns) in hanging:
                text, left = hanging.pop(len(columns))
                if left > 1:
                    below[len(columns)] = (text, left - 1)
                columns.append(text)
            if cell is None:
                break
            text = flat_text(cell)
            rowspan = _number(cell.get("rowspan"), _TALLEST)
            if rowspan > 1:
                below[len(columns)] = (text, rowspan - 1)
                if is_header and text:
                    header_left = max(header_left, rowspan - 1)
            columns.append(text)
            columns.extend([None] * (_number(cell.get("colspan"), _WIDEST) - 1))
        hanging = below
        texts = [text for text in columns if text is not None]
        if any(texts):
            rows.append((is_header, texts))
            leading = is_header
    if rows and all(header for header, _ in rows):
        rows = [(False, texts) for _, texts in rows]
    return rows


def _is_header(row: "Tag", cells: "list[Tag]") -> bool:
    if row.parent is not None and row.parent.name == "thead":
        return True
    if all(cell.name == "th" for cell in cells):
        return bool(cells)
    # Without th, a first row all in bold is what people make.
    return all(
        not (text := flat_text(cell)) or any(flat_text(bold) == text for bold in cell(["b", "strong"]))
        for cell in cells
    ) and any(flat_text(cell) for cell in cells)


def _number(value: object, most: int) -> int:
    return max(1, min(int(value), most)) if isinstance(value, str) and value.isdecimal() else 1
