"""Rows of tables in plain text (cells with " | " between them) set in columns, without changing the text."""

from collections.abc import Iterator, Sequence

from PySide6.QtGui import QColor, QFont, QFontMetricsF, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from desktop.design_tokens import current_colours

SEPARATOR = " | "
_MOST_ROWS = 2000
_WIDEST_COLUMN_EM = 20


class TableLines(QSyntaxHighlighter):
    """The blank before each separator is stretched to its column's width, so offsets stay as they are."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        # Per line of the text: where its separators are (UTF-16 units) and how far each is pushed.
        self._pushes: dict[int, list[tuple[int, float]]] = {}

    def measure(self, text: str) -> None:
        """Work out the columns of what is put into the document next."""
        metrics = QFontMetricsF(self.document().defaultFont())
        lines = text.split("\n")
        self._pushes = {}
        if sum(SEPARATOR in line for line in lines) > _MOST_ROWS:
            return
        for first, rows in _tables(lines):
            self._measure_table(first, rows, metrics)

    def _measure_table(self, first: int, rows: Sequence[list[str]], metrics: QFontMetricsF) -> None:
        widest = metrics.horizontalAdvance("字") * _WIDEST_COLUMN_EM
        advances = [[metrics.horizontalAdvance(cell) for cell in row] for row in rows]
        columns = [0.0] * max(len(row) for row in rows)
        for row_advances in advances:
            for column, advance in enumerate(row_advances):
                columns[column] = max(columns[column], min(advance, widest))
        for number, row in enumerate(rows):
            at, pushes = 0, []
            for column, cell in enumerate(row[:-1]):
                at += _units(cell)
                pushes.append((at, max(0.0, columns[column] - advances[number][column])))
                at += len(SEPARATOR)
            self._pushes[first + number] = pushes

    def highlightBlock(self, text: str) -> None:
        colour = QColor(current_colours().control)
        for at, push in self._pushes.get(self.currentBlock().blockNumber(), ()):
            stretched = QTextCharFormat()
            stretched.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
            stretched.setFontLetterSpacing(push)
            self.setFormat(at, 1, stretched)
            bar = QTextCharFormat()
            bar.setForeground(colour)
            self.setFormat(at + 1, 1, bar)


def is_mostly_table(text: str) -> bool:
    """Whether lines had better not be wrapped."""
    lines = [line for line in text.split("\n") if line.strip()]
    return sum(SEPARATOR in line for line in lines) * 2 > len(lines)


def _tables(lines: Sequence[str]) -> Iterator[tuple[int, list[list[str]]]]:
    """Runs of lines with separators: number of the first line, and the cells of each."""
    rows: list[list[str]] = []
    for number, line in enumerate([*lines, ""]):
        if SEPARATOR in line:
            rows.append(line.split(SEPARATOR))
        elif rows:
            yield number - len(rows), rows
            rows = []


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
