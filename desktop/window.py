"""The main window: banners, welcome page or workspace, footer. Layout only."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import icons
from desktop.ask.panel import AskPanel
from desktop.banner import Banners
from desktop.design_tokens import SPACE_L, SPACE_S, SPACE_XL, SPACE_XS, current_colours
from desktop.first_run.page import FirstRunPage
from desktop.library.panel import LibraryPanel
from desktop.models.footer_button import ModelButton
from desktop.plain_label import plain_label
from desktop.privacy import words as privacy_words
from desktop.reader.panel import ReaderPanel
from desktop.screen_place import ScreenPlace, fitting
from desktop.theme import SystemTheme
from desktop.words import format_words

_FIRST_SIZE = QSize(1440, 900)
_LIBRARY_WIDTH = 392


class MainWindow(QMainWindow):
    """Three panels in a splitter, behind the first run while there is nothing to search.

    Signals:
        paths_dropped(object): folders and files dropped on the window, a tuple of Path.
        closed(): the window went away; the program may end.
    """

    paths_dropped = Signal(object)
    closed = Signal()

    def __init__(self, shape: QSettings) -> None:
        super().__init__()
        self._shape = shape
        self.setObjectName("mainWindow")
        self.setWindowTitle(self.tr("Zhiye"))
        self.setWindowIcon(icons.logo())
        self.setMinimumSize(960, 600)
        self.setAcceptDrops(True)
        self._build()
        self._theme = SystemTheme(self)
        self._dress()
        self._restore_shape()

    @property
    def shape(self) -> QSettings:
        """Where the window's shape is kept, and how far a first run is."""
        return self._shape

    def _build(self) -> None:
        self.banners = Banners()
        self.welcome_page = FirstRunPage()
        self.library_panel = LibraryPanel()
        self.ask_panel = AskPanel()
        self.reader_panel = ReaderPanel()
        self.workspace = QSplitter(Qt.Orientation.Horizontal)
        self.workspace.setObjectName("workspace")
        self.workspace.setHandleWidth(1)
        self.workspace.setChildrenCollapsible(False)
        for panel in (self.library_panel, self.ask_panel, self.reader_panel):
            self.workspace.addWidget(panel)
        for place, stretch in enumerate((0, 3, 2)):
            self.workspace.setStretchFactor(place, stretch)
        self.pages = QStackedWidget()
        self.pages.setObjectName("pages")
        self.pages.addWidget(self.workspace)
        self.pages.addWidget(self.welcome_page)
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banners)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self._build_footer())
        self.setCentralWidget(centre)
        self._drop_hint = self._build_drop_hint()

    def show_sharing(self, hosts: Sequence[str]) -> None:
        """Say in the footer which servers knowledge bases are shared on, or that nothing leaves."""
        self._hosts = tuple(hosts)
        self.offline_button.setText(privacy_words.footer(self._hosts, self._attempts))

    def show_attempts(self, count: int) -> None:
        """Say in the footer how often something tried to leave this computer."""
        self._attempts = count
        self.show_sharing(self._hosts)

    def _build_footer(self) -> QFrame:
        footer = QFrame()
        footer.setObjectName("footer")
        self._offline_icon = QLabel()
        self.offline_button = QPushButton()
        self.offline_button.setObjectName("offlineButton")
        self.offline_button.setProperty("kind", "quiet")
        self.offline_button.setToolTip(self.tr("What leaves this computer, and what is stored where"))
        self._attempts = 0
        self.show_sharing(())
        self.model_button = ModelButton()
        self.self_test_button = QPushButton(self.tr("Self-test"))
        self.self_test_button.setObjectName("openSelfTest")
        self.self_test_button.setProperty("kind", "flat")
        self.self_test_button.setToolTip(self.tr("Measure how well your own questions are answered"))
        self.health_button = QPushButton(self.tr("Health"))
        self.health_button.setObjectName("openHealth")
        self.health_button.setProperty("kind", "flat")
        self.health_button.setToolTip(self.tr("Check and repair knowledge bases"))
        self.check_button = QPushButton(self.tr("Check a draft"))
        self.check_button.setObjectName("openCheck")
        self.check_button.setProperty("kind", "flat")
        self.check_button.setShortcut(QKeySequence("Ctrl+Shift+K"))
        self.check_button.setToolTip(self.tr("Check each sentence of your own text (Ctrl+Shift+K)"))
        self.settings_button = QPushButton(self.tr("Settings"))
        self.settings_button.setObjectName("openSettings")
        self.settings_button.setProperty("kind", "flat")
        self.settings_button.setShortcut(QKeySequence("Ctrl+,"))
        self.settings_button.setToolTip(self.tr("Settings (Ctrl+,)"))
        layout = QHBoxLayout(footer)
        layout.setContentsMargins(SPACE_L, SPACE_XS, SPACE_L, SPACE_XS)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self._offline_icon)
        layout.addWidget(self.offline_button)
        layout.addStretch(1)
        layout.addWidget(self.model_button)
        layout.addWidget(self.check_button)
        layout.addWidget(self.self_test_button)
        layout.addWidget(self.health_button)
        layout.addWidget(self.settings_button)
        return footer

    def _build_drop_hint(self) -> QFrame:
        hint = QFrame(self)
        hint.setObjectName("dropHint")
        label = plain_label("dropHintText", "heading", self.tr("Drop folders or documents to add them"))
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        formats = plain_label("dropHintFormats", "plain", format_words())
        formats.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(hint)
        layout.addStretch(1)
        layout.addWidget(label)
        layout.addWidget(formats)
        layout.addStretch(1)
        hint.hide()
        return hint

    def _dress(self) -> None:
        colour = current_colours().muted
        self._offline_icon.setPixmap(icons.icon("offline", colour).pixmap(QSize(16, 16)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_offline_icon"):
            self._dress()

    def show_welcome(self, is_welcome: bool) -> None:
        self.pages.setCurrentWidget(self.welcome_page if is_welcome else self.workspace)

    def _restore_shape(self) -> None:
        self.resize(fitting(_FIRST_SIZE, self.screen().availableGeometry()))
        # English column titles need more room than Chinese ones.
        left = max(_LIBRARY_WIDTH, self.library_panel.table.wanted_width() + SPACE_XL)
        self.workspace.setSizes([left, 560, _FIRST_SIZE.width() - left - 560])
        geometry, sizes = self._shape.value("window/geometry"), self._shape.value("window/panels")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if sizes is not None:
            self.workspace.restoreState(sizes)
        self._place = ScreenPlace(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._shape.setValue("window/geometry", self.saveGeometry())
        self._shape.setValue("window/panels", self.workspace.saveState())
        # Gone from the screen at once; the engine ends behind it.
        event.accept()
        self.closed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _local_paths(event):
            event.acceptProposedAction()
            self._drop_hint.setGeometry(self.rect().adjusted(24, 24, -24, -24))
            self._drop_hint.raise_()
            self._drop_hint.show()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_hint.hide()
        if paths := _local_paths(event):
            event.acceptProposedAction()
            self.paths_dropped.emit(paths)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drop_hint.setGeometry(self.rect().adjusted(24, 24, -24, -24))


def _local_paths(event: QDropEvent) -> tuple[Path, ...]:
    return tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
