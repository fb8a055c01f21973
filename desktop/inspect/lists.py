"""The pages and the chunks of a document as list models."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.inspect.entry import ENTRY_ROLE, Entry
from desktop.inspect.layers import Layers
from desktop.inspect.words import chunk_title, section_words, short_ocr_words
from desktop.words import CERTAIN, page_place
from desktop.words import page_words as place_words
from engine.documents import Chunk, Page

_Index = QModelIndex | QPersistentModelIndex
_EXCERPT = 200


class EntryModel(QAbstractListModel):
    """Entries that are made when they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._make: Callable[[int], Entry] = lambda row: Entry("")

    def set_entries(self, count: int, make: Callable[[int], Entry]) -> None:
        self.beginResetModel()
        self._count, self._make = count, make
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._count

    def data(self, index: _Index, role: int = 0) -> Any:
        if role == ENTRY_ROLE:
            return self._make(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._make(index.row()).title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._make(index.row()).spoken()
        return None


class PageRows(QObject):
    """Stored pages and pages that are missing, in order of their numbers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model = EntryModel(self)
        self._rows: list[tuple[int, Page | None]] = []
        self._places: dict[int, int] = {}
        self._missing: frozenset[int] = frozenset()
        self._layers = Layers((), (), ())

    def set_pages(self, pages: Sequence[Page], missing: Sequence[int], layers: Layers) -> None:
        by_number: dict[int, Page | None] = dict.fromkeys(missing)
        by_number.update({page.number: page for page in pages})
        self._rows = sorted(by_number.items(), key=lambda row: row[0])
        self._places = {number: place for place, (number, _) in enumerate(self._rows)}
        self._missing = frozenset(missing)
        self._layers = layers
        self.model.set_entries(len(self._rows), self._entry)

    def page(self, row: int) -> Page | None:
        """None for a page that is missing."""
        return self._rows[row][1]

    def number(self, row: int) -> int:
        return self._rows[row][0]

    def row_of(self, page_number: int) -> int | None:
        return self._places.get(page_number)

    def _entry(self, row: int) -> Entry:
        page_number, page = self._rows[row]
        if page is None:
            return Entry(
                place_words(page_number, None), self.tr("Missing: nothing could be read"), tone="warn"
            )
        parts = [self.tr("%n characters", "", len(page.text))]
        if count := self._layers.chunk_count(page_number):
            parts.append(self.tr("%n passages", "", count))
        if page_number in self._missing:
            parts.insert(0, self.tr("incomplete"))
        if page.from_ocr:
            parts.insert(0, short_ocr_words(page.confidence))
        is_doubtful = page.confidence is not None and page.confidence < CERTAIN
        tone = "warn" if is_doubtful or page_number in self._missing else "muted"
        return Entry(page_place(page), " · ".join(parts), tone=tone)


class ChunkRows(QObject):
    """Chunks in their order, each with the colour that its text has on the page."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model = EntryModel(self)
        self._chunks: Sequence[Chunk] = ()

    def set_chunks(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self.model.set_entries(len(chunks), self._entry)

    def first_on(self, page_number: int) -> int | None:
        """Row of the first chunk that has text on a page."""
        for row, chunk in enumerate(self._chunks):
            if chunk.page <= page_number <= chunk.page_end:
                return row
        return None

    def _entry(self, row: int) -> Entry:
        chunk = self._chunks[row]
        caption = section_words(chunk) or self.tr("no section")
        text = " ".join(chunk.text[:_EXCERPT].split())
        stripe = "chunk_even" if row % 2 == 0 else "chunk_odd"
        return Entry(chunk_title(chunk), caption, text, stripe=stripe)
