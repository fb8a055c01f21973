"""The window with the conversations: a search field, the list, and what can be done with the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import icons
from desktop.choice_box import is_confirmed
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from desktop.history.thread_list import ThreadList
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from desktop.theme import SystemTheme
from engine.history.records import ThreadSummary


class HistoryWindow(QWidget):
    """Stands over the main window and closes on Esc. Layout and questions only.

    Signals:
        delete_wanted(): the chosen conversation is to go.
    """

    delete_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("historyWindow")
        self.setWindowTitle(self.tr("Conversations"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        self._connect()
        self._theme = SystemTheme(self)
        self._dress()
        self.setMinimumSize(480, 320)
        self.resize(640, 600)

    def _build(self) -> None:
        self.search_edit = LineEdit("threadSearch")
        self.search_edit.setPlaceholderText(self.tr("Search questions and answers"))
        self.search_edit.setAccessibleName(self.search_edit.placeholderText())
        self.search_edit.setClearButtonEnabled(True)
        self.clear_button = QPushButton(self.tr("Delete all…"))
        self.clear_button.setObjectName("clearHistory")
        self.clear_button.setProperty("kind", "flat")
        self.thread_list = ThreadList()
        self.empty_label = plain_label("historyEmpty", "lead")
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_label.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        header = QFrame()
        header.setObjectName("historyHeader")
        row = QHBoxLayout(header)
        row.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        row.setSpacing(SPACE_S)
        row.addWidget(self.search_edit, 1)
        row.addWidget(self.clear_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(header)
        layout.addWidget(self.thread_list, 1)
        layout.addWidget(self.empty_label, 1)
        layout.addWidget(self._build_footer())
        self.empty_label.hide()
        self._show_choice()

    def _build_footer(self) -> QFrame:
        self.rename_button = self._button("renameThread", self.tr("Rename"), "F2")
        self.pin_button = self._button("pinThread", self.tr("Pin"), "Ctrl+P")
        self.export_button = self._button("exportThread", self.tr("Export…"), "Ctrl+S")
        self.self_test_button = self._button("threadToSelfTest", self.tr("To self-test"), "Ctrl+T")
        self.self_test_button.setAccessibleDescription(self.tr("Add its questions to the self-test"))
        self.delete_button = self._button("deleteThread", self.tr("Delete…"), "Del")
        self.open_button = QPushButton(self.tr("Open"))
        self.open_button.setObjectName("openThread")
        self.open_button.setProperty("kind", "primary")
        self.hint_label = plain_label("historyHint", "caption")
        self.hint_label.hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_XS)
        for button in (
            self.rename_button,
            self.pin_button,
            self.export_button,
            self.self_test_button,
            self.delete_button,
        ):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.open_button)
        footer = QFrame()
        footer.setObjectName("historyFooter")
        layout = QVBoxLayout(footer)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_L, SPACE_S)
        layout.setSpacing(SPACE_XS)
        layout.addWidget(self.hint_label)
        layout.addLayout(buttons)
        return footer

    def _button(self, name: str, text: str, keys: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setProperty("kind", "quiet")
        button.setIconSize(QSize(16, 16))
        button.setToolTip(f"{text} ({keys})")
        return button

    def _connect(self) -> None:
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search_edit.setFocus)
        QShortcut(QKeySequence("Ctrl+P"), self, self.pin_button.click)
        QShortcut(QKeySequence("Ctrl+S"), self, self.export_button.click)
        QShortcut(QKeySequence("Ctrl+T"), self, self.self_test_button.click)
        # In the search field the key deletes a letter.
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.thread_list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.delete_wanted)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), self.search_edit)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(self.thread_list.setFocus)
        self.delete_button.clicked.connect(self.delete_wanted)
        self.rename_button.clicked.connect(self.thread_list.rename)
        self.thread_list.currentRowChanged.connect(self._show_choice)

    def _dress(self) -> None:
        icons.dress(self.rename_button, "edit", "muted")
        icons.dress(self.pin_button, "pin", "muted")
        icons.dress(self.export_button, "export", "muted")
        icons.dress(self.self_test_button, "self-test", "muted")
        icons.dress(self.delete_button, "trash", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "open_button"):
            self._dress()

    def show_threads(self, threads: Sequence[ThreadSummary], total: int) -> None:
        """Those that were found, of ``total`` that there are."""
        self.thread_list.set_threads(threads)
        text = self.tr("No conversation says this.") if total else self.tr("No conversations yet.")
        self.empty_label.setText(text)
        self.empty_label.setVisible(not threads)
        self.thread_list.setVisible(bool(threads))
        self.clear_button.setEnabled(total > 0)
        self._show_choice()

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)
        self.hint_label.setVisible(bool(text))

    @Slot()
    def _show_choice(self) -> None:
        chosen = self.thread_list.chosen()
        is_pinned = chosen is not None and chosen.pinned
        self.pin_button.setText(self.tr("Unpin") if is_pinned else self.tr("Pin"))
        self.pin_button.setToolTip(f"{self.pin_button.text()} (Ctrl+P)")
        for button in (
            self.rename_button,
            self.pin_button,
            self.export_button,
            self.self_test_button,
            self.delete_button,
            self.open_button,
        ):
            button.setEnabled(chosen is not None)

    def confirm_deleting(self, thread: ThreadSummary) -> bool:
        question = self.tr("Delete the conversation “{title}”?").format(title=thread.title)
        return self._confirm(self.tr("Delete conversation"), question, self.tr("Delete"))

    def confirm_clearing(self) -> bool:
        question = self.tr("Delete all conversations, also the pinned ones?")
        return self._confirm(self.tr("Delete all conversations"), question, self.tr("Delete all"))

    def _confirm(self, title: str, question: str, doing: str) -> bool:
        advice = self.tr("Questions, answers and ratings are gone for good; your documents stay as they are.")
        return is_confirmed(self, title, question, advice, doing, "confirmDelete")
