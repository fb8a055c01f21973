"""Text that grows line by line, with the places of its headings, tables and code blocks."""

from collections.abc import Sequence

from engine.documents import Heading, Table

SEPARATOR = " | "
"""Stands between the cells of a row."""


class Lines:
    """The text of a page while it is written. Paragraphs are set apart by :meth:`gap`."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.length = 0
        self.headings: list[Heading] = []
        self.tables: list[Table] = []
        self.code: list[tuple[int, int]] = []

    @property
    def last(self) -> str:
        return self._lines[-1] if self._lines else ""

    def text(self) -> str:
        text = "\n".join(self._lines).rstrip("\n")
        return text + "\n" if text else ""

    def put(self, line: str) -> None:
        self._lines.append(line)
        self.length += len(line) + 1

    def gap(self) -> None:
        """A blank line, unless there is one."""
        if self.last:
            self.put("")

    def heading(self, level: int, text: str) -> None:
        if text:
            self.gap()
            self.headings.append(Heading(self.length, level, text))
            self.put(text)
            self.gap()

    def table(self, rows: Sequence[Sequence[str]], *, header: int = 0, caption: str = "") -> None:
        """Write ``rows``, of which the first ``header`` are the header; rows without text are left out."""
        self.gap()
        if caption:
            self.put(caption)
        start = header_end = self.length
        for number, row in enumerate(rows):
            if any(cell.strip() for cell in row):
                self.put(SEPARATOR.join(row))
                if number < header:
                    header_end = self.length
        if self.length > start:
            end = self.length - 1  # without the last row's line break
            self.tables.append(Table(start, min(header_end, end), end))
        self.gap()

    def end_code(self, start: int) -> None:
        """What was written since ``start`` is a code block."""
        if self.length > start:
            self.code.append((start, self.length - 1))

    def add(
        self,
        text: str,
        headings: Sequence[Heading] = (),
        tables: Sequence[Table] = (),
        code: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Append a text that was written elsewhere, with what stands in it."""
        at = self.length
        self.headings += [Heading(at + heading.offset, heading.level, heading.text) for heading in headings]
        self.tables += [Table(at + table.start, at + table.header_end, at + table.end) for table in tables]
        self.code += [(at + start, at + end) for start, end in code]
        for line in text.rstrip("\n").split("\n") if text else ():
            self.put(line)
