"""Shows an answer while it is written and after it was checked. Everything in it is hostile text."""

from collections.abc import Mapping

from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QWidget

from desktop.ask.answer_layout import BLANK_LINES, BadgePiece, ChipPiece, Piece, TextPiece
from desktop.ask.cited_text import CitedText
from desktop.ask.text_styles import SOURCE, AnswerStyles
from engine.answers import Citation, Flag

_LOCKED = frozenset({"number", "date", "unit"})
"""Kinds of details with a number in them."""

_LINE_HEIGHT = 145.0
_PARAGRAPH_GAP = 6.0


class AnswerView(CitedText):
    """An answer: streamed as plain text, then its pieces with chips and badges."""

    def __init__(self, parent: QWidget | None = None) -> None:
        # Setting it up changes the font, which restyles.
        self._pieces: list[Piece] = []
        self._streamed = False
        self.update_count = 0
        super().__init__("answerView", parent)
        self.setAccessibleName(self.tr("Answer"))

    def append_text(self, text: str) -> None:
        """Text of an answer that is still being written."""
        self.update_count += 1
        self._streamed = True
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.setBlockFormat(_block_format())
        cursor.insertText(text, self.styles().body())

    def show_pieces(self, pieces: list[Piece], citations: Mapping[int, Citation]) -> None:
        """The checked answer; it replaces what was streamed. ``citations`` are what the chips stand for."""
        self._pieces = pieces
        self.show_citations(citations)
        self._streamed = False
        self._render()

    def _render(self) -> None:
        self.update_count += 1
        styles = self.styles()
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setBlockFormat(_block_format(_PARAGRAPH_GAP))
        for piece in self._pieces:
            if isinstance(piece, TextPiece):
                style = styles.sentence(piece.sentence)
                if piece.flag is not None and piece.flag.kind in _LOCKED:
                    style = styles.locked(self._lock_words(piece.flag))
                if piece.sentence is not None and piece.sentence.citations:
                    style.setProperty(SOURCE, piece.sentence.citations[0])
                cursor.insertText(BLANK_LINES.sub("\n", piece.text), style)
            elif isinstance(piece, ChipPiece):
                self.insert_chip(cursor, piece.number, styles)
            else:
                self._insert_badge(cursor, piece, styles)
        cursor.endEditBlock()

    def _insert_badge(self, cursor: QTextCursor, piece: BadgePiece, styles: AnswerStyles) -> None:
        self.insert_badge(cursor, piece.verdict, self._why(piece), styles)
        cursor.insertText("\u2002" if piece.verdict == "supported" else " ", styles.body())

    def _lock_words(self, flag: Flag) -> str:
        text = self.tr("Number check: no passage holds “{number}”.")
        if flag.why != "absent":
            text = self.tr("Number check: the passages say “{number}” of something else.")
        return text.format(number=flag.text)

    def _why(self, piece: BadgePiece) -> str:
        if piece.sentence.flags:
            missing = self.tr(", ").join(flag.text for flag in piece.sentence.flags)
            return self.tr("Not in the passages: {details}").format(details=missing)
        if piece.verdict == "partly":
            return self.tr("The passages hold only a part of this statement.")
        return self.tr("The passages do not hold this statement.")

    def restyle(self) -> None:
        if self._pieces and not self._streamed:
            self._render()
        elif self._streamed:
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.setCharFormat(self.styles().body())


def _block_format(gap: float = 0.0) -> QTextBlockFormat:
    block = QTextBlockFormat()
    block.setBottomMargin(gap)
    block.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return block
