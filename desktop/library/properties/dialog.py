"""The window with the settings of one knowledge base; it changes nothing by itself."""

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.choice_box import is_confirmed
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.library.properties.changes import Wanted
from desktop.library.properties.folder_list import FolderList
from desktop.library.properties.selection_fields import SelectionFields
from desktop.library.properties.titles import field_error, field_title
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from engine.intake.chunking.profiles import ProfileName
from engine.standing import LibrarySummary
from engine.wording import Wording

Field = Literal["name", "folders", "include", "exclude"]
_SIZE = QSize(680, 700)


class PropertiesDialog(QDialog):
    """Lays out; :class:`~desktop.library.properties.controller.PropertiesController` wires and decides.

    OK does not close it by itself, so that nothing that was typed is lost when a change is refused.
    """

    def __init__(self, library: LibrarySummary, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("propertiesDialog")
        self.setWindowTitle(self.tr("Knowledge base settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._is_applying = False
        self._build(library)
        self._show(library)
        self.resize(_SIZE)

    def _build(self, library: LibrarySummary) -> None:
        body = QWidget()
        body.setObjectName("propertiesBody")
        self._body_layout = QVBoxLayout(body)
        self._body_layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        self._body_layout.setSpacing(SPACE_S)
        self._build_name()
        self._build_folders()
        self._section(self.tr("Which files are read"))
        self.selection = SelectionFields(library)
        self._add(self.selection)
        self._build_profile()
        self._build_sync()
        self._body_layout.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setObjectName("propertiesScroll")
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.scroll_area, 1)
        layout.addWidget(self._build_footer())

    def _build_name(self) -> None:
        self.name_box = LineEdit("propertiesName")
        self.name_error = field_error("nameError")
        self._add(field_title(self.tr("Name"), self.name_box), self.name_box, self.name_error)

    def _build_folders(self) -> None:
        self.folder_list = FolderList()
        self.add_button = QPushButton(self.tr("Add folder…"))
        self.add_button.setObjectName("propertiesAddFolder")
        self.add_button.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(self.add_button)
        row.addStretch(1)
        self._section(self.tr("Folders"))
        self.folders_error = field_error("foldersError")
        self._add(self.folder_list, self.folders_error)
        self._body_layout.addLayout(row)

    def _build_profile(self) -> None:
        words: dict[ProfileName, str] = {
            "precise": self.tr("Short, for looking things up"),
            "general": self.tr("General"),
            "long": self.tr("Long, for novels and essays"),
        }
        self.profile_combo = QComboBox()
        self.profile_combo.setObjectName("propertiesProfile")
        for name, text in words.items():
            self.profile_combo.addItem(text, name)
        self._section(self.tr("Length of passages"), self.profile_combo)
        row = QHBoxLayout()
        row.addWidget(self.profile_combo)
        row.addStretch(1)
        self._body_layout.addLayout(row)
        note = self.tr(
            "With another length all files are read again; until then the present passages are searched."
        )
        self._add(plain_label("profileNote", "caption", note))

    def _build_sync(self) -> None:
        self._section(self.tr("Sync"))
        self.paused_box = QCheckBox(self.tr("Do not sync by itself (pause)"))
        self.paused_box.setObjectName("propertiesPaused")
        self.deep_button = QPushButton(self.tr("Deep check"))
        self.deep_button.setObjectName("deepCheck")
        self.deep_button.setAutoDefault(False)
        note = self.tr(
            "Compares every file byte by byte with what was indexed, also where size and time have not "
            "changed. It reads all files, which takes about as long as copying them; only what differs is "
            "indexed again."
        )
        self.deep_label = plain_label("deepNote", "caption", note)
        row = QHBoxLayout()
        row.setSpacing(SPACE_M)
        row.addWidget(self.deep_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.deep_label, 1)
        self._add(self.paused_box)
        self._body_layout.addLayout(row)

    def _build_footer(self) -> QFrame:
        footer = QFrame()
        footer.setObjectName("propertiesFooter")
        self.busy_label = QLabel(self.tr("Applying…"))
        self.busy_label.setProperty("tone", "caption")
        self.busy_bar = QProgressBar()
        self.busy_bar.setRange(0, 0)
        self.busy_bar.setTextVisible(False)
        self.busy_bar.setAccessibleName(self.tr("Applying…"))
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok_button.setObjectName("propertiesOk")
        self.ok_button.setProperty("kind", "primary")
        self.ok_button.setDefault(True)
        self.cancel_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.cancel_button.setObjectName("propertiesCancel")
        for button in (self.ok_button, self.cancel_button):
            button.setIcon(QIcon())
        buttons.rejected.connect(self.reject)
        layout = QHBoxLayout(footer)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.busy_label)
        layout.addWidget(self.busy_bar, 1)
        layout.addStretch(1)
        layout.addWidget(buttons)
        self.show_applying(False)
        return footer

    def _section(self, text: str, field: QWidget | None = None) -> None:
        self._body_layout.addSpacing(SPACE_S)
        self._add(field_title(text, field))

    def _add(self, *widgets: QWidget) -> None:
        for widget in widgets:
            self._body_layout.addWidget(widget)

    def _show(self, library: LibrarySummary) -> None:
        self.name_box.setText(library.name)
        self.folder_list.set_folders(library.folders, library.offline)
        self.paused_box.setChecked(library.paused)
        self.profile_combo.setCurrentIndex(self.profile_combo.findData(library.profile))

    def wanted(self) -> Wanted:
        """What the fields say now."""
        return Wanted(
            self.name_box.text().strip(),
            self.paused_box.isChecked(),
            self.selection.include(),
            self.selection.exclude(),
            self.selection.hidden_box.isChecked(),
            self.profile_combo.currentData(),
            self.folder_list.wishes(),
        )

    def _fields(self) -> dict[Field, tuple[QWidget, QLabel]]:
        """Where the focus goes for an error of a field, and where its words stand."""
        selection = self.selection
        return {
            "name": (self.name_box, self.name_error),
            "folders": (self.add_button, self.folders_error),
            "include": (selection.include_box, selection.include_error),
            "exclude": (selection.exclude_box, selection.exclude_error),
        }

    def show_problem(self, field: Field, words: Wording) -> None:
        """Say below a field why it was refused, and lead there."""
        box, label = self._fields()[field]
        label.setText(f"{words.title}\n{words.advice}".strip())
        label.show()
        box.setAccessibleDescription(label.text())
        box.setFocus()
        self._body_layout.activate()
        self.scroll_area.ensureWidgetVisible(label)

    def clear_problems(self) -> None:
        for box, label in self._fields().values():
            label.hide()
            box.setAccessibleDescription("")

    def show_applying(self, is_applying: bool) -> None:
        """While the engine works on it, nothing can be changed and nothing is closed."""
        self._is_applying = is_applying
        self.busy_label.setVisible(is_applying)
        self.busy_bar.setVisible(is_applying)
        self.scroll_area.setEnabled(not is_applying)
        self.ok_button.setEnabled(not is_applying)
        self.cancel_button.setEnabled(not is_applying)

    def show_deep_check(self) -> None:
        """It has begun."""
        self.deep_button.setEnabled(False)
        self.deep_label.setText(self.tr("Started; the panel shows how far it is."))

    def confirm_forgetting(self, folder: Path) -> bool:
        """The documents stay; what was indexed of them goes."""
        question = self.tr("Remove the folder “{folder}” from this knowledge base?").format(folder=folder)
        advice = self.tr("After OK its documents are no longer found; they stay where they are.")
        title, doing = self.tr("Remove folder"), self.tr("Remove")
        return is_confirmed(self, title, question, advice, doing, "confirmForget")

    def reject(self) -> None:
        if not self._is_applying:
            super().reject()
