"""Rows for the engine's settings, made from how the engine describes them."""

from PySide6.QtCore import QLocale, QObject

from desktop import error_text
from desktop.settings.controls import (
    AutomaticControl,
    ChoiceControl,
    Control,
    FileControl,
    NumberControl,
    SwitchControl,
    TextControl,
)
from desktop.settings.page import SettingsPage
from desktop.settings.places import PAGES, Line
from desktop.settings.row import SettingCard, SettingRow
from engine.settings.standing import Setting, SettingValue

_LIKE_THIS = {"server": "http://127.0.0.1:11434"}


class EnginePages(QObject):
    """The pages of :data:`desktop.settings.places.PAGES`, and what they show."""

    def __init__(self, settings: dict[str, Setting], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: dict[str, Line] = {}
        self.pages = {name: self._page(name, settings) for name in PAGES}
        self.show_settings(settings)

    def row(self, name: str) -> SettingRow | None:
        return next((page.rows[name] for page in self.pages.values() if name in page.rows), None)

    def show_settings(self, settings: dict[str, Setting]) -> None:
        """Put what the engine says into the rows."""
        for page in self.pages.values():
            for name, row in page.rows.items():
                setting = settings[name]
                row.control.set_value(setting.value)
                row.control.setEnabled(not setting.is_fixed)
                note = self.tr("The command line decides it until the next start") if setting.is_fixed else ""
                row.show_state(
                    self._words(setting, setting.default), is_changed=setting.is_changed, note=note
                )
            page.show_can_reset(any(settings[name].is_changed for name in page.rows))

    def _page(self, name: str, settings: dict[str, Setting]) -> SettingsPage:
        titles = {
            "evidence": self.tr("Passages and evidence"),
            "writing": self.tr("Writing"),
            "overall": self.tr("Questions about all documents"),
            "history": self.tr("History"),
            "order": self.tr("Order of results"),
            "server": self.tr("Other sources of a chat model"),
            "passages": self.tr("Passages"),
            "pictures": self.tr("Scans"),
            "limits": self.tr("Difficult files"),
            "processor": self.tr("Processor"),
            "memory": self.tr("Memory"),
        }
        cards = []
        for card, lines in PAGES[name].items():
            rows = tuple(self._row(line, settings[line.name]) for line in lines)
            cards.append(SettingCard(titles[card], rows))
        return SettingsPage(name, cards)

    def _row(self, line: Line, setting: Setting) -> SettingRow:
        self._lines[line.name] = line
        words = error_text.describe(f"setting_{line.name}")
        notes = {
            "question": "",
            "sync": self.tr("Counts from the next sync on"),
            "chat_model": self.tr("Loads the chat model anew"),
        }
        return SettingRow(
            line.name, words.title, words.advice, self._control(line, setting), notes[setting.effect]
        )

    def _control(self, line: Line, setting: Setting) -> Control:
        if setting.kind == "switch":
            return SwitchControl()
        if setting.kind == "choice":
            return ChoiceControl([(each, self._words(setting, each)) for each in setting.choices])
        if setting.kind == "text":
            return TextControl(_LIKE_THIS.get(line.name, self.tr("None")))
        if setting.kind == "file":
            return FileControl(self.tr("None"), self.tr("Models (*.gguf)"))
        least = setting.least if setting.least is not None else -10.0
        if setting.above_least:
            least += 1
        number = NumberControl(least, setting.most, line.decimals, line.step, self._unit(line))
        if not setting.is_optional:
            return number
        automatic = setting.automatic if isinstance(setting.automatic, (int, float)) else None
        return AutomaticControl(number, self._automatic_words(setting), automatic, line.first)

    def _automatic_words(self, setting: Setting) -> str:
        return self.tr("No limit") if setting.name == "min_score" else self.tr("Automatic")

    def _words(self, setting: Setting, value: SettingValue) -> str:
        """A value as people say it."""
        if value is None:
            if setting.kind in ("text", "file"):
                return self.tr("none")
            if setting.automatic is None:
                return self._automatic_words(setting)
            decided = self._words(setting, setting.automatic)
            return self.tr("Automatic ({value})").format(value=decided)
        if isinstance(value, bool):
            return self.tr("on") if value else self.tr("off")
        if isinstance(value, str):
            code = f"setting_{setting.name}_{value}"
            return error_text.describe(code).title if error_text.is_known(code) else value
        line = self._lines[setting.name]
        number = QLocale().toString(float(value), "f", line.decimals)
        return f"{number} {self._unit(line)}".strip()

    def _unit(self, line: Line) -> str:
        units = {
            "": "",
            "tokens": self.tr("tokens"),
            "seconds": self.tr("seconds"),
            "minutes": self.tr("minutes"),
            "percent": "%",
            "megabytes": self.tr("MB"),
        }
        return units[line.unit]
