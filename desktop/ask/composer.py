"""The card at the bottom: question box, which documents are asked, Ask and Stop."""

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.filter_chips import FilterChips
from desktop.ask.filter_panel import FilterPanel
from desktop.ask.question_box import QuestionBox
from desktop.ask.scope_button import ScopeButton
from desktop.design_tokens import SPACE_M, SPACE_S, SPACE_XS
from desktop.flow_layout import FlowLayout
from desktop.plain_label import plain_label

_WITH_TEXT = Qt.ToolButtonStyle.ToolButtonTextBesideIcon


class Composer(QFrame):
    """Lays out; the ask and scope controllers wire and decide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._build()
        self.question_box.focus_changed.connect(self._on_focus_changed)

    def _build(self) -> None:
        self.filter_chips = FilterChips()
        self.question_box = QuestionBox()
        self.hint_label = plain_label("questionHint", "bad")
        self.hint_label.hide()
        self.filter_panel = FilterPanel()
        self.scope_button = ScopeButton()
        self.filter_button = self._tool("openFilter", self.tr("Choose folders, kinds and dates to ask"))
        self.filter_button.setText(self.tr("Filter"))
        self.passages_button = self._tool(
            "passagesOnly", self.tr("Find passages without asking the model (Ctrl+Enter does it once)")
        )
        self.passages_button.setText(self.tr("Passages only"))
        self.new_button = self._tool("newConversation", self.tr("New conversation"))
        self.new_button.setAccessibleName(self.new_button.toolTip())
        self.new_button.setCheckable(False)
        self.new_button.hide()
        self.history_button = self._tool("openHistory", self.tr("Earlier conversations (Ctrl+H)"))
        self.history_button.setAccessibleName(self.tr("Earlier conversations"))
        self.history_button.setCheckable(False)
        self.history_button.setShortcut(QKeySequence("Ctrl+H"))
        self.ask_button = QPushButton(self.tr("Ask"))
        self.ask_button.setObjectName("askButton")
        self.ask_button.setProperty("kind", "primary")
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setObjectName("stopAnswer")
        self.stop_button.setAccessibleName(self.tr("Stop the answer"))
        for button in (self.ask_button, self.stop_button):
            button.setIconSize(QSize(16, 16))
        choices = QWidget()
        flow = FlowLayout(SPACE_XS, choices)
        for choice in (self.scope_button, self.filter_button, self.passages_button):
            flow.addWidget(choice)
        flow.addWidget(self.history_button)
        flow.addWidget(self.new_button)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(choices, 1)
        row.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.ask_button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_S)
        for widget in (self.filter_chips, self.question_box, self.hint_label, self.filter_panel):
            layout.addWidget(widget)
        layout.addLayout(row)
        self.show_busy(False)
        self._dress()

    def _tool(self, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setProperty("kind", "quiet")
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setAccessibleDescription(tip)
        button.setIconSize(QSize(16, 16))
        button.setToolButtonStyle(_WITH_TEXT)
        return button

    def _dress(self) -> None:
        icons.dress(self.ask_button, "send", "on_accent")
        icons.dress(self.stop_button, "stop", "bad")
        icons.dress(self.filter_button, "filter", "muted")
        icons.dress(self.passages_button, "search", "muted")
        icons.dress(self.history_button, "history", "muted")
        icons.dress(self.new_button, "conversation-new", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten(event.size().width())

    def _shorten(self, width: int) -> None:
        """Icons speak for themselves, one after the other, until the choices have room in one row."""
        buttons = (self.passages_button, self.filter_button)
        for button in buttons:
            button.setToolButtonStyle(_WITH_TEXT)
        for button in buttons:
            if self._wanted_width() > width:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def _wanted_width(self) -> int:
        """Also with the button that only a conversation has, so that nothing moves when it comes."""
        choices = (
            self.scope_button, self.filter_button, self.passages_button, self.history_button, self.new_button
        )  # fmt: skip
        taken = sum(choice.sizeHint().width() + SPACE_XS for choice in choices)
        return taken + SPACE_S + self.ask_button.sizeHint().width() + 2 * SPACE_M

    def show_busy(self, is_busy: bool) -> None:
        self.stop_button.setVisible(is_busy)
        self.stop_button.setEnabled(True)
        self.ask_button.setVisible(not is_busy)

    def show_hint(self, text: str) -> None:
        self.hint_label.setText(text)
        self.hint_label.setVisible(bool(text))

    @Slot(bool)
    def _on_focus_changed(self, has_focus: bool) -> None:
        self.setProperty("active", has_focus)
        self.style().unpolish(self)
        self.style().polish(self)
