"""The log as a page: its entries with a filter by level and a search. Layout only."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontDatabase, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import CAPTION, SPACE_L, SPACE_M, SPACE_S, SPACE_XL, current_colours
from desktop.line_edit import LineEdit
from desktop.plain_label import plain_label
from desktop.words import number
from engine.log_entries import LogEntry

_LEAST_HEIGHT = 360


class LogPage(QWidget):
    """Newest entries last, as in the file; the view stands at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("logPage")
        self._entries: tuple[LogEntry, ...] = ()
        self._build()

    def _build(self) -> None:
        note = plain_label(
            "logNote",
            "caption",
            self.tr(
                "What the program did, for finding faults. "
                "It holds no text of documents, questions or answers."
            ),
        )
        self.level_box = QComboBox()
        self.level_box.setObjectName("logLevel")
        self.level_box.setAccessibleName(self.tr("Least important entries shown"))
        for text, level in (
            (self.tr("Everything"), "DEBUG"),
            (self.tr("Information and above"), "INFO"),
            (self.tr("Warnings and errors"), "WARNING"),
            (self.tr("Errors only"), "ERROR"),
        ):
            self.level_box.addItem(text, level)
        self.search_edit = LineEdit("logSearch")
        self.search_edit.setPlaceholderText(self.tr("Search the log"))
        self.search_edit.setAccessibleName(self.search_edit.placeholderText())
        self.search_edit.setClearButtonEnabled(True)
        self.text_view = QPlainTextEdit()
        self.text_view.setObjectName("logText")
        self.text_view.setAccessibleName(self.tr("Log entries"))
        self.text_view.setReadOnly(True)
        self.text_view.setTabChangesFocus(True)
        self.text_view.setMinimumHeight(_LEAST_HEIGHT)
        self.text_view.setPlaceholderText(self.tr("Nothing to show."))
        self._count_label = plain_label("logCount", "caption")
        self.reload_button = self._button("logReload", self.tr("Refresh"))
        self.copy_button = self._button("logCopy", self.tr("Copy what is shown"))
        self.folder_button = self._button("logFolder", self.tr("Open folder"))
        self.clear_button = self._button("logClear", self.tr("Clear…"))
        choices = QHBoxLayout()
        choices.setSpacing(SPACE_S)
        choices.addWidget(self.search_edit, 1)
        choices.addWidget(self.level_box)
        choices.addWidget(self.reload_button)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE_S)
        foot.addWidget(self._count_label, 1)
        for button in (self.copy_button, self.folder_button, self.clear_button):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, 0, SPACE_XL, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(note)
        layout.addLayout(choices)
        layout.addWidget(self.text_view, 1)
        layout.addLayout(foot)

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        return button

    def show_entries(self, entries: Sequence[LogEntry], total: int) -> None:
        """Those that were chosen, of ``total`` that there are."""
        self._entries = tuple(entries)
        text = self.tr("{shown} of {total} entries").format(shown=number(len(entries)), total=number(total))
        self._count_label.setText(text)
        self.copy_button.setEnabled(bool(entries))
        self.clear_button.setEnabled(total > 0)
        self._render()

    def _render(self) -> None:
        colours = current_colours()
        shades = {"WARNING": colours.warn, "ERROR": colours.bad, "CRITICAL": colours.bad}
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF() * CAPTION)
        self.text_view.clear()
        cursor = QTextCursor(self.text_view.document())
        cursor.beginEditBlock()
        for place, entry in enumerate(self._entries):
            style = QTextCharFormat()
            style.setFont(font)
            style.setForeground(QColor(shades.get(entry.level, colours.text)))
            cursor.insertText(f"\n{entry}" if place else str(entry), style)
        cursor.endEditBlock()
        bar = self.text_view.verticalScrollBar()
        bar.setValue(bar.maximum())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "clear_button"):
            self._render()
