"""A button that opens a passage, with as much of its file and place as there is room for."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from desktop.design_tokens import SPACE_XL
from desktop.words import place_of
from engine.answers import Citation
from engine.documents import SearchHit


class PassageButton(QPushButton):
    """Hidden while it has no passage.

    Signals:
        hit_opened(object): its SearchHit or Citation is to be read.
    """

    hit_opened = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("kind", "passage")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._hit: SearchHit | Citation | None = None
        self._told = ""
        self.clicked.connect(self._on_clicked)

    def show_hit(self, hit: SearchHit | Citation | None) -> None:
        self._hit = hit
        self.setVisible(hit is not None)
        if hit is not None:
            self._told = f"{hit.document} · {place_of(hit)}"
            self.setToolTip(self._told)
            self.setAccessibleName(self.tr("Open {passage}").format(passage=self._told))
            self._shorten()

    def _shorten(self) -> None:
        room = self.width() - SPACE_XL
        shown = self.fontMetrics().elidedText(self._told, Qt.TextElideMode.ElideMiddle, room)
        self.setText(shown.replace("&", "&&"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    @Slot()
    def _on_clicked(self) -> None:
        self.hit_opened.emit(self._hit)
