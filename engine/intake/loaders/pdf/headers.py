"""Which rows of a PDF's table name its columns, judged by what their cells say."""

import re
from collections.abc import Sequence
from statistics import median

_NUMBER = re.compile(
    r"[-+(（−–—]?\s*[¥$￥€£]?\s*(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s*[%％‰)）]*"
    r"|[-–—/]{1,2}|N/?A|不适用|[ivxl]+",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_LABEL = 40


def is_number(text: str) -> bool:
    """Whether a cell says a number (or that there is none) rather than a name."""
    return _NUMBER.fullmatch(text) is not None


def is_header(said: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of ``said`` names the columns of the others."""
    head, body = said[0], said[1:]
    if not body or sum(map(bool, head)) < 2 or counts(head) or max(map(len, head)) > _LONGEST_LABEL:
        return False
    if any(map(counts, body)):
        return True
    # Without numbers below it could be a pair of name and value.
    lengths = [len(cell) for row in body for cell in row if cell]
    return (
        len(head) > 2 and all(head) and max(map(len, head)) <= 12 and median(lengths) > median(map(len, head))
    )


def counts(row: Sequence[str]) -> bool:
    return any(is_number(cell) and not _YEAR.fullmatch(cell) for cell in row)
