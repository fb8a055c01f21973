"""The window in which a draft is checked: the text on the left, its sentences with verdicts on the right."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.check.checked_view import CheckedView
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.elided_label import ElidedLabel
from desktop.plain_label import plain_label
from desktop.theme import SystemTheme
from desktop.titled_column import TitledColumn


class CheckWindow(QWidget):
    """Stands on the left of the main window, whose reader stays in sight. Layout only.

    Closing hides it: the draft is there again when it is opened the next time.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("checkWindow")
        self.setWindowTitle(self.tr("Check a draft"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self._theme = SystemTheme(self)
        self.escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self.setMinimumSize(560, 360)
        self.resize(900, 680)
        self.move(parent.geometry().topLeft() + QPoint(SPACE_L, SPACE_L))

    def _build(self) -> None:
        self.busy_bar = QProgressBar()
        self.busy_bar.setObjectName("checkBusy")
        self.busy_bar.setAccessibleName(self.tr("Progress of the check"))
        self.busy_bar.setTextVisible(False)
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setObjectName("checkColumns")
        self.columns.setHandleWidth(1)
        self.columns.setChildrenCollapsible(False)
        self.columns.addWidget(self._build_draft())
        self.columns.addWidget(self._build_checked())
        self.columns.setSizes([420, 480])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._build_header())
        layout.addWidget(self.busy_bar)
        layout.addWidget(self.columns, 1)
        self.show_idle(self.tr("Paste or open a text to check it against your documents."))

    def _build_header(self) -> QFrame:
        header = QFrame()
        header.setObjectName("checkHeader")
        self.status_label = plain_label("checkStatus", "title")
        self.hint_label = plain_label("checkHint", "caption")
        self.hint_label.hide()
        self.open_button = self._button("openDraft", self.tr("Open…"), "Ctrl+O")
        self.check_button = self._button("checkDraft", self.tr("Check"), "Ctrl+Return")
        self.check_button.setProperty("kind", "primary")
        self.stop_button = self._button("stopCheck", self.tr("Stop"))
        self.stop_button.setToolTip(self.tr("Stop the check (Esc)"))
        self.copy_button = self._button("copyChecked", self.tr("Copy result"), "Ctrl+Shift+C")
        self.copy_button.setEnabled(False)
        words = QVBoxLayout()
        words.addWidget(self.status_label)
        words.addWidget(self.hint_label)
        row = QHBoxLayout(header)
        row.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        row.setSpacing(SPACE_S)
        row.addLayout(words, 1)
        for button in (self.copy_button, self.open_button, self.stop_button, self.check_button):
            row.addWidget(button)
        return header

    def _button(self, name: str, text: str, keys: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        if keys:
            button.setShortcut(keys)
            button.setToolTip(f"{text} ({keys})")
        return button

    def _build_draft(self) -> QWidget:
        self.draft_edit = QPlainTextEdit()
        self.draft_edit.setObjectName("draftText")
        self.draft_edit.setAccessibleName(self.tr("Draft"))
        self.draft_edit.setPlaceholderText(self.tr("Paste a text here."))
        self.draft_edit.setTabChangesFocus(True)
        self.scope_label = ElidedLabel()
        self.scope_label.setObjectName("checkScope")
        self.scope_label.setProperty("tone", "caption")
        self.scope_label.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        return TitledColumn(self.tr("Draft"), self.draft_edit, self.scope_label)

    def _build_checked(self) -> QWidget:
        self.checked_view = CheckedView()
        body = QWidget()
        body.setObjectName("checkedBody")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_M)
        layout.addWidget(self.checked_view)
        layout.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setObjectName("checkedScroll")
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidget(body)
        return TitledColumn(self.tr("Checked sentences"), self.scroll_area)

    def show_progress(self, text: str, done: int, total: int) -> None:
        """A check goes on; ``total`` 0: how far is not known."""
        self.status_label.setText(text)
        self.busy_bar.setRange(0, total)
        self.busy_bar.setValue(done)
        self._show_busy(True)

    def show_idle(self, text: str) -> None:
        self.status_label.setText(text)
        self._show_busy(False)

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)
        self.hint_label.setVisible(bool(text))

    def show_can_check(self, can_check: bool) -> None:
        self.check_button.setEnabled(can_check)

    def _show_busy(self, is_busy: bool) -> None:
        self.busy_bar.setVisible(is_busy)
        self.stop_button.setVisible(is_busy)
        self.check_button.setVisible(not is_busy)
        self.open_button.setEnabled(not is_busy)
        self.draft_edit.setReadOnly(is_busy)
