"""Brings window, panels' controllers and engine together: start, notices, the end."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot

import resources
from desktop import error_text
from desktop.ask.controller import AskController
from desktop.check.controller import CheckController
from desktop.engine_bridge import EngineBridge
from desktop.health.controller import HealthController
from desktop.history.controller import HistoryController
from desktop.inspect.controller import InspectController
from desktop.library.controller import LibraryController
from desktop.library.keeping import Keeping, WatcherFactory
from desktop.packs.controller import PackController
from desktop.reader.controller import ReaderController
from desktop.window import MainWindow
from engine.commands import PrepareModels
from engine.events import TEAM_STORE_ON, Event, ModelsReady, Notice, TaskFailed
from engine.standing import LibrarySummary

STOP_TIMEOUT_S = 1.5
"""So that the program is gone three seconds after its window, also on a slow machine. An engine that needs
longer is left without harm (:mod:`engine.leaving`)."""
_log = logging.getLogger(__name__)


class WindowController(QObject):
    """Owns the controllers of the three panels."""

    def __init__(
        self,
        bridge: EngineBridge,
        window: MainWindow,
        folders: Sequence[Path] = (),
        make_watcher: WatcherFactory | None = None,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window
        self._folders = tuple(folders)
        self.library = LibraryController(bridge, window.library_panel, self)
        self.keeping = Keeping(self.library, make_watcher, self) if make_watcher is not None else None
        self.ask = AskController(bridge, window.ask_panel, self)
        self.reader = ReaderController(bridge, window.reader_panel, self)
        self.inspect = InspectController(bridge, window, self)
        self.health = HealthController(bridge, window, self)
        self.history = HistoryController(bridge, window, self.ask, self)
        self.check = CheckController(bridge, window, self.ask.scope, self)
        self.packs = PackController(bridge, window.library_panel, lambda: self.library.current, self)
        self._connect()

    def _connect(self) -> None:
        window = self._window
        self.library.libraries_listed.connect(self._on_libraries_listed)
        self.library.indexing_began.connect(self._on_indexing_began)
        self.library.problem_found.connect(self._on_problem)
        self.library.inspect_wanted.connect(self.inspect.open)
        window.health_button.clicked.connect(self.health.open)
        window.ask_panel.composer.history_button.clicked.connect(self.history.open)
        window.check_button.clicked.connect(self.check.open)
        self.check.source_opened.connect(self.reader.open_source)
        self.health.repaired.connect(self.library.list_libraries)
        self.reader.problem_found.connect(self._on_problem)
        self.ask.source_opened.connect(self.reader.open_source)
        self.ask.file_wanted.connect(self.library.reveal_file)
        self.packs.arrived.connect(self.library.show_arrived)
        self.packs.restored.connect(self.library.list_libraries)
        self.packs.told.connect(self._on_told)
        self.packs.problem_found.connect(self._on_problem)
        window.paths_dropped.connect(self.library.add_dropped)
        window.welcome_page.choose_button.clicked.connect(self._on_choose_clicked)
        window.welcome_page.sample_button.clicked.connect(self._on_sample_clicked)
        window.welcome_page.import_button.clicked.connect(self.packs.import_pack)
        window.welcome_page.restore_button.clicked.connect(self.packs.restore)

    def start(self) -> None:
        """Start the engine; models load after the window is on the screen."""
        self._bridge.start()
        self.library.list_libraries()
        if self._folders:
            self.library.index(self._folders, None)
        QTimer.singleShot(0, self._prepare_models)

    @Slot()
    def _prepare_models(self) -> None:
        self._window.model_label.setText(self.tr("Loading models…"))
        self._bridge.send(PrepareModels(self._bridge.new_task()), self._on_models_event)

    def close(self) -> bool:
        """End the engine; False when it is still busy after the limit."""
        if self.keeping is not None:
            self.keeping.close()
        has_ended = self._bridge.close(STOP_TIMEOUT_S)
        if not has_ended:
            _log.error("the engine did not end within %.0f s", STOP_TIMEOUT_S)
        return has_ended

    @Slot(object)
    def come_forward(self, folders: tuple[Path, ...]) -> None:
        """The program was started again: show its window, and index what it was started with."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        self.library.index(folders, None)

    def _on_models_event(self, event: Event) -> None:
        if isinstance(event, Notice):
            words = error_text.describe(event.code, event.params)
            self._window.banners.show_message(event.code, words, "info")
        elif isinstance(event, ModelsReady):
            self._show_models(event)
        elif isinstance(event, TaskFailed):
            self._window.model_label.setText("")
            self._on_problem(event.code, event.params)

    def _show_models(self, ready: ModelsReady) -> None:
        if ready.chat_model is None:
            text = self.tr("No chat model: passages only")
        else:
            text = self.tr("Chat model: {name}").format(name=ready.chat_model)
        self._window.model_label.setText(text)

    @Slot(str, object)
    def _on_problem(self, code: str, params: Mapping[str, object]) -> None:
        words = error_text.describe(code, params)
        self._window.banners.show_message(code, words, "warn")

    @Slot(str, object)
    def _on_told(self, code: str, params: Mapping[str, object]) -> None:
        self._window.banners.show_message(code, error_text.describe(code, params), "info")

    @Slot(object)
    def _on_libraries_listed(self, libraries: tuple[LibrarySummary, ...]) -> None:
        names = tuple(library.name for library in libraries)
        self.ask.set_libraries(libraries)
        self._window.check_button.setEnabled(bool(names))
        self._show_sharing(libraries)
        self._window.show_welcome(not names and not self.library.is_busy())
        if names:
            self._window.ask_panel.composer.question_box.setFocus()

    def _show_sharing(self, libraries: tuple[LibrarySummary, ...]) -> None:
        """While a knowledge base is shared with a team a banner says so, each time anything changes."""
        shared = {library.name: library.team for library in libraries if library.team is not None}
        self._window.show_sharing(sorted(set(shared.values())))
        self._window.banners.take_back(TEAM_STORE_ON)
        if shared:
            names, hosts = (", ".join(sorted(set(part))) for part in (shared, shared.values()))
            words = error_text.describe(TEAM_STORE_ON, {"name": names, "host": hosts})
            self._window.banners.show_message(TEAM_STORE_ON, words, "warn")

    @Slot()
    def _on_indexing_began(self) -> None:
        self._window.show_welcome(False)

    @Slot()
    def _on_choose_clicked(self) -> None:
        self.library.choose_folder()

    @Slot()
    def _on_sample_clicked(self) -> None:
        self.library.index((resources.path("samples"),), self.tr("Sample library"))
