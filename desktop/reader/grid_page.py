"""Sheets and CSV files as tables, from the stored rows, with the cited rows marked."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTabBar, QTableView, QVBoxLayout, QWidget

from desktop.reader.grid_model import GridModel, Sheet, sheets_of
from desktop.reader.text_part import Occurrence, TextPart

_WIDEST = 360
_MEASURED_ROWS = 60


class GridPage(QWidget):
    """One sheet at a time; tabs choose where a file has several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gridPage")
        self._sheets: Sequence[Sheet] = ()
        self.tabs = QTabBar()
        self.tabs.setObjectName("sheetTabs")
        self.tabs.setAccessibleName(self.tr("Sheets"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.rows = GridModel(self)
        self.table = QTableView()
        self.table.setObjectName("sheetTable")
        self.table.setAccessibleName(self.tr("Rows of the document"))
        self.table.setModel(self.rows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setResizeContentsPrecision(_MEASURED_ROWS)
        copy = QAction(self.tr("Copy"), self.table)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy)
        self.table.addAction(copy)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self.tabs.currentChanged.connect(self._on_tab_changed)

    def show_parts(self, parts: Sequence[TextPart]) -> None:
        self._sheets = sheets_of(parts)
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for sheet in self._sheets:
            self.tabs.addTab(sheet.name or self.tr("Rows"))
        marked = next((n for n, sheet in enumerate(self._sheets) if sheet.first_mark is not None), 0)
        self.tabs.setCurrentIndex(marked)
        self.tabs.blockSignals(False)
        self.tabs.setVisible(len(self._sheets) > 1)
        self._show_sheet(marked)
        QTimer.singleShot(0, self._go_to_mark)

    def _show_sheet(self, number: int) -> None:
        if 0 <= number < len(self._sheets):
            self.rows.set_sheet(self._sheets[number])
            self.table.resizeColumnsToContents()
            for column in range(self.rows.columnCount()):
                self.table.setColumnWidth(column, min(self.table.columnWidth(column) + 12, _WIDEST))
            self._go_to_mark()

    def marked_texts(self) -> list[str]:
        """The cells that are marked as cited."""
        return [text for sheet in self._sheets for text in sheet.cited_texts()]

    def show_found(self, found: Sequence[Occurrence], now: int | None) -> None:
        for sheet in self._sheets:
            sheet.set_found(found, None if now is None else found[now])
        self.rows.repaint_marks()
        if now is not None:
            self.go_to(*found[now][:2])

    def go_to(self, part: int, offset: int) -> None:
        for number, sheet in enumerate(self._sheets):
            place = sheet.place(part, offset)
            if place is not None:
                self.tabs.setCurrentIndex(number)
                self._scroll_to(*place)
                return

    @Slot(int)
    def _on_tab_changed(self, number: int) -> None:
        self._show_sheet(number)

    @Slot()
    def _go_to_mark(self) -> None:
        mark = self.rows.sheet.first_mark
        self._scroll_to(*(mark or (0, 0)))

    def _scroll_to(self, row: int, column: int) -> None:
        index = self.rows.index(row, column)
        self.table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    @Slot()
    def copy(self) -> None:
        """The selected cells, with tabs between them as spreadsheets take them."""
        chosen = sorted((index.row(), index.column()) for index in self.table.selectedIndexes())
        lines: dict[int, list[str]] = {}
        for row, column in chosen:
            lines.setdefault(row, []).append(self.rows.sheet.text(row, column))
        if lines:
            QGuiApplication.clipboard().setText("\n".join("\t".join(cells) for cells in lines.values()))
