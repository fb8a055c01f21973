"""The window that asks for one password."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S
from desktop.plain_label import plain_label


class PasswordDialog(QDialog):
    """Takes any text as it is typed, blanks at its ends too; nothing but no text is refused."""

    def __init__(self, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passwordDialog")
        self.setWindowTitle(self.tr("Password"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._build(about)
        self._on_text_changed()

    def _build(self, about: str) -> None:
        self.about_label = plain_label("passwordAbout", "plain", about)
        self.box = QLineEdit()
        self.box.setObjectName("passwordBox")
        self.box.setEchoMode(QLineEdit.EchoMode.Password)
        self.box.setAccessibleName(self.tr("Password"))
        self.box.textChanged.connect(self._on_text_changed)
        self.show_box = QCheckBox(self.tr("Show password"))
        self.show_box.setObjectName("passwordShow")
        self.show_box.toggled.connect(self._on_show_toggled)
        promise = plain_label(
            "passwordPromise",
            "caption",
            self.tr(
                "All encrypted files that wait are tried with it. It is kept in memory until the program "
                "ends and is never stored."
            ),
        )
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok_button.setObjectName("passwordOk")
        self.ok_button.setText(self.tr("Open files"))
        self.ok_button.setProperty("kind", "primary")
        cancel = self.buttons.button(QDialogButtonBox.StandardButton.Cancel)
        cancel.setObjectName("passwordCancel")
        for button in (self.ok_button, cancel):
            button.setIcon(QIcon())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_S)
        for widget in (self.about_label, self.box, self.show_box, promise):
            layout.addWidget(widget)
        layout.addSpacing(SPACE_M)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(420)
        self.box.setFocus()

    def take_password(self) -> str:
        """What was typed; the box does not keep it."""
        password = self.box.text()
        self.box.clear()
        return password

    @Slot()
    def _on_text_changed(self) -> None:
        self.ok_button.setEnabled(bool(self.box.text()))

    @Slot(bool)
    def _on_show_toggled(self, is_shown: bool) -> None:
        # Input methods write only into a box that shows its text.
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self.box.setEchoMode(mode)
        self.box.setFocus()
