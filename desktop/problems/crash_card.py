"""The card at the top of the window that says that the program ended unexpectedly last time."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop import icons
from desktop.ask.quiet_button import Acknowledgement
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, current_colours
from desktop.plain_label import plain_label


class CrashCard(QFrame):
    """Layout and words only."""

    def __init__(self, *, fatal: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setProperty("tone", "info")
        self._icon = QLabel()
        title = self.tr("Zhiye ended unexpectedly last time")
        if not fatal:
            title = self.tr("Something in Zhiye failed last time")
        self.title_label = plain_label("crashTitle", "plain", title)
        self.advice_label = plain_label(
            "crashAdvice",
            "plain",
            self.tr(
                "Nothing that was indexed is lost. A report is on this computer; it holds places in the "
                "program and versions, nothing of your documents, and is never sent."
            ),
        )
        self.copy_button = self._button("crashCopy", self.tr("Copy report"))
        self.show_button = self._button("crashShow", self.tr("Show…"))
        self.delete_button = self._button("crashDelete", self.tr("Delete"))
        self.close_button = QToolButton()
        self.close_button.setObjectName("crashClose")
        self.close_button.setProperty("kind", "flat")
        self.close_button.setIconSize(QSize(16, 16))
        self.close_button.setAccessibleName(self.tr("Close this message and keep the report"))
        self.close_button.setToolTip(self.close_button.accessibleName())
        self._acknowledgement = Acknowledgement(self)
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addWidget(self.title_label)
        text.addWidget(self.advice_label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_S, SPACE_M, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addSpacing(SPACE_S // 2)
        layout.addLayout(text, 1)
        for button in (self.copy_button, self.show_button, self.delete_button, self.close_button):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._dress()

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        return button

    def show_copied(self) -> None:
        self._acknowledgement.tell(self.copy_button, self.tr("Copied"))

    def _dress(self) -> None:
        self._icon.setPixmap(icons.icon("info", current_colours().accent).pixmap(QSize(20, 20)))
        icons.dress(self.close_button, "close", "muted")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "close_button"):
            self._dress()
