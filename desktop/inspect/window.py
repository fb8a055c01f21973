"""The window that shows how one document was read. Layout only."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSplitter, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.elided_label import ElidedLabel
from desktop.inspect.chunk_view import ChunkView
from desktop.inspect.entry import EntryList
from desktop.inspect.header import InspectHeader
from desktop.inspect.legend import Legend
from desktop.inspect.lists import ChunkRows, PageRows
from desktop.inspect.page_text import PageText
from desktop.plain_label import plain_label
from desktop.theme import SystemTheme
from desktop.titled_column import TitledColumn


class InspectWindow(QWidget):
    """Stands beside the main window and closes with it, or on Esc; it remembers nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("inspectWindow")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self._theme = SystemTheme(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        self.setMinimumSize(720, 420)
        self.resize(1180, 760)

    def _build(self) -> None:
        self.header = InspectHeader()
        self.page_rows, self.chunk_rows = PageRows(self), ChunkRows(self)
        self.page_list = EntryList("inspectPages", self.tr("Pages of the document"), 0)
        self.page_list.setModel(self.page_rows.model)
        self.chunk_list = EntryList("inspectChunks", self.tr("Passages of the document"), 2)
        self.chunk_list.setModel(self.chunk_rows.model)
        self.chunk_view = ChunkView()
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setObjectName("inspectColumns")
        self.columns.setHandleWidth(1)
        self.columns.setChildrenCollapsible(False)
        right = QSplitter(Qt.Orientation.Vertical)
        right.setHandleWidth(1)
        right.setChildrenCollapsible(False)
        right.addWidget(TitledColumn(self.tr("Passages"), self.chunk_list))
        right.addWidget(TitledColumn(self.tr("Text that is searched"), self.chunk_view))
        right.setSizes([420, 220])
        self.columns.addWidget(TitledColumn(self.tr("Pages"), self.page_list))
        self.columns.addWidget(self._build_page())
        self.columns.addWidget(right)
        for place, stretch in enumerate((0, 1, 0)):
            self.columns.setStretchFactor(place, stretch)
        self.columns.setSizes([260, 580, 340])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.columns, 1)

    def _build_page(self) -> QWidget:
        column = QFrame()
        column.setProperty("role", "column")
        self.page_label = ElidedLabel()
        self.page_label.setObjectName("inspectPage")
        self.page_label.setProperty("tone", "overline")
        self.part_label = QLabel()
        self.part_label.setObjectName("inspectPart")
        self.part_label.setProperty("tone", "caption")
        self.previous_part = self._tool("previousPart", self.tr("Part before"), "previous")
        self.next_part = self._tool("nextPart", self.tr("Next part"), "next")
        self.part_tools = QWidget()
        tools = QHBoxLayout(self.part_tools)
        tools.setContentsMargins(0, 0, 0, 0)
        for widget in (self.previous_part, self.part_label, self.next_part):
            tools.addWidget(widget)
        top = QHBoxLayout()
        top.setContentsMargins(SPACE_L, SPACE_M, SPACE_S, SPACE_S)
        top.addWidget(self.page_label, 1)
        top.addWidget(self.part_tools)
        self.warning_label = plain_label("inspectWarning", "warn")
        self.warning_label.hide()
        self.page_text = PageText()
        self.legend = Legend()
        foot = QHBoxLayout()
        foot.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, SPACE_M)
        foot.addWidget(self.legend)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.warning_label)
        layout.addWidget(self.page_text, 1)
        layout.addLayout(foot)
        return column

    def _tool(self, name: str, text: str, icon: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setProperty("kind", "flat")
        button.setAccessibleName(text)
        button.setToolTip(text)
        icons.dress(button, icon)
        return button

    def show_parts(self, place: int, count: int) -> None:
        """Which part of a long page is shown, from 0."""
        text = self.tr("Part {number} of {count}")
        self.part_label.setText(text.format(number=place + 1, count=count))
        self.previous_part.setEnabled(place > 0)
        self.next_part.setEnabled(place < count - 1)
        self.part_tools.setVisible(count > 1)
