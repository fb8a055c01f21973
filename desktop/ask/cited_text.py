"""Text with [n] chips that open what they cite: what an answer and its table share. All of it is hostile."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from desktop.ask.citation_hover import CitationHover
from desktop.ask.text_styles import AnswerStyles
from desktop.design_tokens import current_colours
from desktop.words import verdict_word
from engine.answers import Citation, Verdict

LINK = "zhiye:cite/"
SUPPORTED = "✓"
_FOCUS_LINE = 2
"""Pixels that the style sheet draws under the text that has the focus."""


class CitedText(QTextBrowser):
    """As high as its text, so that the column around it scrolls and not the view.

    Text goes in through a cursor, never as HTML or Markdown; the only links are the chips made here,
    and they carry citation numbers, never paths.

    Signals:
        citation_clicked(object): number of the citation, an int.
    """

    citation_clicked = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self.hover = CitationHover(self, LINK)
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self._fit_height()

    def restyle(self) -> None:
        """Draw the text once more: the colours or the font are others now."""
        raise NotImplementedError

    def styles(self) -> AnswerStyles:
        return AnswerStyles(current_colours(), self.font())

    def show_citations(self, citations: Mapping[int, Citation]) -> None:
        """What the chips stand for, by number."""
        self.hover.set_citations(citations)

    def insert_chip(self, cursor: QTextCursor, number: int, styles: AnswerStyles) -> None:
        cursor.insertText("\u2009", styles.body())
        cursor.insertText(f"[{number}]", styles.chip(f"{LINK}{number}"))

    def insert_badge(self, cursor: QTextCursor, verdict: Verdict, tip: str, styles: AnswerStyles) -> None:
        """A tick, or the verdict in words with ``tip`` for why."""
        word = verdict_word(verdict)
        is_tick = verdict == "supported"
        # A full stop of Chinese has room behind it already, and the tick belongs to what is before it.
        cursor.insertText("" if is_tick else "\u2009", styles.body())
        cursor.insertText(
            SUPPORTED if is_tick else f"\u00a0{word}\u00a0", styles.badge(verdict, word if is_tick else tip)
        )

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded: an answer may name files and addresses, it cannot reach them."""
        return None

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
            self.restyle()

    @Slot()
    def _fit_height(self) -> None:
        height = int(self.document().size().height()) + 2 + _FOCUS_LINE
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
