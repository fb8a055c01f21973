"""Shows an answer while it is written and after it was checked. Everything in it is hostile text."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from desktop.ask.answer_layout import BadgePiece, ChipPiece, Piece, TextPiece
from desktop.ask.citation_hover import CitationHover
from desktop.ask.text_styles import AnswerStyles
from desktop.design_tokens import current_colours
from desktop.words import verdict_word
from engine.documents import Citation, Flag

LINK = "zhiye:cite/"
SUPPORTED = "✓"
_LINE_HEIGHT = 145.0
_PARAGRAPH_GAP = 6.0
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


class AnswerView(QTextBrowser):
    """As high as its text, so that the column around it scrolls and not the view.

    Text goes in through a cursor, never as HTML or Markdown; the only links are the chips made here,
    and they carry citation numbers, never paths.

    Signals:
        citation_clicked(object): number of the citation, an int.
    """

    citation_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answerView")
        self.setAccessibleName(self.tr("Answer"))
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self._pieces: list[Piece] = []
        self.hover = CitationHover(self, LINK)
        self._streamed = False
        self.update_count = 0
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self._fit_height()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded: an answer may name files and addresses, it cannot reach them."""
        return None

    def append_text(self, text: str) -> None:
        """Text of an answer that is still being written."""
        self.update_count += 1
        self._streamed = True
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.setBlockFormat(_block_format())
        cursor.insertText(text, AnswerStyles(current_colours(), self.font()).body())

    def show_pieces(self, pieces: list[Piece], citations: Mapping[int, Citation]) -> None:
        """The checked answer; it replaces what was streamed. ``citations`` are what the chips stand for."""
        self._pieces = pieces
        self.hover.set_citations(citations)
        self._streamed = False
        self._render()

    def _render(self) -> None:
        self.update_count += 1
        styles = AnswerStyles(current_colours(), self.font())
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setBlockFormat(_block_format(_PARAGRAPH_GAP))
        for piece in self._pieces:
            if isinstance(piece, TextPiece):
                style = styles.sentence(piece.sentence)
                if piece.flag is not None and piece.flag.kind == "number":
                    style = styles.locked(self._lock_words(piece.flag))
                cursor.insertText(_BLANK_LINES.sub("\n", piece.text), style)
            elif isinstance(piece, ChipPiece):
                cursor.insertText("\u2009", styles.body())
                cursor.insertText(f"[{piece.number}]", styles.chip(f"{LINK}{piece.number}"))
            else:
                self._insert_badge(cursor, piece, styles)
        cursor.endEditBlock()

    def _insert_badge(self, cursor: QTextCursor, piece: BadgePiece, styles: AnswerStyles) -> None:
        word = verdict_word(piece.verdict)
        is_tick = piece.verdict == "supported"
        shown, tip = (SUPPORTED, word) if is_tick else (f"\u00a0{word}\u00a0", self._why(piece))
        # A full stop of Chinese has room behind it already, and the tick belongs to what is before it.
        cursor.insertText("" if is_tick else "\u2009", styles.body())
        cursor.insertText(shown, styles.badge(piece.verdict, tip))
        cursor.insertText("\u2002" if is_tick else " ", styles.body())

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

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        number = url.toString().removeprefix(LINK)
        if number.isascii() and number.isdigit():
            self.citation_clicked.emit(int(number))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from citation to citation; what the mouse shows by resting on one is shown here, too."""
        has_moved = super().focusNextPrevChild(forward)
        if self.hasFocus():
            self.highlighted.emit(QUrl(self.textCursor().charFormat().anchorHref()))
        return has_moved

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._restyle()

    def _restyle(self) -> None:
        if self._pieces and not self._streamed:
            self._render()
        elif self._streamed:
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.setCharFormat(AnswerStyles(current_colours(), self.font()).body())

    @Slot()
    def _fit_height(self) -> None:
        height = int(self.document().size().height()) + 2
        if height != self.maximumHeight():
            self.setFixedHeight(max(height, self.fontMetrics().lineSpacing()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def sizeHint(self) -> QSize:
        return QSize(400, self.maximumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The column scrolls, this view never does.
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # The menu without a position has no "copy link address": our links are not addresses.
        menu = self.createStandardContextMenu()
        menu.exec(event.globalPos())
        menu.deleteLater()


def _block_format(gap: float = 0.0) -> QTextBlockFormat:
    block = QTextBlockFormat()
    block.setBottomMargin(gap)
    block.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return block
