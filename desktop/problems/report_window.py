"""A crash report to be read, whole as it is in its file."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.plain_label import plain_label
from desktop.theme import SystemTheme


class ReportWindow(QWidget):
    """Closes on Esc. Layout only."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("reportWindow")
        self.setWindowTitle(self.tr("Report"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        heading = plain_label("reportHeading", "title", self.tr("This is all that the report says"))
        self.text_view = QPlainTextEdit(text)
        self.text_view.setObjectName("reportText")
        self.text_view.setAccessibleName(self.tr("Report"))
        self.text_view.setReadOnly(True)
        self.text_view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text_view.setTabChangesFocus(True)
        self.folder_button = QPushButton(self.tr("Open folder"))
        self.folder_button.setObjectName("reportFolder")
        self.copy_button = QPushButton(self.tr("Copy report"))
        self.copy_button.setObjectName("reportCopy")
        self.copy_button.setProperty("kind", "primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addStretch(1)
        buttons.addWidget(self.folder_button)
        buttons.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(heading)
        layout.addWidget(self.text_view, 1)
        layout.addLayout(buttons)
        self._theme = SystemTheme(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        self.setMinimumSize(480, 320)
        self.resize(720, 480)
