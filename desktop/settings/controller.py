"""Opens the settings window, fills its pages, and carries what a person chooses to where it is kept."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop import error_text
from desktop.autostart import Autostart
from desktop.engine_bridge import EngineBridge
from desktop.preferences import Preferences
from desktop.settings.engine_pages import EnginePages
from desktop.settings.general_page import GeneralPage
from desktop.settings.shortcuts_page import ShortcutsPage
from desktop.settings.window import SettingsWindow
from desktop.shortcuts import KeptShortcuts
from desktop.tray import Tray
from engine import config
from engine.commands import Command
from engine.events import Event, ModelsReady, Notice, TaskFailed
from engine.settings.commands import ChangeSettings, ReadSettings, ResetSettings
from engine.settings.events import SettingsListed
from engine.settings.standing import SettingValue, settings_list

GATHER_MS = 400
"""Changes within this time are sent together: a chat model is not loaded for each step of a spin box."""


class SettingsController(QObject):
    """Makes the window when it is first wanted; it costs nothing before.

    Signals:
        window_made(object): the SettingsWindow, once; who has a page of its own adds it now.
        models_told(object): Notice and ModelsReady of a chat model that was loaded anew.
        restart_wanted(): the program is to end and to start again.
    """

    window_made = Signal(object)
    models_told = Signal(object)
    restart_wanted = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        owner: QWidget,
        preferences: Preferences,
        autostart: Autostart,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._owner = owner
        self._preferences = preferences
        self._autostart = autostart
        self._kept_shortcuts: KeptShortcuts | None = None
        self._engine_pages: EnginePages | None = None
        self._general: GeneralPage | None = None
        self._changes: dict[str, SettingValue] = {}
        self._trouble = ""
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self.send_changes)
        preferences.changed.connect(self._show_note)
        self.window: SettingsWindow | None = None

    @Slot()
    def open(self) -> None:
        """Show the window, or bring it forward."""
        self.open_page("")

    @Slot(str)
    def open_page(self, name: str) -> None:
        """The same, with the page of this name."""
        if self.window is None:
            self.window = self._make_window()
        self._send(ReadSettings(self._bridge.new_task()))
        self.window.show_page(name)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def shortcuts(self) -> KeptShortcuts:
        """The shortcuts of the main window; the first call gives them the keys that a person chose."""
        if self._kept_shortcuts is None:
            self._kept_shortcuts = KeptShortcuts(self._owner, self._preferences, self)
        return self._kept_shortcuts

    def _make_window(self) -> SettingsWindow:
        window = SettingsWindow(self._owner)
        self._general = GeneralPage(
            self._preferences, self._autostart, has_tray=Tray.is_available(), parent=self
        )
        shortcuts = ShortcutsPage(self.shortcuts(), self)
        self._engine_pages = self._make_engine_pages(window)
        window.add_page("general", "sliders", self.tr("General"), self._general.page)
        window.add_page("shortcuts", "keyboard", self.tr("Shortcuts"), shortcuts.page)
        window.note.button.clicked.connect(self.restart_wanted)
        self.window_made.emit(window)
        window.show_page("general")
        return window

    def _make_engine_pages(self, window: SettingsWindow) -> EnginePages:
        """Pages that can be read at once, and used when the engine has said how its settings stand."""
        usual = config.load(None)
        declared = settings_list(usual, {}, usual)
        made = EnginePages({setting.name: setting for setting in declared}, self)
        titles = {
            "answers": ("answer", self.tr("Answers")),
            "reading": ("page", self.tr("Reading and indexing")),
            "performance": ("gauge", self.tr("Performance")),
        }
        for name, page in made.pages.items():
            page.changed.connect(self._on_changed)
            page.reset_wanted.connect(self._on_reset_wanted)
            page.setEnabled(False)
            icon, title = titles[name]
            window.add_page(name, icon, title, page)
        return made

    def _send(self, command: Command) -> None:
        self._bridge.send(command, self._on_event)

    @Slot(str, object)
    def _on_changed(self, name: str, value: SettingValue) -> None:
        self._changes[name] = value
        self._gather.start()

    @Slot()
    def send_changes(self) -> None:
        """Send what was changed and not sent yet."""
        self._gather.stop()
        self._trouble = ""
        if self._changes:
            changes, self._changes = self._changes, {}
            self._send(ChangeSettings(self._bridge.new_task(), changes))

    @Slot(object)
    def _on_reset_wanted(self, names: tuple[str, ...]) -> None:
        for name in names:
            self._changes.pop(name, None)
        self._trouble = ""
        self._send(ResetSettings(self._bridge.new_task(), names))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, SettingsListed):
            self._show(event)
        elif isinstance(event, (ModelsReady, Notice)):
            self.models_told.emit(event)
        elif isinstance(event, TaskFailed):
            self._show_failure(event)

    def _show(self, listed: SettingsListed) -> None:
        # What is being chosen right now is not taken back.
        if self._engine_pages is not None and not self._changes:
            self._engine_pages.show_settings({setting.name: setting for setting in listed.settings})
            for page in self._engine_pages.pages.values():
                page.setEnabled(True)
        self._show_note()

    @Slot()
    def _show_note(self) -> None:
        """Say what went wrong, or that a start is needed, with a button for it."""
        if self.window is None or self._general is None:
            return
        if self._trouble:
            self.window.note.show_note(self._trouble, tone="warn")
            return
        if self._general.waits_for_restart():
            text = self.tr("The window speaks the other language from the next start on.")
            self.window.note.show_note(text, self.tr("Restart now"))
        else:
            self.window.note.show_note("")

    def _show_failure(self, failed: TaskFailed) -> None:
        words = error_text.describe(failed.code, failed.params)
        name = str(failed.params.get("name", "server" if failed.code == "server_not_local" else ""))
        row = self._engine_pages.row(name) if self._engine_pages is not None else None
        if row is not None:
            row.show_problem(str(words))
        else:
            self._trouble = str(words)
        # What was refused is not what the rows may go on showing.
        self._send(ReadSettings(self._bridge.new_task()))
