"""Shows the card of a [n] while the mouse or the keyboard is on it."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer, QUrl, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QTextBrowser

from desktop.ask.citation_card import CitationCard
from engine.answers import Citation

_DELAY_MS = 180
_CLOSING = frozenset({QEvent.Type.Leave, QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Wheel})


class CitationHover(QObject):
    """A mouse that only passes over a chip opens nothing."""

    def __init__(self, view: QTextBrowser, prefix: str) -> None:
        super().__init__(view)
        self._view = view
        self._prefix = prefix
        self._citations: Mapping[int, Citation] = {}
        self._link = ""
        self.card: CitationCard | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MS)
        self._timer.timeout.connect(self._show)
        view.highlighted.connect(self._on_highlighted)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def set_citations(self, citations: Mapping[int, Citation]) -> None:
        self._citations = citations
        self.close()

    def close(self) -> None:
        self._timer.stop()
        if self.card is not None:
            self.card.hide()

    @Slot(QUrl)
    def _on_highlighted(self, url: QUrl) -> None:
        self._link = url.toString()
        self.close()
        if self._link.startswith(self._prefix):
            self._timer.start()

    @Slot()
    def _show(self) -> None:
        number = self._link.removeprefix(self._prefix)
        citation = self._citations.get(int(number)) if number.isascii() and number.isdigit() else None
        if citation is None:
            return
        window = self._view.window()
        if self.card is None or self.card.parentWidget() is not window:
            self.card = CitationCard(window)
        chip = self._place()
        corner = self._view.viewport().mapTo(window, chip.topLeft())
        self.card.show_citation(citation, QRect(corner, chip.size()))

    def _place(self) -> QRect:
        """Of the chip under the mouse, else of the one that the keyboard has reached."""
        mouse: QPoint = self._view.viewport().mapFromGlobal(QCursor.pos())
        if self._view.anchorAt(mouse) == self._link:
            return self._view.cursorRect(self._view.cursorForPosition(mouse))
        return self._view.cursorRect()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CLOSING:
            self.close()
        return False
