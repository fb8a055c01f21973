"""The reader's flat icon buttons."""

import re

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton

from desktop.design_tokens import ICON

_KEYS = re.compile(r"\s*[(（]")


def flat_tool(name: str, text: str, *, checkable: bool = False) -> QToolButton:
    """A button without words; ``text`` is its tooltip and, without the keys in it, its accessible name."""
    button = QToolButton()
    button.setObjectName(name)
    button.setProperty("kind", "flat")
    button.setAccessibleName(_KEYS.split(text)[0])
    button.setToolTip(text)
    button.setIconSize(QSize(ICON, ICON))
    button.setCheckable(checkable)
    return button
