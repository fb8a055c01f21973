"""Where a table begins among the first rows of a sheet, and which of them are its header.

A header is told from data by contrast: words stand above a column of numbers or dates. Where all is words,
the first row counts as the header unless it looks like the rows below it.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_VALUE = re.compile(
    r"[-+(]?\s*(?:[¥￥$€£]|RMB|CNY|USD)?\s*[-+]?"
    r"(?:\d[\d,，_ ]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?\s*[%‰]?\s*\)?"
    r"|\d{1,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4}日?)?(?:[ T]\d{1,2}:\d{2}.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?|TRUE|FALSE|true|false|=.*|#(?:N/A|REF!|DIV/0!|VALUE!|NUM!|NAME\?)",
    re.DOTALL,
)
_PERIOD = re.compile(r"(?:19|20)\d\d(?:[-/.年](?:\d{1,2}[月]?)?(?:[-/.]\d{1,2})?)?(?:年度?)?")
_REMARK = re.compile(r"[^（(：:]{1,12}[：:]\s*[^\s/]")
_FILLED = 0.6
"""A row of the table fills at least this share of the columns that its rows usually fill."""
_MOST_HEADER_ROWS = 3


@dataclass(slots=True)
class Row:
    """A row that is not empty; no empty cells at its end. ``number`` is the sheet's, from 1.

    ``wide`` says over how many columns the cell in a column reaches, where it is merged; ``notes`` are
    the comments on cells, by column.
    """

    number: int
    cells: list[str]
    wide: Mapping[int, int] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)

    def filled(self) -> int:
        return sum(1 for cell in self.cells if cell)

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Head:
    """``titles`` rows stand above the table, the ``header`` rows after them are its header."""

    titles: int
    header: int


def find_head(rows: Sequence[Row], header_row: int | None = None) -> Head:
    """The head of the table in ``rows``, the first ones of a sheet.

    ``header_row`` is the sheet row that the file itself calls a header, as that of a filter.
    """
    named = next((index for index, row in enumerate(rows[:-1]) if row.number == header_row), None)
    usual = _usual_width(rows)
    least = max(min(2, usual), math.ceil(usual * _FILLED))
    first = _first(rows, least)
    begin, end = first, first
    if named is not None:
        begin, end = named, named + 1
    else:
        # A sheet with tables side by side is wider below than where the first of them begins.
        for start in (first, _first(rows, min(2, least))):
            stop = start + 1
            while stop - start < _MOST_HEADER_ROWS and _goes_on(rows, start, stop):
                stop += 1
            if _is_header(rows, start, stop):
                begin, end = start, stop
                break
        else:
            return Head(first, 0)
    # The top row of a header is often short: the names of groups only.
    while begin > 0 and end - begin < _MOST_HEADER_ROWS and _is_group(rows[begin - 1], rows[begin]):
        begin -= 1
    return Head(begin, end - begin)


def find_next_head(rows: Sequence[Row]) -> Head | None:
    """The head of another table in ``rows``, which stand below an empty row; None if the table goes on."""
    head = find_head(rows)
    if not head.header or head.titles + head.header >= len(rows):
        return None
    data = rows[head.titles + head.header :]
    if rows[head.titles].filled() < 2 or not _contrast(rows[head.titles : head.titles + head.header], data):
        return None
    return head


def combine(rows: Sequence[Row]) -> list[str]:
    """One header from its rows, ``一线 / 住宿`` where a group stands above a column."""
    if len(rows) == 1:
        return list(rows[0].cells)
    width = max(len(row.cells) for row in rows)
    spread = [_spread(row, below) for row, below in pairwise(rows)] + [rows[-1].cells]
    header = []
    for column in range(width):
        parts: list[str] = []
        for cells in spread:
            text = cells[column] if column < len(cells) else ""
            if text and text not in parts[-1:]:
                parts.append(text)
        header.append(" / ".join(parts))
    return header


def _first(rows: Sequence[Row], least: int) -> int:
    found = (index for index, row in enumerate(rows) if row.filled() >= least and not _is_remark(row))
    return next(found, 0)


def _usual_width(rows: Sequence[Row]) -> int:
    """How many cells the rows of the table fill: notes and titles fill fewer, a stray row more."""
    counts = sorted(count for row in rows if (count := row.filled()) > 1)
    return counts[len(counts) * 3 // 4] if counts else 1


def _is_header(rows: Sequence[Row], begin: int, end: int) -> bool:
    data = rows[end:]
    if not data or not _is_labels(rows[begin]):
        return False
    if _contrast(rows[begin:end], data):
        return True
    labels = [cell for cell in rows[begin].cells if cell]
    if len(labels) < 2 or len(set(labels)) < len(labels):
        return False
    for column, label in enumerate(rows[begin].cells):
        # A word that comes again below it is one of the column's values, not its name.
        if label and any(row.cell(column) == label for row in data):
            return False
    longest = max(sum(map(len, row.cells)) for row in data)
    return sum(map(len, labels)) <= 2 * longest + 8


def _is_labels(row: Row) -> bool:
    """Words only, but years and dates may name columns behind a first one that is named by a word."""
    filled = [cell for cell in row.cells if cell]
    values = [cell for cell in filled if _is_value(cell)]
    if not values:
        return True
    return all(_PERIOD.fullmatch(cell) for cell in values) and not (row.cell(0) and _is_value(row.cells[0]))


def _contrast(header: Sequence[Row], data: Sequence[Row]) -> bool:
    """A column of values has a name that is none, or a period above what is no period."""
    for column in range(max(len(row.cells) for row in header)):
        name = next((row.cell(column) for row in reversed(header) if row.cell(column)), "")
        below = [cell for row in data if (cell := row.cell(column))]
        values = sum(1 for cell in below if _is_value(cell))
        # One value alone says little: in a form, any cell may hold it.
        if not name or values < max(min(2, len(data)), _FILLED * len(below)):
            continue
        if not _is_value(name) or not any(_PERIOD.fullmatch(cell) for cell in below):
            return True
    return False


def _is_group(row: Row, below: Row) -> bool:
    """Whether ``row`` groups columns of the header row ``below``: merged, but not over all of them."""
    if row.number + 1 != below.number or not _is_labels(row) or any("：" in cell for cell in row.cells):
        return False
    if row.filled() < 2 and row.cell(0):
        return False  # a title
    return any(1 < width < len(below.cells) for column, width in row.wide.items() if row.cell(column))


def _is_remark(row: Row) -> bool:
    """``编制单位：某公司 | 单位：元``: names with their values, as stand above a table."""
    return 2 * sum(1 for cell in row.cells if _REMARK.match(cell)) >= row.filled()


def _goes_on(rows: Sequence[Row], begin: int, end: int) -> bool:
    """Whether ``rows[end]`` is one more row of the header that ends there."""
    if end + 1 >= len(rows):
        return False
    above, row, data = rows[end - 1], rows[end], rows[end + 1 :]
    if row.number != above.number + 1 or not _is_labels(row):
        return False
    if _is_group(above, row):
        return True
    # No merged cells in a delimited file: a gap in the groups, and all columns of values named below.
    named = {column for column, cell in enumerate(row.cells) if cell}
    groups = {column for column, cell in enumerate(above.cells) if cell}
    if not groups or not any(column > min(groups) for column in named - groups):
        return False
    numeric = _value_columns(data)
    return len(numeric) > 1 and numeric <= named and _contrast(rows[begin : end + 1], data)


def _value_columns(data: Sequence[Row]) -> set[int]:
    columns = set()
    for column in range(max((len(row.cells) for row in data), default=0)):
        below = [cell for row in data if (cell := row.cell(column))]
        if below and sum(1 for cell in below if _is_value(cell)) >= _FILLED * len(below):
            columns.add(column)
    return columns


def _spread(row: Row, below: Row) -> list[str]:
    """``row`` with each group's name above all of its columns."""
    cells = list(row.cells) + [""] * (max(len(row.cells), len(below.cells)) - len(row.cells))
    for column, cell in enumerate(row.cells):
        for right in range(column + 1, column + row.wide.get(column, 1)):
            if right < len(cells) and cell and not cells[right]:
                cells[right] = cell
    if not row.wide:
        for column in range(1, len(cells)):
            if not cells[column] and below.cell(column):
                cells[column] = cells[column - 1]
    return cells


def _is_value(cell: str) -> bool:
    return _VALUE.fullmatch(cell) is not None
