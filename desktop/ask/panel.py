"""The middle panel: a column of turns, the composer under it."""

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop.ask.composer import Composer
from desktop.ask.turn import TurnView
from desktop.design_tokens import SPACE_L, SPACE_S, SPACE_XL
from desktop.plain_label import plain_label

_READING_WIDTH = 860
_MOST_TURNS = 50


class AskPanel(QFrame):
    """A new turn is brought to the top, so that its evidence and its answer have the whole height."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("askPanel")
        self.setMinimumWidth(380)
        self.turns: list[TurnView] = []
        # Until a person scrolls, the latest turn is held at the top while it grows.
        self._is_pinned = False
        self._build()

    def _build(self) -> None:
        self.invitation = plain_label("invitation", "lead", self.tr("Ask a question about your documents."))
        self.invitation.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = QWidget()
        self._column.setObjectName("turnColumn")
        self._column.setMaximumWidth(_READING_WIDTH)
        self._turn_layout = QVBoxLayout(self._column)
        self._turn_layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        self._turn_layout.setSpacing(SPACE_XL + SPACE_L)
        self._turn_layout.addWidget(self.invitation, 1000)
        self._turn_layout.addStretch(1)
        self._inside = QFrame()
        self._inside.setObjectName("turnColumn")
        row = QHBoxLayout(self._inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._column, 100)
        row.addStretch(1)
        self.turn_scroll = QScrollArea()
        self.turn_scroll.setObjectName("turnScroll")
        self.turn_scroll.setAccessibleName(self.tr("Questions and answers"))
        self.turn_scroll.setWidgetResizable(True)
        self.turn_scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.turn_scroll.setWidget(self._inside)
        self.turn_scroll.viewport().installEventFilter(self)
        self._column.installEventFilter(self)
        self.turn_scroll.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.turn_scroll.verticalScrollBar().actionTriggered.connect(self._on_scrolled_by_hand)
        self.composer = Composer()
        self.composer.setMaximumWidth(_READING_WIDTH - 2 * SPACE_XL)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(SPACE_XL, SPACE_S, SPACE_XL, SPACE_L)
        bottom.addStretch(1)
        bottom.addWidget(self.composer, 100)
        bottom.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.turn_scroll, 1)
        layout.addLayout(bottom)

    def add_turn(self, turn_id: int, question: str) -> TurnView:
        self.invitation.hide()
        turn = TurnView(turn_id, question)
        self.turns.append(turn)
        self._turn_layout.insertWidget(self._turn_layout.count() - 1, turn)
        if len(self.turns) > _MOST_TURNS:
            self.remove_turn(self.turns[0])
        self.composer.new_button.show()
        self._is_pinned = True
        self._make_room()
        return turn

    def remove_turn(self, turn: TurnView) -> None:
        """Take a turn away; nothing happens for one that is gone already."""
        if turn not in self.turns:
            return
        self.turns.remove(turn)
        self._turn_layout.removeWidget(turn)
        turn.hide()
        turn.deleteLater()
        self._column.setMinimumHeight(0)
        self.invitation.setVisible(not self.turns)
        self.composer.new_button.setVisible(bool(self.turns))

    def _make_room(self) -> None:
        """Height below the latest turn, so that it can stand at the top while it is short."""
        if len(self.turns) > 1:
            top = self.turns[-1].y() - SPACE_XL
            self._column.setMinimumHeight(top + self.turn_scroll.viewport().height())

    @Slot()
    def _on_range_changed(self) -> None:
        bar = self.turn_scroll.verticalScrollBar()
        # The column keeps its distance from the panel's edge when the bar takes its room.
        taken = bar.sizeHint().width() if bar.maximum() > 0 else 0
        self._turn_layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL - taken, SPACE_L)
        if self._is_pinned and self.turns:
            bar.setValue(self.turns[-1].y() - SPACE_XL)

    @Slot()
    def _on_scrolled_by_hand(self) -> None:
        self._is_pinned = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._make_room()
            self._on_range_changed()
        return False
