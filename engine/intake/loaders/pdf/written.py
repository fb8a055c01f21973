"""Rows of a page as its text: what was read, with line ends and cell separators put in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.documents import Table
from engine.intake.loaders.pdf.lines import Row


@dataclass(frozen=True, slots=True)
class Written:
    """``index`` gives for each character of ``text`` its place in the source, −1 for what was put in."""

    text: str
    index: Any
    tables: tuple[Table, ...]


def write(rows: Sequence[Row], source: str) -> Written:
    """The text of ``rows``, whose parts are places in ``source``, and the tables among them."""
    import numpy

    pieces: list[str] = []
    index: list[Any] = [numpy.zeros(0, dtype=int)]
    bounds: dict[int, list[int]] = {}
    length = 0

    def put(text: str) -> int:
        pieces.append(text)
        index.append(numpy.full(len(text), -1))
        return len(text)

    for number, row in enumerate(rows):
        if number:
            length += put("\n\n" if row.gap else "\n")
        start = length
        for part in row.written():
            if isinstance(part, str):
                length += put(part)
            else:
                pieces.append(source[part[0] : part[1]])
                index.append(numpy.arange(*part))
                length += part[1] - part[0]
        if row.table and not row.is_loose:
            bound = bounds.setdefault(row.table, [start, start, length])
            bound[2] = length
            if row.is_header:
                bound[1] = length + 1
    tables = tuple(Table(*bound) for bound in bounds.values())
    return Written("".join(pieces), numpy.concatenate(index), tables)


def placed(index: Any, boxes: Any) -> Any:
    """The box of each written character, one row x0, y0, x1, y1; zero for what was put in."""
    import numpy

    return numpy.concatenate([boxes, numpy.zeros((1, 4))])[index]
