"""Puts the system's light or dark theme on a window and keeps it there when the system changes."""

import re

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

import resources
from desktop import design_tokens
from desktop.design_tokens import Colours, current_colours, palette_of

_NAME = re.compile(r"@([a-z_]+)")


class SystemTheme(QObject):
    """Dresses ``window`` in the tokens that match the application's palette.

    The application's own palette is never set: a palette set by hand would stop following the system.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._colours: Colours | None = None
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.apply()

    def apply(self) -> None:
        colours = current_colours()
        if colours is self._colours:
            return
        self._colours = colours
        self._window.setPalette(palette_of(colours))
        self._window.setStyleSheet(style_sheet(colours, QApplication.font().pointSizeF()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ApplicationPaletteChange and watched is QApplication.instance():
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
