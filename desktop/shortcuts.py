"""The keyboard shortcuts of a window as they really are, found at its buttons, actions and shortcuts."""

import re
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop.preferences import Preferences

_KEYS_IN_TIP = re.compile(r"\s*[(（][^()（）]*[)）]$")

_STRONG = re.compile(r"^(.*\+)?F\d+$|Ctrl\+|Alt\+|Meta\+")


@dataclass(slots=True)
class Shortcut:
    """``owner`` has the keys now, ``usual`` are those that it was built with."""

    name: str
    title: str
    owner: QAbstractButton | QAction | QShortcut
    usual: QKeySequence

    @property
    def keys(self) -> QKeySequence:
        return self.owner.key() if isinstance(self.owner, QShortcut) else self.owner.shortcut()

    def set_keys(self, keys: QKeySequence) -> None:
        """Tool tips that name the old keys name the new ones."""
        old, new = (each.toString(QKeySequence.SequenceFormat.NativeText) for each in (self.keys, keys))
        if isinstance(self.owner, QShortcut):
            self.owner.setKey(keys)
            return
        self.owner.setShortcut(keys)
        tip = self.owner.toolTip()
        if old and old in tip:
            self.owner.setToolTip(tip.replace(old, new))


def shortcuts_of(window: QWidget) -> list[Shortcut]:
    """Those that have keys and words for what they do, in the order of their titles."""
    found = []
    for owner in window.findChildren(QObject):
        if not isinstance(owner, (QAbstractButton, QAction, QShortcut)):
            continue
        if _window_of(owner) not in (window, None):
            continue
        keys = owner.key() if isinstance(owner, QShortcut) else owner.shortcut()
        title = _title(owner)
        if not keys.isEmpty() and title:
            found.append(Shortcut(owner.objectName(), title, owner, keys))
    return sorted(found, key=lambda shortcut: shortcut.title)


def is_usable(keys: QKeySequence) -> bool:
    """Whether nobody presses the keys while writing: with Ctrl, Alt or the system's key, or F1 to F35."""
    return bool(_STRONG.search(keys.toString(QKeySequence.SequenceFormat.PortableText)))


class KeptShortcuts(QObject):
    """The shortcuts of the main window with the keys that a person gave them."""

    def __init__(self, window: QWidget, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.shortcuts = {each.name: each for each in shortcuts_of(window) if each.name}
        for name, written in preferences.shortcuts().items():
            keys = QKeySequence(written, QKeySequence.SequenceFormat.PortableText)
            if name in self.shortcuts and is_usable(keys) and self.taken(name, keys) is None:
                self.shortcuts[name].set_keys(keys)

    def taken(self, name: str, keys: QKeySequence) -> Shortcut | None:
        """Another shortcut of the window that has these keys."""
        return next(
            (each for each in self.shortcuts.values() if each.name != name and each.keys == keys), None
        )

    def change(self, name: str, keys: QKeySequence) -> None:
        """Give a shortcut these keys from now on."""
        shortcut = self.shortcuts[name]
        shortcut.set_keys(keys)
        written = keys.toString(QKeySequence.SequenceFormat.PortableText)
        self._preferences.set_shortcut(name, None if keys == shortcut.usual else written)

    def reset(self, name: str) -> None:
        self.change(name, self.shortcuts[name].usual)


def _title(owner: QAbstractButton | QAction | QShortcut) -> str:
    if isinstance(owner, QShortcut):
        return owner.whatsThis()
    words = owner.accessibleName() if isinstance(owner, QAbstractButton) else ""
    words = words or owner.text() or _KEYS_IN_TIP.sub("", owner.toolTip())
    return words.replace("&", "").strip()


def _window_of(owner: QObject) -> QWidget | None:
    parent: QObject | None = owner
    while parent is not None and not isinstance(parent, QWidget):
        parent = parent.parent()
    return parent.window() if isinstance(parent, QWidget) else None
