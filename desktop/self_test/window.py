"""The window of the self-test questions: a table, what can be done, and the figures of the last run."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from desktop.plain_label import plain_label
from desktop.self_test.figures_panel import FiguresPanel
from desktop.self_test.question_table import QuestionTable
from desktop.theme import SystemTheme
from engine.self_test.messages import SelfTestListed


class SelfTestWindow(QWidget):
    """Stands beside the main window; Esc closes it. Layout only.

    Signals:
        remove_wanted(): the chosen questions are to go.
    """

    remove_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._can_run = False
        self.setObjectName("selfTestWindow")
        self.setWindowTitle(self.tr("Self-test"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self._theme = SystemTheme(self)
        self._dress()
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove_wanted)
        self.remove_button.clicked.connect(self.remove_wanted)
        self.table.selectionModel().selectionChanged.connect(self._show_choice)
        self.setMinimumSize(760, 440)
        self.resize(1200, 680)
        self.show_idle()

    def _build(self) -> None:
        self.busy_bar = QProgressBar()
        self.busy_bar.setObjectName("selfTestBusy")
        self.busy_bar.setAccessibleName(self.tr("Progress of the run"))
        self.busy_bar.setTextVisible(False)
        self.table = QuestionTable()
        self.empty_label = plain_label("selfTestEmpty", "lead")
        self.empty_label.setText(
            self.tr(
                "Collect questions whose answers you know, and see how well they are found. "
                "Add one here, or under an answer."
            )
        )
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_label.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty_label, 1)
        column.addWidget(self._build_footer())
        self.figures = FiguresPanel()
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setHandleWidth(1)
        columns.setChildrenCollapsible(False)
        columns.addWidget(left)
        columns.addWidget(self.figures)
        columns.setStretchFactor(0, 1)
        columns.setSizes([860, 340])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._build_header())
        layout.addWidget(self.busy_bar)
        layout.addWidget(columns, 1)

    def _build_header(self) -> QFrame:
        self.library_box = QComboBox()
        self.library_box.setObjectName("selfTestLibrary")
        self.library_box.setAccessibleName(self.tr("Knowledge base"))
        self.library_box.setMinimumContentsLength(14)
        self.library_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.add_button = self._button("selfTestAdd", self.tr("Add question…"))
        self.export_button = self._button("selfTestExport", self.tr("Export…"))
        self.export_button.setToolTip(self.tr("Write questions and documents as files for zhiye eval"))
        self.answers_box = QCheckBox(self.tr("Also let the model answer (slow)"))
        self.answers_box.setObjectName("selfTestAnswers")
        self.run_button = self._button("selfTestRun", self.tr("Run"))
        self.run_button.setProperty("kind", "primary")
        self.stop_button = self._button("selfTestStop", self.tr("Stop"))
        header = QFrame()
        header.setObjectName("selfTestHeader")
        row = QHBoxLayout(header)
        row.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        row.setSpacing(SPACE_S)
        row.addWidget(self.library_box)
        row.addWidget(self.add_button)
        row.addWidget(self.export_button)
        row.addStretch(1)
        row.addWidget(self.answers_box)
        row.addSpacing(SPACE_S)
        row.addWidget(self.run_button)
        row.addWidget(self.stop_button)
        return header

    def _build_footer(self) -> QFrame:
        self.mark_button = self._button("selfTestMark", self.tr("Mark or edit…"))
        self.remove_button = self._button("selfTestRemove", self.tr("Remove"))
        for button in (self.mark_button, self.remove_button):
            button.setProperty("kind", "quiet")
            button.setIconSize(QSize(16, 16))
        self.hint_label = plain_label("selfTestHint", "caption")
        footer = QFrame()
        footer.setObjectName("selfTestFooter")
        row = QHBoxLayout(footer)
        row.setContentsMargins(SPACE_M, SPACE_S, SPACE_L, SPACE_S)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.mark_button)
        row.addWidget(self.remove_button)
        row.addSpacing(SPACE_S)
        row.addWidget(self.hint_label, 1)
        return footer

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        return button

    def _dress(self) -> None:
        icons.dress(self.mark_button, "edit", "muted")
        icons.dress(self.remove_button, "trash", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "figures"):
            self._dress()

    def show_libraries(self, names: Sequence[str], chosen: str) -> None:
        self.library_box.blockSignals(True)
        self.library_box.clear()
        self.library_box.addItems(list(names))
        self.library_box.setCurrentText(chosen)
        self.library_box.blockSignals(False)

    def show_listed(self, listed: SelfTestListed) -> None:
        """The questions with what became of them, and the figures."""
        results = listed.latest.run.results if listed.latest is not None else ()
        self.table.show_questions(listed.questions, results)
        self.figures.show_report(listed.latest)
        has_any = bool(listed.questions)
        self.table.setVisible(has_any)
        self.empty_label.setVisible(not has_any)
        self._can_run = any(question.state != "unmarked" for question in listed.questions)
        unmarked = sum(question.state == "unmarked" for question in listed.questions)
        self.show_hint(self.tr("%n questions wait to be marked", "", unmarked) if unmarked else "")
        self._show_busy(is_busy=False)
        self._show_choice()

    def show_progress(self, text: str, done: int, total: int) -> None:
        self.busy_bar.setRange(0, total)
        self.busy_bar.setValue(done)
        self.show_hint(text)
        self._show_busy(is_busy=True)

    def show_idle(self) -> None:
        self._show_busy(is_busy=False)
        self._show_choice()

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)

    def _show_busy(self, *, is_busy: bool) -> None:
        self.busy_bar.setVisible(is_busy)
        self.stop_button.setVisible(is_busy)
        self.run_button.setVisible(not is_busy)
        self.run_button.setEnabled(self._can_run)
        self.export_button.setEnabled(self._can_run and not is_busy)
        for widget in (self.library_box, self.answers_box):
            widget.setEnabled(not is_busy)

    @Slot()
    def _show_choice(self) -> None:
        chosen = self.table.chosen()
        self.mark_button.setEnabled(len(chosen) == 1)
        self.remove_button.setEnabled(bool(chosen))
