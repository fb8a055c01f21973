"""The headings of the open document as a tree beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtPdf import QPdfBookmarkModel, QPdfDocument
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

_PLACE = Qt.ItemDataRole.UserRole
_MOST = 5000
_DEEPEST = 12
_OPEN_LEVELS = 1


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """``place`` is what the reader is told when it is chosen: a page's index, or a part and an offset."""

    level: int
    title: str
    place: Any


def bookmarks(document: QPdfDocument) -> list[OutlineEntry]:
    """The bookmarks that a PDF brings, ``place`` is the index of a page."""
    model = QPdfBookmarkModel()
    model.setDocument(document)
    found = []
    for entry in _walk(model, QModelIndex(), 1):
        found.append(entry)
        if len(found) == _MOST:
            break
    return found


def _walk(model: QPdfBookmarkModel, parent: QModelIndex, level: int) -> Iterator[OutlineEntry]:
    if level > _DEEPEST:
        return
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        title = str(index.data(QPdfBookmarkModel.Role.Title.value) or "").strip()
        yield OutlineEntry(level, title, int(index.data(QPdfBookmarkModel.Role.Page.value) or 0))
        yield from _walk(model, index, level + 1)


class OutlineTree(QTreeView):
    """Arrow keys fold and unfold, Enter or a click goes there.

    Signals:
        place_chosen(object): the ``place`` of the entry.
    """

    place_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerOutline")
        self.setAccessibleName(self.tr("Outline of the document"))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(14)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def show_entries(self, entries: Sequence[OutlineEntry]) -> None:
        self._model.clear()
        above: list[tuple[int, QStandardItem]] = []
        for entry in entries:
            item = QStandardItem(entry.title)
            item.setToolTip(entry.title)
            item.setData(entry.place, _PLACE)
            while above and above[-1][0] >= entry.level:
                above.pop()
            (above[-1][1] if above else self._model.invisibleRootItem()).appendRow(item)
            above.append((entry.level, item))
        self.expandToDepth(_OPEN_LEVELS - 1)

    @property
    def is_empty(self) -> bool:
        return self._model.rowCount() == 0

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.place_chosen.emit(index.data(_PLACE))
