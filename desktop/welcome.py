"""What is shown before there is anything to search: how to begin."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

import resources
from desktop import icons
from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_XL
from desktop.plain_label import plain_label
from desktop.words import format_words


class WelcomePage(QFrame):
    """Lays out; its buttons are wired by the window controller."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self._build()

    def _build(self) -> None:
        logo = QLabel()
        logo.setPixmap(icons.logo().pixmap(QSize(72, 72)))
        logo.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = plain_label("welcomeTitle", "display", self.tr("Ask your own documents"))
        lead = plain_label(
            "welcomeLead",
            "lead",
            self.tr(
                "Choose a folder. Zhiye reads the documents in it, answers your questions from them and "
                "shows for every sentence where it comes from."
            ),
        )
        lead.setMaximumWidth(680)
        self.choose_button = QPushButton(self.tr("Choose a folder"))
        self.choose_button.setObjectName("chooseFolder")
        self.choose_button.setProperty("kind", "primary")
        self.choose_button.setProperty("extent", "large")
        self.choose_button.setIconSize(QSize(20, 20))
        self.sample_button = QPushButton(self.tr("Try the sample library"))
        self.sample_button.setObjectName("trySample")
        self.sample_button.setProperty("kind", "large")
        self.sample_button.setVisible(resources.path("samples").is_dir())
        promise = plain_label(
            "welcomePromise",
            "caption",
            self.tr("Everything stays on this computer: nothing is uploaded, your files are only read."),
        )
        formats = plain_label("welcomeFormats", "caption", format_words())
        formats.setMaximumWidth(680)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_M)
        buttons.addStretch(1)
        buttons.addWidget(self.choose_button)
        buttons.addWidget(self.sample_button)
        buttons.addStretch(1)
        self.import_button = _flat("welcomeImport", self.tr("Import pack…"))
        self.restore_button = _flat("welcomeRestore", self.tr("Restore a backup…"))
        earlier = QHBoxLayout()
        earlier.setSpacing(SPACE_M)
        earlier.addStretch(1)
        earlier.addWidget(self.import_button)
        earlier.addWidget(self.restore_button)
        earlier.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        layout.setSpacing(SPACE_L)
        layout.addStretch(2)
        layout.addWidget(logo)
        layout.addWidget(title)
        layout.addLayout(_centred(lead))
        layout.addSpacing(SPACE_M)
        layout.addLayout(buttons)
        layout.addLayout(earlier)
        layout.addSpacing(SPACE_M)
        layout.addLayout(_centred(formats))
        layout.addWidget(promise)
        layout.addStretch(3)
        for label in (title, lead, formats, promise):
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


def _centred(label: QLabel) -> QHBoxLayout:
    """A label that wraps takes its greatest width, in the middle."""
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(label, 100)
    row.addStretch(1)
    return row
