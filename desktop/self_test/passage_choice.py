"""Passages of which one is marked as the right one with a click."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from desktop.ask.evidence_card import EvidenceCard
from desktop.ask.evidence_list import EvidenceModel
from engine.documents import SearchHit


class PassageChoice(QListView):
    """Cards as under an answer, in a list that scrolls.

    Signals:
        chosen(object): the SearchHit that was clicked or moved to, None: none is any more.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passageChoice")
        self.setAccessibleName(self.tr("Passages"))
        self.hits = EvidenceModel(self)
        self.setModel(self.hits)
        self.setItemDelegate(EvidenceCard(self.hits.relevance, self))
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        self.hits.set_hits(hits)
        self.chosen.emit(None)

    def passage(self) -> SearchHit | None:
        """The one that is marked."""
        rows = self.selectionModel().selectedIndexes()
        return self.hits.hit(rows[0].row()) if rows else None

    def choose(self, row: int) -> None:
        self.setCurrentIndex(self.hits.index(row))

    @Slot()
    def _on_selection_changed(self) -> None:
        self.chosen.emit(self.passage())
