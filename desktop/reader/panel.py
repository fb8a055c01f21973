"""The right panel: head, note and find line above the document, its outline beside it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_XL
from desktop.plain_label import plain_label
from desktop.reader.find_bar import FindBar
from desktop.reader.grid_page import GridPage
from desktop.reader.header import ReaderHeader
from desktop.reader.outline import OutlineTree
from desktop.reader.pdf_pages import PdfPages
from desktop.reader.reader_note import ReaderNote
from desktop.reader.rich_page import RichPage
from desktop.reader.text_page import TextPage

_OUTLINE_WIDTH = 180
_NARROW, _COMPACT = 520, 420


class ReaderPanel(QFrame):
    """Lays out; the reader controller decides between pages, text and tables."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerPanel")
        self.setMinimumWidth(300)
        self._build()
        self.show_nothing()

    def _build(self) -> None:
        self.header = ReaderHeader()
        self.note = ReaderNote()
        self.find_bar = FindBar()
        self.placeholder = plain_label(
            "readerPlaceholder",
            "lead",
            self.tr("Click a citation or a passage to read it here in its document."),
        )
        self.placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.placeholder.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self.pdf_pages = PdfPages()
        self.text_page = TextPage()
        self.rich_page = RichPage()
        self.grid_page = GridPage()
        self.body = QStackedWidget()
        self.body.setObjectName("readerBody")
        for page in (self.placeholder, self.pdf_pages, self.text_page, self.rich_page, self.grid_page):
            self.body.addWidget(page)
        self.outline = OutlineTree()
        self.outline.hide()
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setObjectName("readerColumns")
        self.columns.setHandleWidth(1)
        self.columns.setChildrenCollapsible(False)
        self.columns.addWidget(self.outline)
        self.columns.addWidget(self.body)
        self.columns.setStretchFactor(1, 1)
        self.columns.setSizes([_OUTLINE_WIDTH, 3 * _OUTLINE_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.header, self.find_bar, self.note):
            layout.addWidget(widget)
        layout.addWidget(self.columns, 1)
        self.header.outline_button.toggled.connect(self._on_outline_toggled)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for the outline beside the document it stands above it."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW
        self.header.show_compact(event.size().width() < _COMPACT)
        orientation = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self.columns.orientation() != orientation:
            self.columns.setOrientation(orientation)
            self.columns.setSizes([_OUTLINE_WIDTH, 3 * _OUTLINE_WIDTH])

    def show_nothing(self) -> None:
        for widget in (self.header, self.note, self.find_bar, self.outline):
            widget.hide()
        self.body.setCurrentWidget(self.placeholder)

    def show_header(self, document: str, place: str) -> None:
        self.header.show_place(document, place)
        self.header.show()

    def show_pdf(self) -> None:
        self.header.pdf_tools.show()
        self.body.setCurrentWidget(self.pdf_pages)

    def show_text(self, page: TextPage | RichPage | GridPage) -> None:
        self.header.pdf_tools.hide()
        self.body.setCurrentWidget(page)

    def show_outline_button(self) -> None:
        """The outline can be shown where a document has one."""
        button = self.header.outline_button
        button.setVisible(not self.outline.is_empty)
        self._on_outline_toggled(button.isChecked())

    def _on_outline_toggled(self, is_wanted: bool) -> None:
        self.outline.setVisible(is_wanted and not self.outline.is_empty)
