"""Which documents are asked, field by field: folder, name, kinds, dates."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCompleter,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.ask.filter_words import KINDS, kind_word
from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.flow_layout import FlowLayout
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from engine.document_filter import DocumentFilter


class FilterPanel(QFrame):
    """Lays out; the scope controller decides. Folders and names become chips when they are entered.

    Signals:
        folder_entered(str), name_entered(str): something was typed and the field was left, or Enter pressed.
        kinds_chosen(object): the kinds that are pressed, a tuple of str.
        dates_entered(str, str): first and last date as they were typed.
    """

    folder_entered = Signal(str)
    name_entered = Signal(str)
    kinds_chosen = Signal(object)
    dates_entered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterPanel")
        self._build()
        self._connect()
        self.hide()

    def _build(self) -> None:
        self.folder_edit = self._edit("filterFolder", self.tr("Folder"), self.tr("A folder or its path"))
        self.browse_button = QPushButton(self.tr("Browse…"))
        self.browse_button.setObjectName("filterBrowse")
        self.browse_button.setAccessibleName(self.tr("Choose a folder to ask"))
        self.name_edit = self._edit("filterName", self.tr("File name"), self.tr("A part of it, or contract*"))
        self.since_edit = self._edit("filterSince", self.tr("From date"), "2023")
        self.until_edit = self._edit("filterUntil", self.tr("Until date"), "2024-06")
        self.hint_label = plain_label("filterHint", "bad")
        self.hint_label.hide()
        folder = QHBoxLayout()
        folder.setSpacing(SPACE_S)
        folder.addWidget(self.folder_edit, 1)
        folder.addWidget(self.browse_button)
        dates = QHBoxLayout()
        dates.setSpacing(SPACE_S)
        dates.addWidget(self.since_edit, 1)
        dates.addWidget(self._caption(self.tr("to")))
        dates.addWidget(self.until_edit, 1)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, SPACE_M, 0, SPACE_S)
        grid.setHorizontalSpacing(SPACE_S)
        grid.setVerticalSpacing(SPACE_S)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[str, QWidget | QLayout], ...] = (
            (self.tr("Folder"), folder),
            (self.tr("File name"), self.name_edit),
            (self.tr("Kind"), self._build_kinds()),
            (self.tr("Date"), dates),
        )
        for row, (title, field) in enumerate(rows):
            grid.addWidget(self._caption(title), row, 0)
            if isinstance(field, QWidget):
                grid.addWidget(field, row, 1)
            else:
                grid.addLayout(field, row, 1)
        grid.addWidget(self.hint_label, len(rows), 1)

    def _build_kinds(self) -> QWidget:
        kinds = QWidget()
        flow = FlowLayout(SPACE_XS)
        self._kind_buttons: dict[str, QToolButton] = {}
        for kind in KINDS:
            button = QToolButton()
            button.setObjectName(f"kind-{kind}")
            button.setProperty("kind", "choice")
            button.setText(kind_word(kind))
            button.setCheckable(True)
            button.clicked.connect(self._on_kind_clicked)
            flow.addWidget(button)
            self._kind_buttons[kind] = button
        kinds.setLayout(flow)
        return kinds

    def _edit(self, name: str, accessible_name: str, example: str) -> QLineEdit:
        edit = LineEdit(name)
        edit.setAccessibleName(accessible_name)
        edit.setPlaceholderText(example)
        edit.setMinimumWidth(60)
        return edit

    def _caption(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setProperty("tone", "caption")
        return label

    def _connect(self) -> None:
        self.folder_edit.editingFinished.connect(self._on_folder_entered)
        self.name_edit.editingFinished.connect(self._on_name_entered)
        self.since_edit.editingFinished.connect(self._on_dates_entered)
        self.until_edit.editingFinished.connect(self._on_dates_entered)

    def offer_folders(self, folders: Sequence[str]) -> None:
        """Folders that are completed while one is typed."""
        completer = QCompleter(list(folders), self.folder_edit)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.folder_edit.setCompleter(completer)

    def show_filter(self, chosen: DocumentFilter) -> None:
        """Press the kinds; a date that is not set any more leaves its field."""
        for kind, button in self._kind_buttons.items():
            button.setChecked(kind in chosen.types)
        for edit, value in ((self.since_edit, chosen.since), (self.until_edit, chosen.until)):
            if value is None:
                edit.clear()

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)
        self.hint_label.setVisible(bool(text))

    @Slot()
    def _on_folder_entered(self) -> None:
        if text := self.folder_edit.text().strip():
            self.folder_edit.clear()
            self.folder_entered.emit(text)

    @Slot()
    def _on_name_entered(self) -> None:
        if text := self.name_edit.text().strip():
            self.name_edit.clear()
            self.name_entered.emit(text)

    @Slot()
    def _on_kind_clicked(self) -> None:
        pressed = tuple(kind for kind, button in self._kind_buttons.items() if button.isChecked())
        self.kinds_chosen.emit(pressed)

    @Slot()
    def _on_dates_entered(self) -> None:
        self.dates_entered.emit(self.since_edit.text().strip(), self.until_edit.text().strip())
