"""The parts of a workbook besides the cells: which sheets it has, shared texts, formats, comments, shapes.

Read from the XML: openpyxl refuses whole workbooks for a style it does not know, gives formulas or their
values but not both, and no merged cells while it streams.
"""

import posixpath
import re
import zipfile
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote

from engine.intake.loaders.sheet.pages import one_line
from engine.intake.loaders.sheet.values import NumberFormat, number_format

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_PREAMBLE = re.compile(r"\[[^\]]*\].*?(?:Comment|注释|批注)[:：]\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sheet:
    """``part`` is the name of its XML in the archive, None for one that is missing there."""

    name: str
    part: str | None
    is_chart: bool


@dataclass(slots=True)
class Beside:
    """What stands beside a sheet's cells. Rows and columns count as in the sheet, columns from 0."""

    comments: dict[int, dict[int, str]] = field(default_factory=dict)
    loose: list[tuple[int, str]] = field(default_factory=list)


class Strings:
    """The texts that cells share, packed: there may be millions of them."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("Q")

    def add(self, text: str) -> None:
        self._bytes += text.encode("utf-8", "replace")
        self._ends.append(len(self._bytes))

    def __getitem__(self, index: int) -> str:
        start = self._ends[index - 1] if index else 0
        return self._bytes[start : self._ends[index]].decode("utf-8")


class Workbook:
    """An open workbook. Everything here raises what lxml and zipfile raise on damaged files."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        # Some programs write the names with other capitals or with backslashes.
        self._names = {_plain(name): name for name in archive.namelist()}
        related = self._related("xl/workbook.xml")
        self._targets = dict(related.values())
        book = self._tree("xl/workbook.xml")
        self.from_1904 = any(item.get("date1904") in ("1", "true") for item in _all(book, "workbookPr"))
        self.sheets: list[Sheet] = []
        for item in _all(book, "sheet"):
            kind, target = related.get(_attribute(item, "id") or "", ("", ""))
            part = self._names.get(_plain(target))
            self.sheets.append(Sheet(one_line(item.get("name") or ""), part, kind == "chartsheet"))

    def open(self, part: str) -> IO[bytes]:
        return self._archive.open(part)

    @cached_property
    def strings(self) -> Strings:
        """Empty where the workbook has none."""
        strings = Strings()
        part = self._part("sharedStrings", "xl/sharedStrings.xml")
        if part is not None:
            for item in self.elements(part, "si"):
                strings.add(rich_text(item))
        return strings

    @cached_property
    def formats(self) -> list[NumberFormat | None]:
        """By the number of a cell's style."""
        part = self._part("styles", "xl/styles.xml")
        if part is None:
            return []
        styles = self._tree(part)
        codes = {item.get("numFmtId"): item.get("formatCode") for item in _all(styles, "numFmt")}
        made: dict[str, NumberFormat | None] = {}
        result = []
        for cells in _all(styles, "cellXfs"):
            for style in _all(cells, "xf"):
                number = style.get("numFmtId") or "0"
                if number not in made:
                    at = int(number) if number.isdecimal() else 0
                    made[number] = number_format(at, codes.get(number), from_1904=self.from_1904)
                result.append(made[number])
        return result

    def beside(self, sheet: Sheet) -> Beside:
        """Comments and shapes of a sheet."""
        beside = Beside()
        if sheet.part is None:
            return beside
        related = sorted(self._related(sheet.part).values())
        threaded = any(kind == "threadedComment" for kind, _ in related)
        for kind, target in related:
            part = self._names.get(_plain(target))
            if part is None:
                continue
            if kind == "threadedComment" or (kind == "comments" and not threaded):
                for item in _all(self._tree(part), "comment", "threadedComment"):
                    column, row = place(item.get("ref") or "")
                    if row and (text := one_line(_PREAMBLE.sub("", _texts(item)))):
                        at = beside.comments.setdefault(row, {})
                        at[column] = f"{at[column]}；{text}" if column in at else text
            elif kind == "drawing":
                beside.loose += self._drawn(part)
        return beside

    def _drawn(self, part: str) -> Iterator[tuple[int, str]]:
        """The texts of shapes, and titles of charts, with the row that each is at."""
        charts = self._related(part)
        for anchor in self._tree(part):
            rows = [item.text or "" for item in _all(anchor, "row")]
            row = int(rows[0]) + 1 if rows and rows[0].isdecimal() else 1
            trees = [anchor]
            for item in _all(anchor, "chart"):
                kind, target = charts.get(_attribute(item, "id") or "", ("", ""))
                if kind == "chart" and (name := self._names.get(_plain(target))):
                    trees.append(self._tree(name))
            for paragraph in (item for tree in trees for item in _all(tree, "p")):
                # What stands in for a chart in programs that cannot draw it.
                if any(local(above) == "Fallback" for above in paragraph.iterancestors()):
                    continue
                if text := one_line("".join(item.text or "" for item in _all(paragraph, "t"))):
                    yield row, text

    def elements(self, part: str, *names: str) -> "Iterator[Element]":
        """Each element of these names when it is complete; it is thrown away after that."""
        from lxml import etree

        with self.open(part) as stream:
            tags = [f"{{*}}{name}" for name in names]
            # No entities: a workbook that refers to others is out to read files or to fill the memory.
            for _, element in etree.iterparse(
                stream, tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
            ):
                yield element
                element.clear()
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]

    def _part(self, kind: str, usual: str) -> str | None:
        return self._names.get(_plain(self._targets.get(kind, usual)))

    def _tree(self, part: str) -> "Element":
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        return etree.fromstring(self._archive.read(self._names[_plain(part)]), parser)

    def _related(self, part: str) -> dict[str, tuple[str, str]]:
        """Id → last word of the relation's type, and the name of the part it leads to."""
        folder, name = posixpath.split(part)
        listed = self._names.get(_plain(f"{folder}/_rels/{name}.rels"))
        if listed is None:
            return {}
        related = {}
        for item in _all(self._tree(listed), "Relationship"):
            if item.get("TargetMode") != "External":
                target = posixpath.join("/", folder, unquote(item.get("Target") or ""))
                kind = (item.get("Type") or "").rpartition("/")[2]
                related[item.get("Id") or ""] = kind, posixpath.normpath(target).lstrip("/")
        return related


def place(reference: str) -> tuple[int, int]:
    """``C5`` → column 2 (from 0), row 5; row 0 where it says none."""
    letters = reference.rstrip("0123456789")
    column = 0
    for letter in letters.replace("$", "").upper():
        column = column * 26 + ord(letter) - 64
    number = reference[len(letters) :]
    return max(0, column - 1), int(number) if number else 0


def rich_text(item: "Element") -> str:
    """The text of a shared or an inline string, without the readings of its characters (rPh)."""
    parts = []
    for child in item:
        name = local(child)
        if name == "t":
            parts.append(child.text or "")
        elif name == "r":
            parts += [text.text or "" for text in child if local(text) == "t"]
    return one_line(unescape("".join(parts)))


def unescape(text: str) -> str:
    """Undo ``_x000D_``, the way in which Excel writes characters that XML does not allow."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def local(element: "Element") -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _all(element: "Element", *names: str) -> "Iterator[Element]":
    yield from element.iter(*(f"{{*}}{name}" for name in names))


def _texts(comment: "Element") -> str:
    return unescape("".join(item.text or "" for item in _all(comment, "t", "text") if item.text))


def _attribute(element: "Element", name: str) -> str | None:
    """An attribute whatever its namespace: that of relations differs between the two standards."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()
