"""The head of the reader: which document and place, the ways to other places, and the tools of a PDF."""

from pathlib import PurePosixPath

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from desktop.elided_label import ElidedLabel
from desktop.reader.tool import flat_tool


class ReaderHeader(QFrame):
    """Layout only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerHeader")
        self._build()
        self._dress()

    def _build(self) -> None:
        self.title_label = ElidedLabel()
        self.title_label.setObjectName("readerTitle")
        self.title_label.setProperty("tone", "title")
        self.place_label = ElidedLabel()
        self.place_label.setObjectName("readerPlace")
        self.place_label.setProperty("tone", "caption")
        self.back_button = flat_tool("readerBack", self.tr("Back (Alt+Left)"))
        self.forward_button = flat_tool("readerForward", self.tr("Forward (Alt+Right)"))
        self.open_button = flat_tool("openExternally", self.tr("Open in the system's own program"))
        top = QHBoxLayout()
        top.setSpacing(SPACE_XS)
        top.addWidget(self.title_label, 1)
        for widget in (self.back_button, self.forward_button, self.open_button):
            top.addWidget(widget)
        below = QHBoxLayout()
        below.setSpacing(SPACE_XS)
        below.addWidget(self.place_label, 1)
        below.addWidget(self._build_citation_steps())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_S, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addLayout(top)
        layout.addLayout(below)
        layout.addWidget(self._build_tools())

    def _build_citation_steps(self) -> QWidget:
        self.previous_citation = flat_tool("previousCitation", self.tr("Previous citation (Alt+Up)"))
        self.next_citation = flat_tool("nextCitation", self.tr("Next citation (Alt+Down)"))
        self.citation_label = QLabel()
        self.citation_label.setObjectName("citationNumber")
        self.citation_label.setProperty("tone", "caption")
        self.citation_steps = QWidget()
        layout = QHBoxLayout(self.citation_steps)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        for widget in (self.citation_label, self.previous_citation, self.next_citation):
            layout.addWidget(widget)
        return self.citation_steps

    def _build_tools(self) -> QWidget:
        self.outline_button = flat_tool("showOutline", self.tr("Outline"), checkable=True)
        self.find_button = flat_tool("findInDocument", self.tr("Find in document (Ctrl+F)"))
        self.previous_button = flat_tool("previousPage", self.tr("Previous page"))
        self.next_button = flat_tool("nextPage", self.tr("Next page"))
        self.page_edit = QLineEdit()
        self.page_edit.setObjectName("pageBox")
        self.page_edit.setAccessibleName(self.tr("Page: its number or the label printed on it"))
        self.page_edit.setToolTip(self.page_edit.accessibleName())
        self.page_edit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.page_label = QLabel()
        self.page_label.setObjectName("pageNumber")
        self.page_label.setProperty("tone", "caption")
        self.zoom_out_button = flat_tool("zoomOut", self.tr("Zoom out (Ctrl+-)"))
        self.zoom_label = QLabel()
        self.zoom_label.setObjectName("zoomLabel")
        self.zoom_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.zoom_in_button = flat_tool("zoomIn", self.tr("Zoom in (Ctrl++)"))
        self.fit_button = flat_tool("fitWidth", self.tr("Fit width (Ctrl+0)"))
        self.fit_page_button = flat_tool("fitPage", self.tr("Fit page (Ctrl+9)"))
        self.pdf_tools = QWidget()
        pdf = QHBoxLayout(self.pdf_tools)
        pdf.setContentsMargins(0, 0, 0, 0)
        pdf.setSpacing(2)
        for widget in (self.previous_button, self.page_edit, self.page_label, self.next_button):
            pdf.addWidget(widget)
        pdf.addStretch(1)
        for button in (self.zoom_out_button, self.zoom_label, self.zoom_in_button):
            pdf.addWidget(button)
        for button in (self.fit_button, self.fit_page_button):
            pdf.addWidget(button)
        tools = QWidget()
        layout = QHBoxLayout(tools)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.outline_button)
        layout.addWidget(self.pdf_tools, 1)
        layout.addStretch(0)
        layout.addWidget(self.find_button)
        self._fit_widths()
        return tools

    def _fit_widths(self) -> None:
        self.zoom_label.setMinimumWidth(self.fontMetrics().horizontalAdvance("400%"))
        self.page_edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0000") + 2 * SPACE_M)

    def _dress(self) -> None:
        for button, name in (
            (self.back_button, "back"),
            (self.forward_button, "forward"),
            (self.open_button, "open-outside"),
            (self.previous_citation, "previous"),
            (self.next_citation, "next"),
            (self.outline_button, "outline"),
            (self.previous_button, "previous"),
            (self.next_button, "next"),
            (self.zoom_out_button, "zoom-out"),
            (self.zoom_in_button, "zoom-in"),
            (self.fit_button, "fit-width"),
            (self.fit_page_button, "fit-page"),
            (self.find_button, "search"),
        ):
            icons.dress(button, name)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "find_button"):
            self._dress()

    def show_place(self, document: str, place: str) -> None:
        self.title_label.setText(PurePosixPath(document).name)
        self.title_label.setToolTip(document)
        self.place_label.setText(place)

    def show_page(self, number: int, count: int, label: str) -> None:
        """``label`` is what is printed on the page."""
        has_label = bool(label) and label != str(number)
        self.page_edit.setText(label if has_label else str(number))
        self.page_label.setText(f"({number} / {count})" if has_label else f"/ {count}")
        self.previous_button.setEnabled(number > 1)
        self.next_button.setEnabled(number < count)

    def show_compact(self, is_compact: bool) -> None:
        """Leave out what keys and the wheel do as well."""
        for widget in (self.zoom_label, self.fit_page_button):
            widget.setVisible(not is_compact)

    def show_ways(self, *, back: bool, forward: bool) -> None:
        self.back_button.setEnabled(back)
        self.forward_button.setEnabled(forward)

    def show_citation_number(self, number: int | None, count: int) -> None:
        """Which citation of the answer this is; hidden where there is only one."""
        self.citation_steps.setVisible(number is not None and count > 1)
        if number is not None:
            self.citation_label.setText(self.tr("Citation {n} of {count}").format(n=number, count=count))
            self.previous_citation.setEnabled(number > 1)
            self.next_citation.setEnabled(number < count)
