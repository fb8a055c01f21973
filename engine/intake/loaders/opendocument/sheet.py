"""Sheets of an OpenDocument spreadsheet, row by row: a large one is never in memory as a tree."""

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.documents import Page
from engine.intake.loaders.ooxml import BrokenPart, Package, number_of
from engine.intake.loaders.opendocument.text import MOST_COLUMNS, inline
from engine.intake.loaders.sheet.head import Row
from engine.intake.loaders.sheet.pages import one_line, pages
from engine.intake.loaders.sheet.values import moment, plain

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_NAMESPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TABLE, _OFFICE, _TEXT = _NAMESPACE % "table", _NAMESPACE % "office", _NAMESPACE % "text"
_CELLS = frozenset({_TABLE + "table-cell", _TABLE + "covered-table-cell"})
_WITH_SEPARATORS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_MOST_ROWS = 200
"""A row that is repeated more often was meant to fill the memory, or the sheet down to its end."""


def sheet_pages(package: Package) -> Iterator[Page]:
    """Raises BrokenPart where the content is not XML to its end."""
    sheets = _Sheets(package.read("content.xml"))
    number = 1
    while (name := sheets.next_sheet()) is not None:
        for page in pages(sheets.rows(), first=number, sheet=name, headed=True):
            yield page
            number = page.number + 1


class _Sheets:
    """Steps from sheet to sheet; :meth:`rows` must be used up before the next step."""

    def __init__(self, data: bytes) -> None:
        from lxml import etree

        self._failure = etree.XMLSyntaxError
        self._events = etree.iterparse(
            io.BytesIO(data),
            events=("start", "end"),
            tag=(_TABLE + "table", _TABLE + "table-row"),
            resolve_entities=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )

    def next_sheet(self) -> str | None:
        for event, element in self._walk():
            if event == "start" and element.tag == _TABLE + "table":
                return " ".join((element.get(_TABLE + "name") or "").split())
        return None

    def rows(self) -> Iterator[Row]:
        number = depth = 1
        for event, element in self._walk():
            if element.tag == _TABLE + "table":
                depth += 1 if event == "start" else -1
                if depth == 0:
                    element.clear()
                    return
            elif event == "end" and depth == 1:
                cells, notes = _cells(element)
                repeats = max(1, number_of(element.get(_TABLE + "number-rows-repeated"), 1))
                for step in range(min(repeats, _MOST_ROWS) if cells or notes else 0):
                    yield Row(number + step, list(cells), notes=notes)
                number += repeats
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]

    def _walk(self) -> "Iterator[tuple[str, Element]]":
        try:
            yield from self._events
        except self._failure as exc:
            raise BrokenPart("content.xml") from exc


def _cells(row: "Element") -> tuple[list[str], dict[int, str]]:
    """The texts of a row without the empty ones at its end, and the comments on them by column."""
    cells: list[str] = []
    notes: dict[int, str] = {}
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        if len(cell) and (note := _note(cell)):
            notes[len(cells)] = note
        repeats = number_of(cell.get(_TABLE + "number-columns-repeated"), 1)
        cells += [_shown(cell)] * max(1, min(repeats, MOST_COLUMNS))
        if len(cells) > MOST_COLUMNS:
            break
    while cells and not cells[-1]:
        cells.pop()
    return cells, notes


def _shown(cell: "Element") -> str:
    """What the cell shows, but dates and numbers in the form that those of Excel's sheets have here."""
    value = cell.get(_OFFICE + "value")
    date = cell.get(_OFFICE + "date-value")
    if date and cell.get(_OFFICE + "value-type") == "date":
        return moment(date)
    shown = one_line("\n".join([inline(line) for line in cell if line.tag == _TEXT + "p"]))
    if value is not None and (not shown or _WITH_SEPARATORS.fullmatch(shown)):
        return plain(value)
    return shown


def _note(cell: "Element") -> str:
    lines = [
        inline(line)
        for note in cell.iterchildren(_OFFICE + "annotation")
        for line in note.iterdescendants(_TEXT + "p")
    ]
    return one_line("\n".join(lines))
