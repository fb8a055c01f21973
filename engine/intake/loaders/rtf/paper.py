"""The page that an RTF file becomes: paragraphs, rows, notes below their paragraphs, margins at the end."""

from engine.intake.loaders.lines import Lines


class Paper:
    """Takes what stands in the text, in order, and writes it to ``lines``; :meth:`end` comes last."""

    def __init__(self) -> None:
        self.lines = Lines()
        self.title = ""
        self._notes: list[str] = []
        self._margins: dict[str, None] = {}
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._headers = 0
        self._is_header_row = False

    def paragraph(self, text: str, level: int | None, *, in_table: bool) -> None:
        """``level`` counts from 1 where it is a heading."""
        if in_table:
            self._cell.append(text)
            return
        flat = " ".join(text.split())
        if flat:
            self._end_table()
        if flat and level is not None:
            self.lines.heading(level, flat)
        elif flat:
            for line in text.split("\n"):
                self.lines.put(line.replace("\t", " ").rstrip())
        else:
            self.lines.gap()
        self._end_notes()

    def begin_row(self) -> None:
        self._is_header_row = False

    def mark_header(self) -> None:
        """The row that is begun belongs to the table's header."""
        self._is_header_row = True

    def end_cell(self, text: str) -> None:
        self._cells.append(" ".join("\n".join([*self._cell, text]).split()))
        self._cell.clear()

    def end_row(self) -> None:
        if self._is_header_row and self._headers == len(self._rows):
            self._headers += 1
        self._rows.append(self._cells)
        self._cells = []

    def aside(self, kind: str, text: str) -> None:
        """A ``note``, the ``title`` or what stands in the ``margin`` of every page."""
        if kind == "title":
            self.title = text
        elif kind == "margin":
            self._margins[text] = None
        else:
            self._notes.append(text)

    def end(self) -> None:
        self._end_table()
        self._end_notes()
        for text in self._margins:
            self.lines.gap()
            self.lines.put(text)

    def _end_table(self) -> None:
        if self._cells or self._cell:  # a row that never ended
            self._rows.append([*self._cells, *(text for text in self._cell if text.strip())])
            self._cells, self._cell = [], []
        if self._rows:
            self.lines.table(self._rows, header=self._headers)
            self._rows, self._headers = [], 0
            self._end_notes()

    def _end_notes(self) -> None:
        """A note stands below its paragraph, so that both are found together."""
        if not self._rows:
            for note in self._notes:
                self.lines.put(note)
            self._notes.clear()
