"""What the buttons, the page box and the keys of a PDF do."""

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut

from desktop.reader.panel import ReaderPanel

_ZOOM_IN = ("Ctrl++", "Ctrl+=")
_ZOOM_OUT = ("Ctrl+-",)


class PdfControls(QObject):
    """Zoom and pages; an outline is somebody else's.

    Signals:
        jumped(object): a person went from this page (index) to another by its number.
    """

    jumped = Signal(object)

    def __init__(self, panel: ReaderPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._panel = panel
        self._header = panel.header
        self._pages = panel.pdf_pages
        self._connect()

    def _connect(self) -> None:
        header, pages = self._header, self._pages
        pages.page_changed.connect(self._on_page_changed)
        pages.zoom_changed.connect(self.show_zoom)
        header.previous_button.clicked.connect(self._on_previous)
        header.next_button.clicked.connect(self._on_next)
        header.page_edit.returnPressed.connect(self._on_page_entered)
        header.page_edit.editingFinished.connect(self._show_page)
        header.zoom_in_button.clicked.connect(self._on_zoom_in)
        header.zoom_out_button.clicked.connect(self._on_zoom_out)
        header.fit_button.clicked.connect(pages.fit_width)
        header.fit_page_button.clicked.connect(pages.fit_page)
        for keys, button in (
            (_ZOOM_IN, header.zoom_in_button),
            (_ZOOM_OUT, header.zoom_out_button),
            (("Ctrl+0",), header.fit_button),
            (("Ctrl+9",), header.fit_page_button),
        ):
            for key in keys:
                shortcut = QShortcut(QKeySequence(key), self._panel, button.click)
                shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def go_to(self, index: int) -> None:
        """Go to a page as a jump that can be taken back."""
        if index != self._pages.page_index:
            self.jumped.emit(self._pages.page_index)
        self._pages.go_to_page(index)

    @Slot(object)
    def _on_page_changed(self, index: int) -> None:
        if not self._header.page_edit.hasFocus():
            self._show_page()

    @Slot()
    def _show_page(self) -> None:
        pages = self._pages
        if pages.page_count:
            label = pages.file.label(pages.page_index)
            self._header.show_page(pages.page_index + 1, pages.page_count, label)

    @Slot(object)
    def show_zoom(self, zoom: float) -> None:
        self._header.zoom_label.setText(f"{round(zoom * 100)}%")

    @Slot()
    def _on_page_entered(self) -> None:
        """A label counts before a number: it is what the box shows, and what is printed on the paper."""
        text = self._header.page_edit.text().strip()
        index = self._pages.document.pageIndexForLabel(text) if text else -1
        if index < 0 and text.isdecimal():
            index = int(text) - 1
        if 0 <= index < self._pages.page_count:
            self.go_to(index)
        self._pages.setFocus()
        self._show_page()

    @Slot()
    def _on_previous(self) -> None:
        self._pages.go_to_page(self._pages.page_index - 1)

    @Slot()
    def _on_next(self) -> None:
        self._pages.go_to_page(self._pages.page_index + 1)

    @Slot()
    def _on_zoom_in(self) -> None:
        self._pages.zoom_by(1)

    @Slot()
    def _on_zoom_out(self) -> None:
        self._pages.zoom_by(-1)
