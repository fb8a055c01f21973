"""Brings together what helps when something went wrong: buttons of messages, the log, crash reports."""

from PySide6.QtCore import QObject, Slot

from desktop.health.controller import HealthController
from desktop.problems.actions import ProblemActions
from desktop.problems.crash_controller import CrashController
from desktop.problems.log_controller import LogController
from desktop.problems.log_page import LogPage
from desktop.settings.controller import SettingsController
from desktop.settings.window import SettingsWindow
from desktop.window import MainWindow
from engine.crash.reports import CrashFolder
from engine.paths import Home
from engine.wording import Wording


class ProblemsController(QObject):
    """What needs no data folder works from the start; the rest comes with :meth:`attach`."""

    def __init__(
        self,
        window: MainWindow,
        settings: SettingsController,
        health: HealthController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window, self._settings, self._health = window, settings, health
        self._home: Home | None = None
        self.crash: CrashController | None = None
        self.actions = ProblemActions(self)
        self.actions.offer("repair", self._repair)
        self.actions.offer("open_models", self._open_models)
        self.actions.offer("open_settings", self._open_settings)
        window.banners.problem_actions = self.actions
        settings.window_made.connect(self._on_settings_made)

    def attach(self, home: Home) -> None:
        """Show the log of this data folder among the settings, and what ended the program last time."""
        self._home = home
        self.actions.offer("open_log", self._open_log)
        self.crash = CrashController(CrashFolder(home.crash), self._window.banners, self._window, self)
        self.crash.tell()

    @Slot(object)
    def _on_settings_made(self, window: SettingsWindow) -> None:
        if self._home is not None:
            page = LogPage()
            LogController(self._home, page)
            window.add_page("log", "log", self.tr("Log"), page)

    def _repair(self, words: Wording) -> None:
        self._health.open()

    def _open_models(self, words: Wording) -> None:
        self._settings.open_page("models")

    def _open_settings(self, words: Wording) -> None:
        self._settings.open_page("")

    def _open_log(self, words: Wording) -> None:
        self._settings.open_page("log")
