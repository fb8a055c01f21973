"""A font that has Chinese glyphs, whatever the system's default is."""

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

# Simplified Chinese cuts by name: a bare fallback may pick the Japanese shapes of the same characters.
_CHINESE = (
    "Microsoft YaHei UI",
    "PingFang SC",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
)
_SMALLEST_POINTS = 10.0


def choose_font(application: QApplication) -> QFont:
    """The system's family first, then every installed Chinese family; at least ten points."""
    font = QFont(application.font())
    installed = set(QFontDatabase.families())
    chinese = [family for family in _CHINESE if family in installed]
    # The placeholder name of a desktop without font settings has no shapes of its own.
    own = [] if font.family() in ("Sans Serif", "Sans", "") and chinese else [font.family()]
    font.setFamilies([*own, *chinese])
    if 0 < font.pointSizeF() < _SMALLEST_POINTS:
        font.setPointSizeF(_SMALLEST_POINTS)
    application.setFont(font)
    return font
