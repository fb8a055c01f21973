"""Excel workbooks (.xlsx, .xlsm), streamed row by row.

Every sheet is read, also hidden ones, and hidden rows and columns: a person can show them again, and a
search that leaves them out would hide that they exist. A formula gives the value that was stored with it,
else itself (``=D2*E2``): programs that write workbooks often store none. Cells merged downwards are
repeated in each row, so that every row makes sense; merged across, they stand once.
"""

import re
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source
from engine.intake.loaders.sheet.head import Row
from engine.intake.loaders.sheet.pages import one_line, pages
from engine.intake.loaders.sheet.parts import Beside, Sheet, Workbook, local, place, rich_text, unescape
from engine.intake.loaders.sheet.values import moment, plain

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_USUAL_NAME = re.compile(r"(?:sheet|工作表|表|feuil|tabelle|シート)\s*\d*", re.IGNORECASE)
_MERGED = re.compile(rb"<(?:\w+:)?(mergeCell|autoFilter)\s[^>]*?\bref=[\"']([A-Z]+\d+):([A-Z]+\d+)[\"']")
_BLOCK = 1 << 20
_LAST_COLUMN = 16_384
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, IndexError, ValueError, NotImplementedError)


def read(source: Source) -> Iterator[LoadItem]:
    """Sheet by sheet; what is damaged in one leaves the others readable."""
    from lxml import etree

    damage = (*_DAMAGE, etree.XMLSyntaxError)
    try:
        with source.open() as stream, zipfile.ZipFile(stream) as archive:
            book = Workbook(archive)
            # Without them no sheet can be understood; they are read here so that damage ends the file.
            book.strings, book.formats  # noqa: B018
            yield SourceDocument("sheet", source.path.stem, title_from_name=True)
            yield from _sheets(book, damage)
    except damage as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged_archive")) from exc
    except RuntimeError as exc:  # zipfile's word for an entry with a password
        raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed")) from exc


def _sheets(book: Workbook, damage: tuple[type[Exception], ...]) -> Iterator[LoadItem]:
    number = 0
    broken: list[int] = []
    for sheet in book.sheets:
        rows = _Rows(book, sheet, damage)
        headed = len(book.sheets) > 1 or not _USUAL_NAME.fullmatch(sheet.name)
        before = number
        for page in pages(
            rows,
            first=number + 1,
            sheet=sheet.name,
            headed=headed and bool(sheet.name),
            header_row=rows.header_row,
            loose=rows.beside.loose,
        ):
            yield page
            number = page.number
        if rows.is_damaged:
            if number == before:
                number += 1
                yield Page(number, "", location={"sheet": sheet.name, "rows": [1, 1]})
            broken.append(number)
    if broken:
        reason = Reason("pages_damaged", {"missing": len(broken), "pages": number})
        alone = FileState.DAMAGED, Reason("damaged_archive")
        yield Missing(tuple(broken), reason, alone=alone)


class _Rows:
    """The rows of a sheet that are not empty. ``is_damaged`` is known when the last one has come."""

    def __init__(self, book: Workbook, sheet: Sheet, damage: tuple[type[Exception], ...]) -> None:
        self._book, self._sheet, self._damage = book, sheet, damage
        self.is_damaged = sheet.part is None
        self.header_row: int | None = None
        self.beside = Beside()
        self._down: list[tuple[int, int, int]] = []
        self._wide: dict[int, dict[int, int]] = {}
        self._columns: dict[str, int] = {}
        self._shared: dict[str, tuple[str, str]] = {}
        try:
            self.beside = book.beside(sheet)
            if sheet.part is not None and not sheet.is_chart:
                self._find_merged(sheet.part)
        except damage:
            self.is_damaged = True

    def __iter__(self) -> Iterator[Row]:
        if self._sheet.part is None or self._sheet.is_chart:
            return
        comments = deque(sorted(self.beside.comments.items()))
        merged: dict[int, tuple[int, str]] = {}
        waiting = iter(self._down)
        next_down = next(waiting, None)
        try:
            for number, values in self._read(self._sheet.part):
                while comments and comments[0][0] < number:
                    yield Row(comments[0][0], [], {}, comments.popleft()[1])
                while next_down is not None and next_down[0] < number:
                    next_down = next(waiting, None)
                if merged:
                    merged = {column: held for column, held in merged.items() if held[0] >= number}
                    for column, (_, text) in merged.items():
                        values.setdefault(column, text)
                while next_down is not None and next_down[0] == number:
                    if next_down[2] in values:
                        merged[next_down[2]] = next_down[1], values[next_down[2]]
                    next_down = next(waiting, None)
                notes = comments.popleft()[1] if comments and comments[0][0] == number else {}
                cells = [values.get(column, "") for column in range(max(values) + 1)]
                yield Row(number, cells, self._wide.get(number, {}), notes)
        except self._damage:
            self.is_damaged = True
        for number, notes in comments:
            yield Row(number, [], {}, notes)

    def _find_merged(self, part: str) -> None:
        """Merged cells and the filter's row: they stand below the cells, but are needed before them."""
        rest = b""
        with self._book.open(part) as stream:
            while block := stream.read(_BLOCK):
                # Only a piece of what could begin here is kept, not a sheet without any line break.
                text = rest + block
                for match in _MERGED.finditer(text) if b"mergeCell" in text or b"autoFilter" in text else ():
                    first, top = place(match[2].decode())
                    last, bottom = place(match[3].decode())
                    if match[1] == b"autoFilter":
                        self.header_row = top
                        continue
                    if last > first:
                        self._wide.setdefault(top, {})[first] = last - first + 1
                    if bottom > top:
                        self._down.append((top, bottom, first))
                rest = text[max(text.rfind(b"<"), len(text) - 4096, 0) :]
        self._down.sort()

    def _read(self, part: str) -> Iterator[tuple[int, dict[int, str]]]:
        number = 0
        for element in self._book.elements(part, "row", "sheetData"):
            if local(element) == "sheetData":
                return
            given = element.get("r") or ""
            number = int(given) if given.isdecimal() else number + 1
            values: dict[int, str] = {}
            column = -1
            for cell in element:
                column = self._column(cell, column)
                if len(cell) and (text := self._text(cell)):
                    values[column] = text
            if values:
                yield number, values

    def _column(self, cell: "Element", before: int) -> int:
        reference = cell.get("r")
        if not reference:
            return before + 1
        letters = reference.rstrip("0123456789")
        column = self._columns.get(letters)
        if column is None:
            column = self._columns[letters] = min(place(letters)[0], _LAST_COLUMN)
        return column

    def _text(self, cell: "Element") -> str:
        kind = cell.get("t")
        raw: str | None = None
        formula: Element | None = None
        for child in cell:
            name = local(child)
            if name == "v":
                raw = child.text or ""
            elif name == "f":
                formula = child
            elif name == "is":
                return rich_text(child)
        if not raw:
            # An empty text that a formula gave is a result; no result is none.
            return (
                "" if formula is None or (kind == "str" and raw is not None) else self._formula(cell, formula)
            )
        if formula is not None and formula.text and formula.get("t") == "shared":
            self._formula(cell, formula)  # others may refer to it
        if kind == "s":
            return self._book.strings[int(raw)]
        if kind == "b":
            return "TRUE" if raw.strip() in ("1", "true") else "FALSE"
        if kind == "d":
            return moment(raw)
        if kind in ("str", "e"):
            return one_line(unescape(raw))
        style = cell.get("s")
        formats = self._book.formats
        shown = formats[int(style)] if style and int(style) < len(formats) else None
        return plain(raw) if shown is None else shown.show(raw)

    def _formula(self, cell: "Element", formula: "Element") -> str:
        """The formula as it stands in this cell; those filled down are written in the first cell only."""
        text = f"={one_line(formula.text).replace('_xlfn.', '')}" if formula.text else ""
        group, here = formula.get("si"), cell.get("r") or ""
        if group is None or not here:
            return text
        if text:
            self._shared[group] = text, here
        elif group in self._shared:
            from openpyxl.formula.tokenizer import TokenizerError
            from openpyxl.formula.translate import Translator, TranslatorError

            text, origin = self._shared[group]
            try:
                text = str(Translator(text, origin).translate_formula(here))
            except (TokenizerError, TranslatorError):
                pass
        return text
