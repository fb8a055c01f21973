"""The folders of a knowledge base in its settings: where each lies, and what is to become of it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS, current_colours
from desktop.elided_label import ElidedLabel
from desktop.library.properties.changes import FolderWish
from desktop.plain_label import plain_label


class FolderRow(QFrame):
    """One folder; ``known`` None is one that was added here. Nothing happens to it before OK.

    Signals:
        open_clicked(), locate_clicked(), remove_clicked(), undo_clicked(): a button of this row.
    """

    open_clicked = Signal()
    locate_clicked = Signal()
    remove_clicked = Signal()
    undo_clicked = Signal()

    def __init__(self, known: Path | None, wanted: Path, *, is_offline: bool = False) -> None:
        super().__init__()
        self.setObjectName("folderRow")
        self._known = known
        self._wanted: Path | None = wanted
        self._is_offline = is_offline
        self._build()
        self._show()

    @property
    def wish(self) -> FolderWish:
        return FolderWish(self._known, self._wanted)

    @property
    def shown(self) -> Path:
        """The path that stands in the row."""
        path = self._wanted or self._known
        assert path is not None, "a row is about a folder"
        return path

    def _build(self) -> None:
        self._icon_label = QLabel()
        self.path_label = ElidedLabel()
        self.path_label.setObjectName("folderPath")
        self.state_label = plain_label("folderState", "caption")
        self.open_button = self._button("folderOpen", self.tr("Open"), self.open_clicked)
        self.locate_button = self._button("folderLocate", self.tr("Locate…"), self.locate_clicked)
        self.remove_button = self._button("folderRemove", self.tr("Remove"), self.remove_clicked)
        self.undo_button = self._button("folderUndo", self.tr("Undo"), self.undo_clicked)
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addWidget(self.path_label)
        text.addWidget(self.state_label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self._icon_label)
        layout.addSpacing(SPACE_XS)
        layout.addLayout(text, 1)
        for button in (self.open_button, self.locate_button, self.remove_button, self.undo_button):
            layout.addWidget(button)

    def _button(self, name: str, text: str, clicked: SignalInstance) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setProperty("kind", "flat")
        button.setAutoDefault(False)
        button.clicked.connect(clicked)
        return button

    def move_to(self, folder: Path) -> None:
        """The folder lies there now."""
        self._wanted = folder
        self._show()

    def remove(self) -> None:
        self._wanted = None
        self._show()

    def undo(self) -> None:
        """A known folder stays as it was."""
        self._wanted = self._known
        self._show()

    def settle(self) -> None:
        """What was wanted is so now."""
        self._known, self._is_offline = self._wanted, False
        self._show()

    def _show(self) -> None:
        is_changed = self.wish.is_change
        is_here = self.shown.is_absolute()
        self.path_label.setText(str(self.shown))
        self.state_label.setText(self._state())
        self.open_button.setVisible(not is_changed and is_here)
        self.locate_button.setVisible(self._wanted is not None)
        self.remove_button.setVisible(not is_changed)
        self.undo_button.setVisible(is_changed)
        for button in (self.open_button, self.locate_button, self.remove_button, self.undo_button):
            button.setAccessibleName(f"{button.text()} {self.shown}")
        self._dress()

    def _state(self) -> str:
        if self._known is None:
            return self.tr("Will be added")
        if self._wanted is None:
            return self.tr("Will be removed; your documents stay where they are")
        if self.wish.is_change:
            return self.tr("Will take the place of {folder}").format(folder=self._known)
        if not self.shown.is_absolute():
            return self.tr("Not on this computer: locate it to open and sync its documents")
        if self._is_offline:
            return self.tr("Not reachable; what was indexed of it can be searched")
        return self.tr("Reachable")

    def _dress(self) -> None:
        is_away = not self.shown.is_absolute() or (self._is_offline and not self.wish.is_change)
        is_well = self._wanted is not None and not is_away
        name, role = ("folder", "muted") if is_well else ("warning", "warn")
        self._icon_label.setPixmap(icons.icon(name, getattr(current_colours(), role)).pixmap(QSize(18, 18)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()


class FolderList(QFrame):
    """One row a folder.

    Signals:
        open_wanted(object), locate_wanted(object), remove_wanted(object): a FolderRow and its button.
    """

    open_wanted = Signal(object)
    locate_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("folderList")
        self.rows: list[FolderRow] = []
        self._empty_label = plain_label("folderListEmpty", "caption", self.tr("No folders"))
        self._empty_label.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)
        self._layout.addWidget(self._empty_label)

    def set_folders(self, folders: Sequence[str], offline: Sequence[str]) -> None:
        for folder in folders:
            self._append(FolderRow(Path(folder), Path(folder), is_offline=folder in offline))

    def add(self, folder: Path) -> None:
        """A folder that is new to the knowledge base."""
        self._append(FolderRow(None, folder))

    def _append(self, row: FolderRow) -> None:
        row.open_clicked.connect(self._on_open)
        row.locate_clicked.connect(self._on_locate)
        row.remove_clicked.connect(self._on_remove)
        row.undo_clicked.connect(self._on_undo)
        self.rows.append(row)
        self._layout.addWidget(row)
        self._empty_label.hide()

    def take(self, row: FolderRow) -> None:
        self.rows.remove(row)
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._empty_label.setVisible(not self.rows)

    def holds(self, folder: Path) -> bool:
        return any(row.shown == folder for row in self.rows)

    def wishes(self) -> tuple[FolderWish, ...]:
        return tuple(row.wish for row in self.rows)

    def settle(self, known: Path) -> None:
        """What was wanted of a known folder is done."""
        for row in [row for row in self.rows if row.wish.known == known]:
            if row.wish.wanted is None:
                self.take(row)
            else:
                row.settle()

    @Slot()
    def _on_open(self) -> None:
        self.open_wanted.emit(self.sender())

    @Slot()
    def _on_locate(self) -> None:
        self.locate_wanted.emit(self.sender())

    @Slot()
    def _on_remove(self) -> None:
        self.remove_wanted.emit(self.sender())

    @Slot()
    def _on_undo(self) -> None:
        row = self.sender()
        assert isinstance(row, FolderRow)
        if row.wish.known is None:
            self.take(row)
        else:
            row.undo()
