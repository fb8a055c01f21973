"""The right panel: which document and page, the page itself with the passage marked."""

from pathlib import PurePosixPath

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import icons
from desktop.design_tokens import ICON, SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from desktop.elided_label import ElidedLabel
from desktop.note_line import NoteLine
from desktop.plain_label import plain_label
from desktop.reader.pdf_pages import PdfPages
from desktop.reader.text_page import TextPage


class ReaderPanel(QFrame):
    """Lays out; the reader controller decides between pages and text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerPanel")
        self.setMinimumWidth(300)
        self._build()
        self.show_nothing()

    def _build(self) -> None:
        self.header = self._build_header()
        self.note = NoteLine("readerNote", SPACE_L)
        self.placeholder = plain_label(
            "readerPlaceholder",
            "lead",
            self.tr("Click a citation or a passage to read it here in its document."),
        )
        self.placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.placeholder.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self.pdf_pages = PdfPages()
        self.text_page = TextPage()
        self.body = QStackedWidget()
        self.body.setObjectName("readerBody")
        for page in (self.placeholder, self.pdf_pages, self.text_page):
            self.body.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.note)
        layout.addWidget(self.body, 1)
        self._dress()

    def _build_header(self) -> QFrame:
        header = QFrame()
        header.setObjectName("readerHeader")
        self.title_label = ElidedLabel()
        self.title_label.setObjectName("readerTitle")
        self.title_label.setProperty("tone", "title")
        self.place_label = ElidedLabel()
        self.place_label.setObjectName("readerPlace")
        self.place_label.setProperty("tone", "caption")
        self.previous_button = self._tool("previousPage", self.tr("Previous page"))
        self.next_button = self._tool("nextPage", self.tr("Next page"))
        self.page_label = QLabel()
        self.page_label.setObjectName("pageNumber")
        self.page_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.zoom_out_button = self._tool("zoomOut", self.tr("Zoom out"))
        self.zoom_label = QLabel()
        self.zoom_label.setObjectName("zoomLabel")
        self.zoom_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.zoom_label.setMinimumWidth(self.fontMetrics().horizontalAdvance("1000%"))
        self.zoom_in_button = self._tool("zoomIn", self.tr("Zoom in"))
        self.fit_button = self._tool("fitWidth", self.tr("Fit width"))
        self.tools = QWidget()
        tools = QHBoxLayout(self.tools)
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(SPACE_XS)
        for widget in (self.previous_button, self.page_label, self.next_button):
            tools.addWidget(widget)
        tools.addStretch(1)
        for widget in (self.zoom_out_button, self.zoom_label, self.zoom_in_button, self.fit_button):
            tools.addWidget(widget)
        layout = QVBoxLayout(header)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.title_label)
        layout.addWidget(self.place_label)
        layout.addWidget(self.tools)
        return header

    def _tool(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setProperty("kind", "flat")
        button.setAccessibleName(text)
        button.setToolTip(text)
        button.setIconSize(QSize(ICON, ICON))
        return button

    def _dress(self) -> None:
        for button, name in (
            (self.previous_button, "previous"),
            (self.next_button, "next"),
            (self.zoom_out_button, "zoom-out"),
            (self.zoom_in_button, "zoom-in"),
            (self.fit_button, "fit-width"),
        ):
            icons.dress(button, name)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def show_nothing(self) -> None:
        self.header.hide()
        self.note.hide()
        self.body.setCurrentWidget(self.placeholder)

    def show_header(self, document: str, place: str) -> None:
        self.title_label.setText(PurePosixPath(document).name)
        self.title_label.setToolTip(document)
        self.place_label.setText(place)
        self.header.show()

    def show_page_number(self, number: int, count: int) -> None:
        self.page_label.setText(f"{number} / {count}")
        self.previous_button.setEnabled(number > 1)
        self.next_button.setEnabled(number < count)

    def show_pdf(self) -> None:
        self.tools.show()
        self.body.setCurrentWidget(self.pdf_pages)

    def show_text(self) -> None:
        self.tools.hide()
        self.body.setCurrentWidget(self.text_page)
