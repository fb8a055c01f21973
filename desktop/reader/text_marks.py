"""Marks in a text widget: the cited sentence, the passage around it, words that were looked for."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from desktop.design_tokens import current_colours
from desktop.reader.text_part import Occurrence, TextPart

Range = tuple[int, int]


class TextMarks:
    """Keeps them as the editor's extra selections; ``place`` gives the position of a part's offset."""

    def __init__(self, editor: QTextEdit | QPlainTextEdit, place: Callable[[int, int], int]) -> None:
        self._editor = editor
        self._place = place
        self._sentence: list[Range] = []
        self._passage: list[Range] = []
        self._found: list[Range] = []
        self._now: int | None = None

    def set_parts(self, parts: Sequence[TextPart]) -> None:
        self._sentence = [self._range(n, *span) for n, part in enumerate(parts) for span in part.spans]
        self._passage = [self._range(n, *span) for n, part in enumerate(parts) for span in part.passage]
        self._found, self._now = [], None
        self.paint()

    def set_found(self, found: Sequence[Occurrence], now: int | None) -> None:
        self._found = [self._range(*place) for place in found]
        self._now = now
        self.paint()

    @property
    def first(self) -> int | None:
        """Where the first mark begins."""
        return min((start for start, _ in self._sentence or self._passage), default=None)

    @property
    def sentence_texts(self) -> list[str]:
        return [self._cursor(place).selectedText() for place in self._sentence]

    def paint(self) -> None:
        """Do it again when the colours are others."""
        colours = current_colours()
        soft, strong = _style(colours.mark_soft, colours.text), _style(colours.mark, colours.text)
        if self._passage:
            # Told apart by more than the colour.
            strong.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            strong.setUnderlineColor(QColor(colours.warn))
        layers = [(self._passage, soft), (self._sentence, strong)]
        layers.append((self._found, _style(colours.found, colours.text)))
        if self._now is not None:
            layers.append(([self._found[self._now]], _style(colours.accent, colours.on_accent)))
        self._editor.setExtraSelections(
            [
                _selection(cursor, style)
                for places, style in layers
                for place in places
                for cursor in self._lines(place)
            ]
        )

    def _range(self, part: int, start: int, end: int) -> Range:
        return self._place(part, start), self._place(part, end)

    def _cursor(self, place: Range) -> QTextCursor:
        last = self._editor.document().characterCount() - 1
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(min(place[0], last))
        cursor.setPosition(min(place[1], last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _lines(self, place: Range) -> Iterator[QTextCursor]:
        """The text of each paragraph in a range: Qt paints a selected line end as wide as a blank."""
        block = self._editor.document().findBlock(place[0])
        while block.isValid() and block.position() < place[1]:
            start, end = max(place[0], block.position()), min(place[1], block.position() + block.length() - 1)
            if start < end:
                yield self._cursor((start, end))
            block = block.next()


def _selection(cursor: QTextCursor, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = style
    return selection


def _style(background: str, text: str) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setBackground(QColor(background))
    style.setForeground(QColor(text))
    return style
