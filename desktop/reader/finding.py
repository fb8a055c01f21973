"""Finds words in the open document: in the stored text, so that pages read by OCR are found too."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from desktop.engine_bridge import EngineBridge
from desktop.reader.panel import ReaderPanel
from desktop.reader.text_part import Occurrence, TextPart, TextReader
from engine.commands import FindInDocument
from engine.events import DocumentSearched, Event
from engine.reader.finding import spans_of

_WAIT_MS = 150
_MOST = 2000


class Finding(QObject):
    """Words of a PDF are looked for by the engine, which knows where each character stands."""

    def __init__(self, bridge: EngineBridge, panel: ReaderPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._panel = panel
        self._bar = panel.find_bar
        self._pdf: tuple[str, int] | None = None
        self._reader: TextReader | None = None
        self._parts: Sequence[TextPart] = ()
        self._task: int | None = None
        self._in_pages: list[tuple[int, Sequence[tuple[float, float, float, float]]]] = []
        self._in_parts: list[Occurrence] = []
        self._now: int | None = None
        self._is_cut = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._search)
        self._bar.edit.textChanged.connect(self._on_words_changed)
        self._bar.step_wanted.connect(self._on_step)
        self._bar.closed.connect(self._on_closed)
        panel.header.find_button.clicked.connect(self.open)
        self.serve(panel)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), panel, self._bar.close_bar)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)

    def serve(self, widget: QWidget) -> None:
        """Ctrl+F in this part of the window means the document that is open in the reader."""
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), widget)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.open)

    def look_in_pdf(self, library: str, row: int) -> None:
        """From now on words are looked for in the document of this passage."""
        self._pdf, self._reader = (library, row), None
        self._begin()

    def look_in_text(self, reader: TextReader, parts: Sequence[TextPart]) -> None:
        self._pdf, self._reader, self._parts = None, reader, parts
        self._begin()

    def look_nowhere(self) -> None:
        """What is shown is not what is stored."""
        self._bar.close_bar()
        self._pdf, self._reader = None, None
        self._panel.header.find_button.setEnabled(False)

    def _begin(self) -> None:
        """Another document: words that are still in the line are looked for in it, its mark stays in view."""
        self._forget()
        self._panel.header.find_button.setEnabled(True)
        if self._bar.isVisible() and self._bar.edit.text().strip():
            self._search(stay=True)

    @Slot()
    def open(self) -> None:
        if self._pdf is None and self._reader is None:
            return
        self._bar.open_bar()
        self._escape.setEnabled(True)
        if self._bar.edit.text().strip() and not self._count:
            self._search()

    @property
    def _count(self) -> int:
        return len(self._in_pages) or len(self._in_parts)

    @Slot()
    def _on_words_changed(self) -> None:
        self._timer.start()

    def _forget(self) -> None:
        self._timer.stop()
        if self._task is not None:
            self._bridge.drop(self._task)
        self._task, self._now, self._is_cut = None, None, False
        self._in_pages, self._in_parts = [], []

    @Slot()
    def _search(self, stay: bool = False) -> None:
        self._forget()
        words = self._bar.edit.text().strip()
        if not words:
            self._show()
        elif self._pdf is not None:
            self._bar.show_waiting()
            command = FindInDocument(self._bridge.new_task(), *self._pdf, words)
            self._task = self._bridge.send(command, self._on_event)
        else:
            for number, part in enumerate(self._parts):
                self._in_parts += [(number, *span) for span in spans_of(words, part.text)]
            self._is_cut = len(self._in_parts) > _MOST
            self._in_parts = self._in_parts[:_MOST]
            self._now = 0 if self._in_parts else None
            self._show(stay=stay)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, DocumentSearched):
            self._in_pages = [(each.page - 1, each.rects) for each in event.occurrences]
            self._is_cut = event.is_cut
            here = self._panel.pdf_pages.page_index
            after = (n for n, (page, _) in enumerate(self._in_pages) if page >= here)
            self._now = next(after, 0) if self._in_pages else None
            self._show()

    @Slot(object)
    def _on_step(self, by: int) -> None:
        if self._timer.isActive() or not self._count:
            self._search()
        elif self._now is not None:
            self._now = (self._now + by) % self._count
            self._show()

    def _show(self, stay: bool = False) -> None:
        self._bar.show_count(self._now, self._count, is_cut=self._is_cut)
        if self._pdf is not None:
            self._panel.pdf_pages.show_found(self._in_pages, self._now)
        elif self._reader is not None:
            self._reader.show_found(self._in_parts, None if stay else self._now)

    @Slot()
    def _on_closed(self) -> None:
        self._forget()
        self._escape.setEnabled(False)
        if self._pdf is not None:
            self._panel.pdf_pages.show_found((), None)
        elif self._reader is not None:
            self._reader.show_found((), None)
        if (shown := self._panel.body.currentWidget()) is not None:
            shown.setFocus()
