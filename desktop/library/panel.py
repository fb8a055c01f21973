"""The left panel: which knowledge base, its files, adding folders."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import icons
from desktop.choice_box import is_confirmed
from desktop.design_tokens import ICON, SPACE_L, SPACE_M, SPACE_S
from desktop.flow_layout import FlowLayout
from desktop.library.file_details import FileDetails
from desktop.library.file_menu import FileMenu
from desktop.library.file_table import FileTable
from desktop.library.ledger import StateLedger
from desktop.library.pickers import ask_for_folder, confirmed
from desktop.library.progress import IndexProgressStrip
from desktop.library.sync_line import SyncLine
from desktop.line_edit import LineEdit
from desktop.note_line import NoteLine
from engine.standing import LibrarySummary

_LEAST_TABLE = 64
_LEAST_LEDGER = 62
_LOW = 640
_FEW = 8
"""Files that are found at a glance, without a filter."""


class LibraryPanel(QFrame):
    """Lays out; :class:`~desktop.library.controller.LibraryController` wires and decides."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("libraryPanel")
        self.setMinimumWidth(270)
        self._build()

    def _build(self) -> None:
        self.heading = QLabel(self.tr("Knowledge base"))
        self.heading.setProperty("tone", "overline")
        self.library_combo = QComboBox()
        self.library_combo.setObjectName("libraryCombo")
        self.library_combo.setAccessibleName(self.tr("Knowledge base"))
        self.library_combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.library_combo.setMinimumContentsLength(6)
        self.library_combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.new_button = self._tool("newLibrary", self.tr("New knowledge base from a folder"))
        self.more_button = self._tool("libraryMore", self.tr("More for knowledge bases"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._build_menu()
        self.add_button = QPushButton(self.tr("Add folder"))
        self.add_button.setObjectName("addFolder")
        self.add_button.setIconSize(QSize(ICON, ICON))
        self.summary_label = QLabel()
        self.summary_label.setObjectName("librarySummary")
        self.summary_label.setProperty("tone", "caption")
        self.sync_line = SyncLine()
        self.locate_button = self._flat("locateFolder", self.tr("Locate…"))
        self.locate_button.setAccessibleDescription(self.tr("Say where a folder lies now"))
        self.locate_button.hide()
        self.ledger = StateLedger()
        self.retry_button = self._flat("retryFailedOnly")
        self.retry_button.setIconSize(QSize(16, 16))
        self.password_line = NoteLine("passwordLine")
        self.filter_edit = LineEdit("filterFiles")
        self.filter_edit.setPlaceholderText(self.tr("Filter by name (Ctrl+F)"))
        self.filter_edit.setAccessibleName(self.tr("Filter the files by name"))
        self.filter_edit.setClearButtonEnabled(True)
        self.filter_edit.hide()
        self.table = FileTable()
        self.file_menu = FileMenu(self.table)
        self.details = FileDetails()
        self.progress = IndexProgressStrip()

        choice = QHBoxLayout()
        choice.setSpacing(SPACE_S)
        choice.addWidget(self.library_combo, 1)
        choice.addWidget(self.new_button)
        choice.addWidget(self.more_button)
        totals = QWidget()
        totals_layout = FlowLayout(SPACE_S)
        totals_layout.addWidget(self.summary_label)
        totals_layout.addWidget(self.retry_button)
        totals.setLayout(totals_layout)
        places = QHBoxLayout()
        places.addWidget(self.sync_line, 1)
        places.addWidget(self.locate_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_M, SPACE_L)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.heading)
        layout.addLayout(choice)
        layout.addWidget(self.add_button)
        layout.addWidget(totals)
        layout.addLayout(places)
        layout.addWidget(self.ledger)
        layout.addWidget(self.password_line)
        layout.addWidget(self.filter_edit)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.details)
        layout.addWidget(self.progress)
        self.ledger.state_chosen.connect(self.table.show_only)
        self.filter_edit.textChanged.connect(self.table.show_named)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.filter_edit.setFocus)
        self.table.setMinimumHeight(_LEAST_TABLE)
        self._build_sort_menu()
        self.show_retry(0)
        self._dress()

    def _build_menu(self) -> None:
        menu = QMenu(self.more_button)
        self.sync_action = self._action(menu, "syncLibrary", self.tr("Sync"))
        self.retry_action = self._action(menu, "retryFailed", self.tr("Retry failed files only"))
        self.properties_action = self._action(menu, "libraryProperties", self.tr("Knowledge base settings…"))
        self.remove_action = self._action(menu, "removeLibrary", self.tr("Remove knowledge base…"))
        self.export_action = self._action(menu, "exportPack", self.tr("Export pack…"))
        self.import_action = self._action(menu, "importPack", self.tr("Import pack…"))
        self.backup_action = self._action(menu, "backUp", self.tr("Back up everything…"))
        self.restore_action = self._action(menu, "restoreBackup", self.tr("Restore a backup…"))
        menu.addActions([self.sync_action, self.retry_action, self.properties_action])
        menu.addSeparator()
        menu.addActions([self.export_action, self.import_action])
        menu.addSeparator()
        menu.addActions([self.backup_action, self.restore_action])
        menu.addSeparator()
        menu.addAction(self.remove_action)
        self.more_button.setMenu(menu)

    def _build_sort_menu(self) -> None:
        """What a click on a column's title does, for the keyboard."""
        menu = QMenu(self.tr("Sort files by"), self.more_button)
        menu.setObjectName("sortFiles")
        choices = QActionGroup(menu)
        header = self.table.horizontalHeader()
        for column in range(self.table.files.columnCount()):
            title = self.table.files.headerData(
                column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole
            )
            action = self._action(menu, f"sortBy{column}", title)
            action.setCheckable(True)
            action.setChecked(column == header.sortIndicatorSection())
            choices.addAction(action)
            menu.addAction(action)
        choices.triggered.connect(self._on_sort_chosen)
        header.sortIndicatorChanged.connect(lambda column: choices.actions()[column].setChecked(True))
        self._sort_choices = choices
        own = self.more_button.menu()
        own.insertMenu(own.actions()[own.actions().index(self.properties_action) + 1], menu)

    @Slot(QAction)
    def _on_sort_chosen(self, action: QAction) -> None:
        """The same column again turns the order round."""
        column, header = self._sort_choices.actions().index(action), self.table.horizontalHeader()
        is_same = header.sortIndicatorSection() == column
        is_ascending = header.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        turned = Qt.SortOrder.DescendingOrder if is_same and is_ascending else Qt.SortOrder.AscendingOrder
        self.table.sortByColumn(column, turned)

    def _action(self, menu: QMenu, name: str, text: str) -> QAction:
        action = QAction(text, menu)
        action.setObjectName(name)
        return action

    def _tool(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setToolTip(text)
        button.setIconSize(QSize(ICON, ICON))
        return button

    def _flat(self, name: str, text: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setProperty("kind", "flat")
        return button

    def _dress(self) -> None:
        icons.dress(self.new_button, "library-new")
        icons.dress(self.more_button, "more")
        icons.dress(self.add_button, "folder-add")
        icons.dress(self.retry_button, "retry", "accent")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ledger.set_limit(self.height() // 4 if self.height() > _LOW else _LEAST_LEDGER)

    def set_libraries(self, names: Sequence[str], current: str | None) -> None:
        """Fill the choice without telling anyone that it changed."""
        self.library_combo.blockSignals(True)
        self.library_combo.clear()
        self.library_combo.addItems(list(names))
        self.library_combo.setCurrentIndex(names.index(current) if current in names else -1)
        self.library_combo.setEnabled(bool(names))
        own = (
            self.sync_action, self.retry_action, self.properties_action, self.export_action,
            self.remove_action,
        )  # fmt: skip
        for action in own:
            action.setEnabled(bool(names))
        self.library_combo.blockSignals(False)

    def show_places(self, library: LibrarySummary | None) -> None:
        """Offer to say where folders lie that cannot be reached, or that came from another machine."""
        folders = () if library is None else library.folders
        is_lost = library is not None and bool(library.offline)
        self.locate_button.setVisible(is_lost or not all(Path(folder).is_absolute() for folder in folders))

    def show_summary(self, files: int, passages: int) -> None:
        parts = (self.tr("%n files", "", files), self.tr("%n passages", "", passages))
        self.summary_label.setText(" · ".join(parts))
        self.summary_label.setVisible(files > 0)
        self.filter_edit.setVisible(files > _FEW or bool(self.filter_edit.text()))

    def show_retry(self, failed: int) -> None:
        """Offer to read the files again that could not be read; none hides the offer."""
        self.retry_button.setText(self.tr("Retry failed only (%n)", "", failed))
        self.retry_button.setVisible(failed > 0)

    def show_passwords(self, waiting: int, wrong: int) -> None:
        """``wrong`` of the ``waiting`` files were tried with passwords that did not open them."""
        text = self.tr("%n files need a password", "", waiting) if waiting else ""
        if waiting and wrong:
            text += "\n" + self.tr("The passwords given so far do not open %n of them.", "", wrong)
        self.password_line.show_note(text, self.tr("Enter password…"), "warn" if wrong else "info")

    def password_words(self, names: Sequence[str]) -> str:
        """What a password is asked for."""
        if len(names) == 1:
            return self.tr("Password for {file}").format(file=names[0])
        return self.tr("Password for %n encrypted files", "", len(names))

    def ask_for_folder(self) -> Path | None:
        return ask_for_folder(self.window(), self.tr("Choose a folder with documents"))

    def confirmed(self, path: Path) -> Path | None:
        """A folder or file that was dropped, or what is chosen in its place."""
        return confirmed(path, self.window(), self.tr("Choose a folder with documents"))

    def confirm_removal(self, library: str) -> bool:
        """The documents stay; only what was indexed goes."""
        question = self.tr("Remove the knowledge base “{name}”?").format(name=library)
        advice = self.tr("Your documents stay where they are; only the index is deleted.")
        title, doing = self.tr("Remove knowledge base"), self.tr("Remove")
        return is_confirmed(self.window(), title, question, advice, doing, "confirmRemoval")
