"""A table of findings as text for the clipboard: Markdown with its sources, or cells for a spreadsheet."""

import re
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from desktop.ask.answer_copy import source_lines
from desktop.words import place_of, verdict_word
from engine.answers import Citation, TableRow, Total
from engine.markdown_table import rule, text_row

AsText = Callable[[Sequence[str], Sequence[TableRow], Sequence[Total], Mapping[int, Citation]], str]
"""From heads, rows, totals and the citations by number to text."""

_FORMULA = re.compile(r"[=@]|[+\-](?!\s*[\d.,]+\s*[^\W\d_]{0,3}%?$)")
"""A cell that a spreadsheet would work out when it is pasted; a number with its unit is none."""


def as_markdown(
    columns: Sequence[str],
    rows: Sequence[TableRow],
    totals: Sequence[Total],
    citations: Mapping[int, Citation],
) -> str:
    """Each row with its [n] and, where it is not supported, the verdict in words; then totals and sources."""
    lines = [text_row((*columns, source_head())), rule(len(columns) + 1)]
    for row in rows:
        verdict = "" if row.verdict == "supported" else f" {row_verdict(row)}"
        lines.append(text_row((*row.cells, f"{_marks(row.citations)}{verdict}")))
    for total in totals:
        rest = [""] * (len(columns) - 2)
        lines.append(text_row((total_head(), f"{total.value} {total.unit}", *rest, _marks(total.addends))))
    sources = source_lines(citations[number] for number in sorted(citations))
    return "\n".join([*lines, "", *sources])


def as_tsv(
    columns: Sequence[str],
    rows: Sequence[TableRow],
    totals: Sequence[Total],
    citations: Mapping[int, Citation],
) -> str:
    """Cells between tabs, with columns for the place and the verdict; nothing in them becomes a formula."""
    verdict_head = QCoreApplication.translate("TableCopy", "Check")
    lines = [_cells((*columns, source_head(), verdict_head))]
    for row in rows:
        places = [place_of(citations[number]) for number in row.citations if number in citations]
        lines.append(_cells((*row.cells, "; ".join(places), row_verdict(row))))
    for total in totals:
        rest = [""] * len(columns)
        lines.append(_cells((total_head(), f"{total.value} {total.unit}", *rest)))
    return "\n".join(lines)


def row_verdict(row: TableRow) -> str:
    """What the check says of a row; one that is not supported is counted nowhere."""
    if row.verdict == "unsupported":
        return QCoreApplication.translate("TableCopy", "Unverified, not counted")
    return verdict_word(row.verdict)


def total_head() -> str:
    return QCoreApplication.translate("TableCopy", "Total")


def source_head() -> str:
    return QCoreApplication.translate("TableCopy", "Place")


def _marks(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _cells(cells: Sequence[str]) -> str:
    plain = (" ".join(cell.split()) for cell in cells)
    return "\t".join(f"'{cell}" if _FORMULA.match(cell) else cell for cell in plain)
