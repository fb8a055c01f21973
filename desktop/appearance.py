"""Light, dark or as the system is, and the size of text: put on the application while it runs."""

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from desktop import fonts
from desktop.design_tokens import DARK, LIGHT, palette_of
from desktop.preferences import Preferences


class Appearance(QObject):
    """Follows the preferences; windows follow the application (:mod:`desktop.theme`)."""

    def __init__(
        self, application: QApplication, preferences: Preferences, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._application, self._preferences = application, preferences
        self._is_forced = False
        preferences.changed.connect(self._on_changed)
        self._apply_theme()
        self._apply_font()

    @Slot(str)
    def _on_changed(self, name: str) -> None:
        if name == "theme":
            self._apply_theme()
        elif name == "font_percent":
            self._apply_font()

    def _apply_theme(self) -> None:
        schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
        scheme = schemes.get(self._preferences.theme, Qt.ColorScheme.Unknown)
        if scheme is Qt.ColorScheme.Unknown and not self._is_forced:
            return
        # The frame of a window is the system's and follows this; the palette is what we paint with.
        self._application.styleHints().setColorScheme(scheme)
        self._is_forced = scheme is not Qt.ColorScheme.Unknown
        if not self._is_forced:
            self._application.setPalette(QPalette())
            return
        self._application.setPalette(palette_of(DARK if scheme is Qt.ColorScheme.Dark else LIGHT))

    def _apply_font(self) -> None:
        fonts.scale(self._application, self._preferences.font_percent)
