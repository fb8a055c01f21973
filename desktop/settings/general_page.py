"""The page of what belongs to the window alone: language, look, tray, starting with the system."""

from PySide6.QtCore import QObject, Slot

from desktop.autostart import Autostart
from desktop.preferences import DEFAULTS, FONT_LEAST, FONT_MOST, FONT_STEP, Preferences
from desktop.settings.controls import ChoiceControl, SliderControl, SwitchControl
from desktop.settings.page import SettingsPage
from desktop.settings.row import SettingCard, SettingRow

_AUTOSTART = "autostart"


class GeneralPage(QObject):
    """``page`` shows the preferences and changes them at once."""

    def __init__(
        self,
        preferences: Preferences,
        autostart: Autostart,
        *,
        has_tray: bool,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences, self._autostart = preferences, autostart
        self._language = preferences.value("language")
        self._has_tray = has_tray
        self.page = SettingsPage("general", self._cards())
        self.page.changed.connect(self._on_changed)
        self.page.reset_wanted.connect(self._on_reset)
        preferences.changed.connect(self.show_preferences)
        self.show_preferences()

    def waits_for_restart(self) -> bool:
        """Whether another language was chosen than the one the window speaks."""
        return bool(self._preferences.value("language") != self._language)

    def _cards(self) -> list[SettingCard]:
        languages = [("system", self.tr("As the system")), ("zh", "简体中文"), ("en", "English")]
        themes = [
            ("system", self.tr("As the system")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
        ]
        look = (
            SettingRow(
                "language",
                self.tr("Language"),
                self.tr("The language of the window and of what it says about files and answers."),
                ChoiceControl(languages),
                self.tr("Counts from the next start on"),
            ),
            SettingRow(
                "theme",
                self.tr("Colours"),
                self.tr("Light, dark, or as the system is at the moment."),
                ChoiceControl(themes),
            ),
            SettingRow(
                "font_percent",
                self.tr("Size of text"),
                self.tr("All text of the window, from 90 to 150 per cent of the usual size."),
                SliderControl(FONT_LEAST, FONT_MOST, FONT_STEP),
            ),
        )
        system = (
            SettingRow(
                _AUTOSTART,
                self.tr("Start with the system"),
                self.tr("Zhiye starts when you log in, so that folders are kept in step."),
                SwitchControl(),
            ),
            SettingRow(
                "tray",
                self.tr("Stay in the tray"),
                self.tr("Closing the window leaves an icon in the tray, and work that is under way goes on."),
                SwitchControl(),
            ),
            SettingRow(
                "notify",
                self.tr("Say when a long index has ended"),
                self.tr("A message of the system when it took over a minute and another window is in front."),
                SwitchControl(),
            ),
        )
        return [SettingCard(self.tr("Look"), look), SettingCard(self.tr("System"), system)]

    @Slot()
    def show_preferences(self) -> None:
        """Put what is kept into the rows."""
        changed = set()
        for name, row in self.page.rows.items():
            value = self._autostart.is_on() if name == _AUTOSTART else self._preferences.value(name)
            default = False if name == _AUTOSTART else DEFAULTS[name]
            assert isinstance(value, (bool, int, str))
            row.control.set_value(value)
            if value != default:
                changed.add(name)
            row.show_state(self._words(name, default), is_changed=value != default, note=self._note(name))
        self.page.rows["tray"].control.setEnabled(self._has_tray)
        self.page.show_can_reset(bool(changed))

    def _note(self, name: str) -> str:
        if name == "tray" and not self._has_tray:
            return self.tr("This system shows no tray")
        return ""

    def _words(self, name: str, default: object) -> str:
        if isinstance(default, bool):
            return self.tr("on") if default else self.tr("off")
        return self.tr("As the system") if default == "system" else f"{default} %"

    @Slot(str, object)
    def _on_changed(self, name: str, value: object) -> None:
        if name == _AUTOSTART:
            self._set_autostart(bool(value))
        else:
            self._preferences.set(name, value)

    def _set_autostart(self, is_on: bool) -> None:
        try:
            self._autostart.set_on(is_on)
        except OSError as error:
            words = self.tr("The system did not take it: {detail}")
            self.page.rows[_AUTOSTART].show_problem(words.format(detail=error.strerror or error))
        self.show_preferences()

    @Slot(object)
    def _on_reset(self, names: tuple[str, ...]) -> None:
        for name in names:
            if name == _AUTOSTART:
                self._set_autostart(False)
            else:
                self._preferences.set(name, DEFAULTS[name])
