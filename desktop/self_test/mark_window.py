"""The window in which a question gets its right passage. Layout only."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from desktop.self_test.passage_choice import PassageChoice
from desktop.theme import SystemTheme
from desktop.titled_column import TitledColumn
from engine.documents import SearchHit


class MarkWindow(QWidget):
    """Question and knowledge base above, passages and the text of the chosen one below."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("markWindow")
        self.setWindowTitle(self.tr("Self-test question"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self.passages.chosen.connect(self._on_chosen)
        self.question_edit.textChanged.connect(self._show_can_save)
        self.absent_box.toggled.connect(self._on_absent)
        self._theme = SystemTheme(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        QShortcut(QKeySequence("Ctrl+Return"), self, self.save_button.click)
        self.setMinimumSize(640, 420)
        self.resize(960, 640)
        self._show_can_save()

    def _build(self) -> None:
        self.question_edit = LineEdit("markQuestion")
        self.question_edit.setAccessibleName(self.tr("Question"))
        self.question_edit.setPlaceholderText(self.tr("Write a question"))
        self.library_box = QComboBox()
        self.library_box.setObjectName("markLibrary")
        self.library_box.setAccessibleName(self.tr("Knowledge base"))
        self.library_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.library_box.setMinimumContentsLength(14)
        self.search_edit = LineEdit("markSearch")
        self.search_edit.setAccessibleName(self.tr("Words to find the passage by"))
        self.search_edit.setPlaceholderText(self.tr("Not among them? Find the passage in other words"))
        self.find_button = QPushButton(self.tr("Find passages"))
        self.find_button.setObjectName("markFind")
        header = QFrame()
        header.setObjectName("markHeader")
        grid = QGridLayout(header)
        grid.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        grid.setHorizontalSpacing(SPACE_M)
        grid.setVerticalSpacing(SPACE_S)
        for row, (text, left, right) in enumerate(
            (
                (self.tr("Question"), self.question_edit, self.library_box),
                (self.tr("Look for"), self.search_edit, self.find_button),
            )
        ):
            label = QLabel(text)
            label.setBuddy(left)
            grid.addWidget(label, row, 0)
            grid.addWidget(left, row, 1)
            grid.addWidget(right, row, 2)
        grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(header)
        layout.addWidget(self._build_columns(), 1)
        layout.addWidget(self._build_footer())

    def _build_columns(self) -> QSplitter:
        self.passages = PassageChoice()
        self.text_view = QPlainTextEdit()
        self.text_view.setObjectName("markText")
        self.text_view.setAccessibleName(self.tr("Text of the passage"))
        self.text_view.setReadOnly(True)
        self.text_view.setTabChangesFocus(True)
        self.text_view.setPlaceholderText(self.tr("Click the passage that answers the question."))
        self.text_view.document().setDocumentMargin(SPACE_M)
        inset = QWidget()
        row = QVBoxLayout(inset)
        row.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_S)
        row.addWidget(self.passages)
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setHandleWidth(1)
        columns.setChildrenCollapsible(False)
        columns.addWidget(TitledColumn(self.tr("Passages"), inset))
        columns.addWidget(TitledColumn(self.tr("Text of the passage"), self.text_view))
        columns.setSizes([500, 460])
        return columns

    def _build_footer(self) -> QFrame:
        self.absent_box = QCheckBox(self.tr("The documents do not hold the answer"))
        self.absent_box.setObjectName("markAbsent")
        self.hint_label = plain_label("markHint", "caption")
        self.cancel_button = QPushButton(self.tr("Cancel"))
        self.cancel_button.setObjectName("markCancel")
        self.cancel_button.clicked.connect(self.close)
        self.save_button = QPushButton(self.tr("Save"))
        self.save_button.setObjectName("markSave")
        self.save_button.setProperty("kind", "primary")
        footer = QFrame()
        footer.setObjectName("markFooter")
        row = QHBoxLayout(footer)
        row.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        row.setSpacing(SPACE_M)
        row.addWidget(self.absent_box)
        row.addWidget(self.hint_label, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.save_button)
        return footer

    def show_libraries(self, names: Sequence[str], chosen: str, *, can_choose: bool) -> None:
        self.library_box.clear()
        self.library_box.addItems(list(names))
        self.library_box.setCurrentText(chosen)
        self.library_box.setEnabled(can_choose)

    def show_passages(self, hits: Sequence[SearchHit]) -> None:
        self.passages.set_hits(hits)
        self.show_hint("" if hits else self.tr("No passages found"))

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)

    @Slot(object)
    def _on_chosen(self, hit: SearchHit | None) -> None:
        self.text_view.setPlainText("" if hit is None else hit.text)
        if hit is not None:
            self.absent_box.setChecked(False)
        self._show_can_save()

    @Slot(bool)
    def _on_absent(self, is_absent: bool) -> None:
        if is_absent:
            self.passages.clearSelection()
        self._show_can_save()

    @Slot()
    def _show_can_save(self) -> None:
        has_mark = self.absent_box.isChecked() or self.passages.passage() is not None
        self.save_button.setEnabled(bool(self.question_edit.text().strip()) and has_mark)
