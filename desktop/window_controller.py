"""Brings window, panels' controllers and engine together: start, notices, the end."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QWidget

import resources
from desktop import error_text, fonts
from desktop.ask.controller import AskController
from desktop.autostart import Autostart, for_system, own_command
from desktop.check.controller import CheckController
from desktop.engine_bridge import EngineBridge
from desktop.first_run.controller import FirstRunController
from desktop.health.controller import HealthController
from desktop.history.controller import HistoryController
from desktop.index_notice import IndexNotice
from desktop.inspect.controller import InspectController
from desktop.library.controller import LibraryController
from desktop.library.keeping import Keeping, WatcherFactory
from desktop.models import settings_page as models_page
from desktop.models.controller import ModelsController
from desktop.models.resting import ChatModelRest
from desktop.models.words import name_of
from desktop.opening import Opening
from desktop.packs.controller import PackController
from desktop.preferences import Preferences
from desktop.privacy.controller import NAME as PRIVACY_PAGE
from desktop.privacy.controller import PrivacyController
from desktop.problems.controller import ProblemsController
from desktop.reader.controller import ReaderController
from desktop.self_test.controller import SelfTestController
from desktop.settings.controller import SettingsController
from desktop.settings.window import SettingsWindow
from desktop.tray import Tray
from desktop.window import MainWindow
from engine import wording
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
        preferences: Preferences | None = None,
        autostart: Autostart | None = None,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window
        self._folders = tuple(folders)
        self.library = LibraryController(bridge, window.library_panel, self)
        self.keeping = Keeping(self.library, make_watcher, self) if make_watcher is not None else None
        self.ask = AskController(bridge, window.ask_panel, self)
        self.reader = ReaderController(bridge, window.reader_panel, self, self.ask.sources_beside)
        self.inspect = InspectController(bridge, window, self)
        self.health = HealthController(bridge, window, self)
        self.history = HistoryController(bridge, window, self.ask, self)
        self.check = CheckController(bridge, window, self.ask.scope, self)
        self.packs = PackController(bridge, window.library_panel, lambda: self.library.current, self)
        self.opening = Opening(self.packs, lambda paths: self.library.index(paths, None), self)
        self.preferences = preferences if preferences is not None else Preferences()
        self.tray = Tray(window, self.preferences, self)
        self.index_notice = IndexNotice(self.library.indexing, self.tray, self.preferences, self)
        autostart = autostart if autostart is not None else for_system(own_command(None))
        self.settings = SettingsController(bridge, window, self.preferences, autostart, self)
        self.privacy = PrivacyController(bridge, self)
        self.self_test = SelfTestController(bridge, window, self)
        self.problems = ProblemsController(window, self.settings, self.health, self)
        self.ask.problem_actions = self.problems.actions
        self.wants_restart = False
        self.models = ModelsController(bridge, self._front_window, self)
        self.rest = ChatModelRest(bridge, self)
        self._libraries: tuple[LibrarySummary, ...] = ()
        self.first_run = FirstRunController(window.welcome_page, self.models, window.shape, self)
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
        window.self_test_button.clicked.connect(self.self_test.open)
        self.ask.self_test_wanted.connect(self.self_test.add_asked)
        self.history.self_test_changed.connect(self.self_test.list_questions)
        window.settings_button.clicked.connect(self.settings.open)
        self.settings.models_told.connect(self._on_models_event)
        self.settings.restart_wanted.connect(self._on_restart_wanted)
        self.settings.window_made.connect(self.privacy.add_page)
        self.privacy.attempts_changed.connect(window.show_attempts)
        self.privacy.cleared.connect(self._on_cleared)
        self.privacy.restart_wanted.connect(self._on_restart_wanted)
        window.offline_button.clicked.connect(self._on_offline_clicked)
        self.tray.opened.connect(self._on_tray_opened)
        window.model_button.clicked.connect(self._on_model_clicked)
        self.settings.window_made.connect(self._on_settings_made)
        self.models.ready.connect(self._show_models)
        self.ask.models_told.connect(self._show_models)
        self.rest.rested.connect(self._show_rested)
        self.models.embedder_changed.connect(self._on_embedder_changed)
        self.check.source_opened.connect(self.reader.open_source)
        self.health.repaired.connect(self.library.list_libraries)
        self.reader.problem_found.connect(self._on_problem)
        self.reader.finding.serve(window.ask_panel)
        self.reader.read_again_wanted.connect(self.library.read_again)
        self.ask.source_opened.connect(self.reader.open_source)
        self.ask.file_wanted.connect(self.library.reveal_file)
        self.packs.arrived.connect(self.library.show_arrived)
        self.packs.restored.connect(self.library.list_libraries)
        self.packs.told.connect(self._on_told)
        self.packs.problem_found.connect(self._on_problem)
        window.paths_dropped.connect(self._on_dropped)
        first_step = window.welcome_page.folder_step
        first_step.choose_button.clicked.connect(self._on_choose_clicked)
        first_step.sample_button.clicked.connect(self._on_sample_clicked)
        first_step.import_button.clicked.connect(self.packs.import_pack)
        first_step.restore_button.clicked.connect(self.packs.restore)
        self.first_run.shown.connect(window.show_welcome)
        self.first_run.question_wanted.connect(self._on_question_wanted)

    def start(self) -> None:
        """Start the engine; models load after the window is on the screen."""
        if self.preferences.shortcuts():
            self.settings.shortcuts()
        self._bridge.start()
        if not fonts.has_chinese():
            # In English whatever the window's language is: these words can be read.
            words = wording.describe("no_chinese_font", language="en")
            self._window.banners.show_message("no_chinese_font", words, "warn")
        self._window.ask_panel.composer.question_box.setFocus()
        self.library.list_libraries()
        # Before they are loaded, which takes seconds: a first run shows what there is at once.
        self.models.refresh()
        if self._folders:
            self.opening.open(self._folders)
        QTimer.singleShot(0, self._prepare_models)

    @Slot()
    def _prepare_models(self) -> None:
        self._window.model_button.setText(self.tr("Loading models…"))
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
        self.opening.open(folders)

    @Slot(object)
    def _on_dropped(self, paths: tuple[Path, ...]) -> None:
        self.opening.open(paths, self.library.add_dropped)

    def _on_models_event(self, event: Event) -> None:
        if isinstance(event, Notice):
            # The first run says it itself, and says what to do.
            if event.code != "model_missing" or not self.first_run.is_open:
                words = error_text.describe(event.code, event.params)
                self._window.banners.show_message(event.code, words, "info")
        elif isinstance(event, ModelsReady):
            self._show_models(event)
        elif isinstance(event, TaskFailed):
            self._window.model_button.setText("")
            words = error_text.describe(event.code, event.params)
            self._window.banners.show_message(event.code, words, "warn", self._prepare_models)

    def _front_window(self) -> QWidget:
        """Where a question about models belongs: the settings while they are looked at, else the window."""
        settings = self.settings.window
        return settings if settings is not None and settings.isVisible() else self._window

    @Slot(object)
    def _on_settings_made(self, settings: SettingsWindow) -> None:
        models_page.ModelsPageController(self.models, settings)

    @Slot()
    def _on_model_clicked(self) -> None:
        self.settings.open_page(models_page.NAME)

    @Slot()
    def _on_embedder_changed(self) -> None:
        """Every knowledge base changes over to the new embedder, one after the other."""
        for library in self._libraries:
            folders = [Path(folder) for folder in library.folders if Path(folder).is_absolute()]
            if folders:
                self.library.indexing.sync_quietly(folders, library.name)

    @Slot(object)
    def _show_models(self, ready: ModelsReady) -> None:
        if ready.chat_model is None:
            text = self.tr("No chat model: passages only")
        else:
            text = self.tr("Chat model: {name}").format(name=name_of(ready.chat_model))
            self.rest.begin()
        self._window.model_button.setText(text)
        self.first_run.on_models_ready(ready)

    @Slot(str)
    def _show_rested(self, model: str) -> None:
        text = self.tr("Chat model resting: {name} (a question wakes it)")
        self._window.model_button.setText(text.format(name=name_of(model)))

    @Slot(str, object)
    def _on_problem(self, code: str, params: Mapping[str, object]) -> None:
        words = error_text.describe(code, params)
        self._window.banners.show_message(code, words, "warn")

    @Slot()
    def _on_restart_wanted(self) -> None:
        self.wants_restart = True
        self.tray.quit()

    @Slot()
    def _on_offline_clicked(self) -> None:
        self.settings.open_page(PRIVACY_PAGE)
        self.privacy.read()

    @Slot()
    def _on_cleared(self) -> None:
        """What was cleared is not shown any longer either."""
        if not self.ask.is_busy():
            self.ask.begin_anew()
        self.library.list_libraries()

    @Slot()
    def _on_tray_opened(self) -> None:
        self.come_forward(())

    @Slot(str, object)
    def _on_told(self, code: str, params: Mapping[str, object]) -> None:
        self._window.banners.show_message(code, error_text.describe(code, params), "info")

    @Slot(object)
    def _on_libraries_listed(self, libraries: tuple[LibrarySummary, ...]) -> None:
        self._libraries = libraries
        self.models.set_passages(sum(library.chunks for library in libraries))
        names = tuple(library.name for library in libraries)
        self.ask.set_libraries(libraries)
        self._window.check_button.setEnabled(bool(names))
        self._window.self_test_button.setEnabled(bool(names))
        self.self_test.set_libraries(names)
        self._show_sharing(libraries)
        self.first_run.on_libraries(libraries, is_busy=self.library.is_busy())
        if names and not self.first_run.is_open:
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
        self.first_run.on_indexing_began()

    @Slot()
    def _on_choose_clicked(self) -> None:
        self.first_run.lead(self.library.choose_folder)

    @Slot()
    def _on_sample_clicked(self) -> None:
        samples = (resources.path("samples"),)
        self.first_run.lead(lambda: self.library.index(samples, self.tr("Sample library")))

    @Slot(str)
    def _on_question_wanted(self, question: str) -> None:
        """An example of the first run is asked; where there is none the box waits for a person's own."""
        box = self._window.ask_panel.composer.question_box
        box.setFocus()
        if question:
            box.setPlainText(question)
            self.ask.ask()
