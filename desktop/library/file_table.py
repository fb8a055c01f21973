"""The view of the files of a knowledge base."""

from collections.abc import Collection

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from desktop.design_tokens import current_colours
from desktop.library.file_model import (
    CHUNKS,
    INDEXED_AT,
    NAME,
    PAGES,
    STATE,
    FileFilter,
    FileTableModel,
    ModelIndex,
)
from desktop.library.file_words import copy_word
from desktop.row_table import RowTable
from desktop.words import moment_words, state_word
from engine.documents import FileState
from engine.events import FileReport

_WIDEST_STATE = 72
_READABLE_NAME = 150
_LEAST_NAME = 80


class FileTable(RowTable):
    """Columns keep their place, names take the room; what was selected stays so when files are listed anew.

    Signals:
        selection_changed(): other files are selected, or something about them is new.
        opened(object): a FileReport that was double-clicked or on which Enter was pressed.
        menu_wanted(object): the menu of the selected files is wanted at this QPoint of the screen.
    """

    selection_changed = Signal()
    opened = Signal(object)
    menu_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(14, parent)
        self.setObjectName("fileTable")
        self.setAccessibleName(self.tr("Files of the knowledge base"))
        self.files = FileTableModel(self)
        self._filter = FileFilter(self.files, self)
        self.setModel(self._filter)
        self._kept: tuple[list[str], int] = ([], 0)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(NAME, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self._connect()

    def _connect(self) -> None:
        # The filter was connected to the model first, so it has been reset when _restore looks at it.
        self.files.modelAboutToBeReset.connect(self._keep)
        self.files.modelReset.connect(self._restore)
        self.files.modelReset.connect(self.fit_columns)
        self.files.rowsInserted.connect(self.fit_columns)
        self.files.dataChanged.connect(self._on_data_changed)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.doubleClicked.connect(self._on_double_clicked)

    def show_only(self, states: frozenset[FileState | None] | None) -> None:
        self._filter.show_only(states)

    def show_named(self, text: str) -> None:
        self._filter.show_named(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.files.rowCount() and not self._filter.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(QColor(current_colours().muted))
            room = self.viewport().rect().adjusted(12, 12, -12, -12)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(flags), self.tr("No file is called so."))

    def selected(self) -> list[tuple[FileReport, FileState | None]]:
        """The selected files from top to bottom with the state that is shown (None: being read)."""
        rows = [self._filter.mapToSource(index).row() for index in self.selectionModel().selectedRows()]
        return [(self.files.file(row), self.files.state(row)) for row in sorted(rows)]

    def select(self, paths: Collection[str]) -> None:
        """Select exactly these files, as far as they are shown; the first becomes the current one."""
        chosen = QItemSelection()
        model = self.selectionModel()
        for path in paths:
            row = self.files.row_of(path)
            index = self._filter.mapFromSource(self.files.index(-1 if row is None else row, NAME))
            if index.isValid():
                if chosen.isEmpty():
                    model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
                chosen.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        model.select(chosen, flags.ClearAndSelect | flags.Rows)

    @Slot()
    def _keep(self) -> None:
        self._kept = [file.path for file, _ in self.selected()], self.verticalScrollBar().value()

    @Slot()
    def _restore(self) -> None:
        paths, scrolled = self._kept
        if paths:
            self.select(paths)
        self.verticalScrollBar().setValue(scrolled)
        self.selection_changed.emit()

    @Slot()
    def _on_data_changed(self) -> None:
        self.selection_changed.emit()

    @Slot(QItemSelection, QItemSelection)
    def _on_selection_changed(self, chosen: QItemSelection, left: QItemSelection) -> None:
        self.selection_changed.emit()

    def _file_at(self, index: ModelIndex) -> FileReport:
        return self.files.file(self._filter.mapToSource(index).row())

    @Slot("QModelIndex")
    def _on_double_clicked(self, index: ModelIndex) -> None:
        self.opened.emit(self._file_at(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self._file_at(self.currentIndex()))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            # The menu key knows no place: below the current row.
            corner = self.visualRect(self.currentIndex()).bottomLeft()
            place = self.viewport().mapToGlobal(corner + QPoint(24, 0))
        elif not self.indexAt(event.pos()).isValid():
            return
        self.menu_wanted.emit(place)

    @Slot()
    def fit_columns(self) -> None:
        """Room for the longest state word that is shown and for the headers; the name takes the rest.

        Where that is too little for a name, the time goes, then the numbers: they are told of the selected
        file.
        """
        widths, room = self._wanted_widths(), self.viewport().width()
        moment = self.fontMetrics().horizontalAdvance(moment_words("2000-12-30T20:58:58+00:00")) + 16
        for column, width in (*widths.items(), (INDEXED_AT, moment)):
            self.setColumnWidth(column, width)
        left = room - sum(widths.values())
        self.setColumnHidden(INDEXED_AT, left - moment < _READABLE_NAME)
        for column in (PAGES, CHUNKS):
            self.setColumnHidden(column, left < _LEAST_NAME)

    def _wanted_widths(self) -> dict[int, int]:
        metrics = self.fontMetrics()
        widths = {}
        for column in (PAGES, CHUNKS):
            title = self.files.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            widths[column] = max(metrics.horizontalAdvance(str(title)), 24) + 10
        beside = self.iconSize().width() + 30
        room = self.viewport().width() - sum(widths.values()) - beside - _READABLE_NAME
        states = {FileState.INDEXED, *self.files.counts()}
        words = [state_word(state) for state in states]
        if self.files.has_copies():
            words.append(copy_word(FileState.INDEXED))
        widest = max(map(metrics.horizontalAdvance, words))
        widths[STATE] = min(widest, max(room, _WIDEST_STATE)) + beside
        return widths

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()
        if self.currentIndex().isValid() and self.selectionModel().isSelected(self.currentIndex()):
            # What is told of the selected file below the table takes room from it.
            self.scrollTo(self.currentIndex())

    def wanted_width(self) -> int:
        """Room in which names and all but the longest state words can be read."""
        word = state_word(FileState.NEEDS_PASSWORD)
        state = max(self.fontMetrics().horizontalAdvance(word), _WIDEST_STATE) + self.iconSize().width() + 30
        widths = self._wanted_widths()
        bar = self.verticalScrollBar().sizeHint().width()
        return _READABLE_NAME + state + widths[PAGES] + widths[CHUNKS] + bar

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.files.set_colours(current_colours())
            self.fit_columns()
