"""The page of the main window's keyboard shortcuts, each of which can be changed."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit

from desktop.settings.controls import Control
from desktop.settings.page import SettingsPage
from desktop.settings.row import SettingCard, SettingRow
from desktop.shortcuts import KeptShortcuts, is_usable
from engine.settings.standing import SettingValue

_NATIVE = QKeySequence.SequenceFormat.NativeText
_PORTABLE = QKeySequence.SequenceFormat.PortableText


class KeysControl(Control):
    """Takes the next keys that are pressed; its value is their portable text."""

    def __init__(self) -> None:
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        super().__init__(self.edit)
        self.edit.editingFinished.connect(self._on_finished)
        self._told = ""

    def value(self) -> SettingValue:
        return self.edit.keySequence().toString(_PORTABLE)

    def set_value(self, value: SettingValue) -> None:
        self._told = str(value)
        self.edit.setKeySequence(QKeySequence(self._told, _PORTABLE))

    @Slot()
    def _on_finished(self) -> None:
        if self.value() != self._told:
            self._tell()


class ShortcutsPage(QObject):
    """``page`` is made of what the window has at that moment."""

    def __init__(self, kept: KeptShortcuts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = kept
        sentence = self.tr("Click into the field and press the new keys.")
        rows = [SettingRow(each.name, each.title, "", KeysControl()) for each in kept.shortcuts.values()]
        for row in rows:
            row.control.setToolTip(sentence)
        note = self.tr(
            "To open Zhiye from any program, give the command zhiye-gui a shortcut in the keyboard settings "
            "of your system: a window that is open comes forward."
        )
        self.page = SettingsPage("shortcuts", [SettingCard(self.tr("Main window"), tuple(rows))], note)
        self.page.changed.connect(self._on_changed)
        self.page.reset_wanted.connect(self._on_reset)
        self._show()

    def _show(self) -> None:
        changed = False
        for name, each in self._kept.shortcuts.items():
            row = self.page.rows[name]
            is_changed = each.keys != each.usual
            row.control.set_value(each.keys.toString(_PORTABLE))
            row.show_state(each.usual.toString(_NATIVE) if is_changed else "", is_changed=is_changed)
            changed |= is_changed
        self.page.show_can_reset(changed)

    @Slot(str, object)
    def _on_changed(self, name: str, value: object) -> None:
        keys = QKeySequence(str(value), _PORTABLE)
        problem = self._problem(name, keys)
        if not problem:
            self._kept.change(name, keys)
        self._show()
        self.page.rows[name].show_problem(problem)

    def _problem(self, name: str, keys: QKeySequence) -> str:
        written = keys.toString(_PORTABLE)
        if written in ("", "Esc"):
            return self.tr("Nothing was changed.")
        if not is_usable(keys):
            return self.tr("Hold Ctrl or Alt with it; a key alone is for typing.")
        if (other := self._kept.taken(name, keys)) is not None:
            words = self.tr("{keys} is taken by “{other}”.")
            return words.format(keys=keys.toString(_NATIVE), other=other.title)
        return ""

    @Slot(object)
    def _on_reset(self, names: tuple[str, ...]) -> None:
        for name in names:
            if name in self._kept.shortcuts:
                self._kept.reset(name)
                self.page.rows[name].show_problem("")
        self._show()
