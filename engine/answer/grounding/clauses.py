"""Clauses of sentences, as spans, and the cells of tables, each with what it says by its labels."""

import re
from collections.abc import Iterator

_END = re.compile(r"[,，;；:：、()（）]+\s*|\s+(?=(?:and|while|but|whereas|which)\b)")
_CELL = re.compile(r"\s*[|\t]\s*")
_HAS_DIGIT = re.compile(r"\d")


def split(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the clauses of ``text``."""
    start = 0
    for match in _END.finditer(text):
        is_inside = text[match.start() - 1 : match.start()].isdigit() and text[match.end() :][:1].isdigit()
        if match.group()[0] in ",:" and is_inside:
            continue  # 1,000 and 12:30
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)


class Table:
    """The rows of a table one after the other; the first one is the head."""

    def __init__(self) -> None:
        self._head: list[str] | None = None
        self.is_row = False

    def cells(self, line: str) -> list[str]:
        """What each cell of a row says with its labels; empty when the line is no row (see ``is_row``)."""
        cells = _CELL.split(line.strip().strip("|").strip())
        self.is_row = len(cells) > 1
        if not self.is_row:
            self._head = None
            return []
        if self._head is None or len(self._head) != len(cells):
            self._head = cells
            return [" ".join(cells)]
        label = " ".join([cells[0], *(cell for cell in cells[1:] if not _HAS_DIGIT.search(cell))])
        found = [
            f"{label} {head} {cell}"
            for at, (head, cell) in enumerate(zip(self._head, cells, strict=True))
            if at and _HAS_DIGIT.search(cell)
        ]
        return found or [" ".join(cells)]
