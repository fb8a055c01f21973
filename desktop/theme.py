"""Puts the light or dark theme of now on a window and keeps it in step with palette and font size."""

import re

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

import resources
from desktop import design_tokens
from desktop.design_tokens import Colours, current_colours, palette_of

_NAME = re.compile(r"@([a-z_]+)")
_CHANGES = (QEvent.Type.ApplicationPaletteChange, QEvent.Type.ApplicationFontChange)


class SystemTheme(QObject):
    """Dresses ``window`` in the tokens that match the application's palette.

    Here the application's own palette is never set: a palette set by hand would stop following the system
    (a person may want that: :mod:`desktop.appearance`).
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._dressed: tuple[Colours, float] | None = None
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.apply()

    def apply(self) -> None:
        colours, points = current_colours(), QApplication.font().pointSizeF()
        if (colours, points) == self._dressed:
            return
        self._dressed = (colours, points)
        self._window.setPalette(palette_of(colours))
        self._window.setStyleSheet(style_sheet(colours, points))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CHANGES and watched is QApplication.instance():
            self.apply()
        return False


def style_sheet(colours: Colours, point_size: float) -> str:
    """``resources/qss/window.qss`` with its ``@names`` filled in; an unknown name raises KeyError."""
    values = colours.named()
    for name in ("CAPTION", "BODY", "TITLE", "HEADING", "DISPLAY"):
        values[name.lower()] = f"{point_size * getattr(design_tokens, name):.1f}pt"
    values["icons"] = resources.path("icons").as_posix()
    values["radius"] = f"{design_tokens.RADIUS}px"
    return _NAME.sub(lambda match: values[match.group(1)], resources.read_text("qss", "window.qss"))
