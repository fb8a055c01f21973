"""Decides in one inspect window: which page, part and chunk are shown."""

from PySide6.QtCore import QModelIndex, QObject, Slot

from desktop import error_text
from desktop.engine_bridge import EngineBridge
from desktop.inspect.layers import Layers, PageLayers
from desktop.inspect.window import InspectWindow
from desktop.inspect.words import figures, page_words
from desktop.words import CERTAIN
from desktop.words import page_words as place_words
from engine.commands import InspectDocument
from engine.documents import Chunk
from engine.events import DocumentInspected, Event, TaskFailed


class InspectedDocument(QObject):
    """One window and the document in it."""

    def __init__(self, bridge: EngineBridge, window: InspectWindow, library: str, document: str) -> None:
        super().__init__()
        self._bridge = bridge
        self.window = window
        self._chunks: tuple[Chunk, ...] = ()
        self._layers = Layers((), (), ())
        self._page: PageLayers | None = None
        self._parts: list[tuple[int, int]] = []
        self._part = 0
        self._follows_chunk = False
        self._keeps_place = False
        title = self.tr("{file} – How it was read")
        window.setWindowTitle(title.format(file=document.rpartition("/")[2]))
        window.header.show_name(document)
        window.header.show_reason([self.tr("Fetching what is stored…")])
        window.show_parts(0, 1)
        window.legend.hide()
        self._connect()
        command = InspectDocument(bridge.new_task(), library, document)
        self._task = bridge.send(command, self._on_event)

    def _connect(self) -> None:
        window = self.window
        window.page_list.selectionModel().currentChanged.connect(self._on_page_chosen)
        window.chunk_list.selectionModel().currentChanged.connect(self._on_chunk_chosen)
        window.chunk_list.clicked.connect(self._on_chunk_clicked)
        window.page_text.chunk_clicked.connect(self._on_text_clicked)
        window.previous_part.clicked.connect(self._on_previous_part)
        window.next_part.clicked.connect(self._on_next_part)

    @Slot()
    def forget(self) -> None:
        self._bridge.drop(self._task)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, DocumentInspected):
            self._show(event)
        elif isinstance(event, TaskFailed):
            words = error_text.describe(event.code, event.params)
            self.window.header.show_reason([words.title, words.advice])

    def _show(self, found: DocumentInspected) -> None:
        window = self.window
        self._chunks = found.chunks
        self._layers = Layers(found.pages, found.chunks, found.dropped)
        window.header.show_report(found.report, str(found.path) if found.path else "")
        window.header.show_figures(figures(found))
        window.page_rows.set_pages(found.pages, found.report.missing_pages, self._layers)
        window.chunk_rows.set_chunks(found.chunks)
        if window.page_rows.model.rowCount():
            window.page_list.go_to(0)
            window.page_list.setFocus()
        else:
            self._show_missing()

    @Slot(QModelIndex, QModelIndex)
    def _on_page_chosen(self, index: QModelIndex, before: QModelIndex) -> None:
        if not index.isValid():
            return
        page = self.window.page_rows.page(index.row())
        if page is None:
            self._show_missing(self.window.page_rows.number(index.row()))
            return
        self._show_page(page.number, 0)
        first = self.window.chunk_rows.first_on(page.number)
        if first is not None and not self._follows_chunk:
            self.window.chunk_list.go_to(first, choose=False)

    def _show_missing(self, number: int | None = None) -> None:
        self._page = None
        window = self.window
        window.page_label.setText("" if number is None else place_words(number, None))
        window.warning_label.hide()
        window.page_text.show_nothing(self.tr("Nothing of this is stored."))
        window.legend.hide()
        window.show_parts(0, 1)

    def _show_page(self, number: int, part: int) -> None:
        window, layers = self.window, self._layers.of(number)
        self._page, self._parts = layers, layers.parts()
        window.page_label.setText(page_words(layers.page))
        confidence = layers.page.confidence
        is_doubtful = confidence is not None and confidence < CERTAIN
        window.warning_label.setText(self.tr("Compare numbers with the original picture."))
        window.warning_label.setVisible(is_doubtful)
        window.legend.show_layers(layers)
        window.legend.show()
        self._show_part(part)

    def _show_part(self, part: int) -> None:
        if self._page is None:
            return
        self._part = part
        self.window.show_parts(part, len(self._parts))
        self.window.page_text.show_part(self._page, self._parts[part], self._chunks)

    @Slot(QModelIndex, QModelIndex)
    def _on_chunk_chosen(self, index: QModelIndex, before: QModelIndex) -> None:
        if index.isValid():
            self._show_chunk(index.row())

    @Slot(QModelIndex)
    def _on_chunk_clicked(self, index: QModelIndex) -> None:
        """A click on the chosen chunk leads back to it when another page has been looked at since."""
        self._show_chunk(index.row())

    def _show_chunk(self, place: int) -> None:
        window, chunk = self.window, self._chunks[place]
        window.chunk_view.show_chunk(chunk)
        pages = {span.page for span in chunk.spans}
        if chunk.spans and (self._page is None or self._page.page.number not in pages):
            self._turn_to(chunk.spans[0].page)
        if self._page is not None:
            starts = [s.start for s in chunk.spans if s.page == self._page.page.number]
            self._show_part_with(min(starts, default=0))
        window.page_text.mark_chunk(place, is_sought=not self._keeps_place)

    def _turn_to(self, page_number: int) -> None:
        """Show a page in list and text without moving the list of chunks."""
        row = self.window.page_rows.row_of(page_number)
        if row is None:
            return
        self._follows_chunk = True
        self.window.page_list.go_to(row)
        self._follows_chunk = False

    def _show_part_with(self, offset: int) -> None:
        part = next((n for n, (start, end) in enumerate(self._parts) if start <= offset < end), 0)
        if part != self._part:
            self._show_part(part)

    @Slot(object)
    def _on_text_clicked(self, place: int) -> None:
        # What was clicked is in view already.
        self._keeps_place = True
        self.window.chunk_list.go_to(place)
        self._keeps_place = False

    @Slot()
    def _on_previous_part(self) -> None:
        self._show_part(self._part - 1)

    @Slot()
    def _on_next_part(self) -> None:
        self._show_part(self._part + 1)
