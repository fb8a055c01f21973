"""The passages found, as a list of cards: rank, file, place, relevance and the first 80 characters."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QSizePolicy, QWidget

from desktop.ask.evidence_card import EvidenceCard, copies_words, excerpt
from desktop.words import number, place_of
from engine.documents import SearchHit

HIT_ROLE = int(Qt.ItemDataRole.UserRole)
_Index = QModelIndex | QPersistentModelIndex


class EvidenceModel(QAbstractListModel):
    """Hits in rank order; the whole hit under ``HIT_ROLE``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[SearchHit, ...] = ()

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def hit(self, row: int) -> SearchHit:
        return self._hits[row]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: _Index, role: int = 0) -> Any:
        hit = self._hits[index.row()]
        if role == HIT_ROLE:
            return hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            told = (hit.document, place_of(hit), copies_words(hit), self.relevance(hit), excerpt(hit.text))
            return " · ".join((str(hit.rank), *filter(None, told)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([f"{hit.library} › {hit.document}", *self._copy_lines(hit)])
        return None

    def _copy_lines(self, hit: SearchHit) -> list[str]:
        return [self.tr("The same document lies here, too:"), *hit.copies] if hit.copies else []

    def relevance(self, hit: SearchHit) -> str:
        return self.tr("Relevance {score}").format(score=number(hit.score, 2))


class EvidenceList(QListView):
    """As high as its cards.

    Signals:
        hit_opened(object): the SearchHit a person clicked or pressed Enter on.
    """

    hit_opened = Signal(object)

    def __init__(self, name: str, accessible_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self.hits = EvidenceModel(self)
        self.setModel(self.hits)
        self.setItemDelegate(EvidenceCard(self.hits.relevance, self))
        self.setMouseTracking(True)
        self.setSpacing(0)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        self.hits.set_hits(hits)
        self._fit_height()

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.hit_opened.emit(self.hits.hit(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self._on_clicked(self.currentIndex())
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self.indexAt(event.position().toPoint()).isValid()
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def _fit_height(self) -> None:
        total = sum(self.sizeHintForRow(row) for row in range(self.hits.rowCount()))
        if total != self.maximumHeight():
            self.setFixedHeight(total)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def sizeHint(self) -> QSize:
        return QSize(400, self.maximumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The column scrolls, this list never does.
        event.ignore()
