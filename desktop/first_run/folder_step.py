"""The first step: which documents there are to ask."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

import resources
from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M
from desktop.plain_label import plain_label
from desktop.words import format_words


class FolderStep(QWidget):
    """Lays out; what its buttons do is decided by the window controller."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("folderStep")
        self._build()

    def _build(self) -> None:
        logo = QLabel()
        logo.setPixmap(icons.logo().pixmap(QSize(72, 72)))
        title = plain_label("welcomeTitle", "display", self.tr("Ask your own documents"))
        lead = plain_label(
            "welcomeLead",
            "lead",
            self.tr(
                "Choose a folder. Zhiye reads the documents in it, answers your questions from them and "
                "shows for every sentence where it comes from."
            ),
        )
        self.choose_button = QPushButton(self.tr("Choose a folder"))
        self.choose_button.setObjectName("chooseFolder")
        self.choose_button.setProperty("kind", "primary")
        self.choose_button.setProperty("extent", "large")
        self.choose_button.setIconSize(QSize(20, 20))
        self.sample_button = QPushButton(self.tr("Try the sample library"))
        self.sample_button.setObjectName("trySample")
        self.sample_button.setProperty("kind", "large")
        self.sample_button.setVisible(resources.path("samples").is_dir())
        self.import_button = _flat("welcomeImport", self.tr("Import pack…"))
        self.restore_button = _flat("welcomeRestore", self.tr("Restore a backup…"))
        formats = plain_label("welcomeFormats", "caption", format_words())
        promise = plain_label(
            "welcomePromise",
            "caption",
            self.tr("Everything stays on this computer: nothing is uploaded, your files are only read."),
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_L)
        for label in (logo, title, lead):
            layout.addWidget(label)
        layout.addSpacing(SPACE_M)
        layout.addLayout(_row(self.choose_button, self.sample_button))
        layout.addLayout(_row(self.import_button, self.restore_button))
        layout.addSpacing(SPACE_M)
        layout.addWidget(formats)
        layout.addWidget(promise)
        for label in (logo, title, lead, formats, promise):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._dress()

    def _dress(self) -> None:
        icons.dress(self.choose_button, "folder-add", "on_accent")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()


def _flat(name: str, text: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setProperty("kind", "flat")
    return button


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(SPACE_M)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
