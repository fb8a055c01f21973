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
_USUAL = "usualPointSize"


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
    application.setProperty(_USUAL, font.pointSizeF())
    application.setFont(font)
    return font


def has_chinese() -> bool:
    """Whether any installed font has the shapes of simplified Chinese."""
    return bool(QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese))


def scale(application: QApplication, percent: int) -> None:
    """Make all text this much of its usual size."""
    font = QFont(application.font())
    usual = application.property(_USUAL) or font.pointSizeF()
    size = round(float(usual) * percent / 100, 2)
    if size > 0 and size != font.pointSizeF():
        font.setPointSizeF(size)
        application.setFont(font)
