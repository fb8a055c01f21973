"""The ways from the open passage: back and forward, to the other citations, into the system's own viewer."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QKeySequence

from desktop.reader.external import open_document
from desktop.reader.panel import ReaderPanel
from desktop.reader.places import Place, Places, Source


class Ways(QObject):
    """Keeps the history of places.

    Signals:
        place_wanted(object): the Place to be opened.
        problem_found(str, object): code and params of something to tell.
    """

    place_wanted = Signal(object)
    problem_found = Signal(str, object)

    def __init__(
        self,
        panel: ReaderPanel,
        beside: Callable[[Source], Sequence[Source]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._panel = panel
        self._beside = beside
        self._places = Places()
        self._path: Path | None = None
        self._is_shown = False
        header = panel.header
        for button, key, way in (
            (header.back_button, "Alt+Left", self._on_back),
            (header.forward_button, "Alt+Right", self._on_forward),
            (header.previous_citation, "Alt+Up", self._on_previous_citation),
            (header.next_citation, "Alt+Down", self._on_next_citation),
        ):
            button.clicked.connect(way)
            button.setShortcut(QKeySequence(key))
        header.open_button.clicked.connect(self._on_open_clicked)

    def visit(self, source: Source) -> None:
        """A passage is opened that nobody came back to."""
        self._leave()
        self._places.beside = tuple(self._beside(source))
        self._places.visit(Place(source))
        self._show()

    @Slot(object)
    def note_jump(self, index: int) -> None:
        """A person leaves this page of the open document for another one."""
        now = self._places.now
        if now is not None:
            self._places.leave(index)
            self._places.visit(Place(now.source))
            self._show()

    def show_file(self, path: Path | None) -> None:
        """The file behind what is shown; None where there is none to be opened."""
        self._path, self._is_shown = path, True
        self._panel.header.open_button.setEnabled(path is not None)

    def _leave(self) -> None:
        """Note where the passage is left; one that has not come yet has no page."""
        panel = self._panel
        if self._is_shown:
            is_pdf = panel.body.currentWidget() is panel.pdf_pages
            self._places.leave(panel.pdf_pages.page_index if is_pdf else None)
        self._is_shown = False

    def _show(self) -> None:
        places, header = self._places, self._panel.header
        header.show_ways(back=places.can_go_back, forward=places.can_go_forward)
        header.show_citation_number(places.number, len(places.beside))

    def _step(self, by: int) -> None:
        if self._places.can_go_back if by < 0 else self._places.can_go_forward:
            self._leave()
            place = self._places.step(by)
            assert place is not None
            self._places.beside = tuple(self._beside(place.source))
            self._show()
            self.place_wanted.emit(place)

    def _go_beside(self, by: int) -> None:
        source = self._places.neighbour(by)
        if source is not None:
            self.visit(source)
            self.place_wanted.emit(Place(source))

    @Slot()
    def _on_back(self) -> None:
        self._step(-1)

    @Slot()
    def _on_forward(self) -> None:
        self._step(1)

    @Slot()
    def _on_previous_citation(self) -> None:
        self._go_beside(-1)

    @Slot()
    def _on_next_citation(self) -> None:
        self._go_beside(1)

    @Slot()
    def _on_open_clicked(self) -> None:
        panel, path = self._panel, self._path
        if path is None:
            return
        is_pdf = panel.body.currentWidget() is panel.pdf_pages
        if not open_document(path, panel.pdf_pages.page_index + 1 if is_pdf else None):
            self.problem_found.emit("not_readable", {"path": str(path)})
