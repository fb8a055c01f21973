"""Colours, spacing and type scale, the one place where a look is decided.

Every text colour is paired with the backgrounds it may stand on; tests hold each pair to a contrast
of 4.5 in both themes. Views ask
:func:`current_colours` when they paint, so that a theme change needs no wiring.
"""

from dataclasses import dataclass, fields

from PySide6.QtGui import QColor, QGuiApplication, QPalette

SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL = 4, 8, 12, 16, 24
RADIUS = 8
ICON = 18

# Factors of the system's font size, so that people who set a larger font get a larger scale.
CAPTION, BODY, TITLE, HEADING, DISPLAY = 0.9, 1.0, 1.12, 1.35, 1.8


@dataclass(frozen=True, slots=True)
class Colours:
    """One theme. ``*_soft`` are backgrounds for the text colour of the same name."""

    window: str
    surface: str
    raised: str
    border: str
    control: str
    text: str
    muted: str
    accent: str
    accent_strong: str
    on_accent: str
    accent_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    good: str
    good_soft: str
    mark: str
    mark_soft: str
    found: str
    desk: str
    chunk_even: str
    chunk_odd: str

    def named(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


LIGHT = Colours(
    window="#f5f6f8",
    surface="#ffffff",
    raised="#eef1f4",
    border="#d9dee5",
    control="#8a94a3",
    text="#1b2027",
    muted="#59626f",
    accent="#0b6660",
    accent_strong="#084f4a",
    on_accent="#ffffff",
    accent_soft="#dff1ee",
    warn="#7d4700",
    warn_soft="#fdefd5",
    bad="#9d231d",
    bad_soft="#fce8e6",
    good="#1c6539",
    good_soft="#e2f3e8",
    mark="#ffe27a",
    mark_soft="#fff5d1",
    found="#cde6fb",
    desk="#e4e8ed",
    chunk_even="#dcedf9",
    chunk_odd="#efe9f8",
)

DARK = Colours(
    window="#15181c",
    surface="#1c2025",
    raised="#262b32",
    border="#353c45",
    control="#7c8795",
    text="#e6e9ed",
    muted="#a4aebb",
    accent="#74ccc3",
    accent_strong="#9adfd8",
    on_accent="#08211f",
    accent_soft="#1e3d3b",
    warn="#f4c37d",
    warn_soft="#41331c",
    bad="#f5aaa4",
    bad_soft="#472523",
    good="#8fd7a9",
    good_soft="#1e3b2a",
    mark="#66560f",
    mark_soft="#3a341c",
    found="#1d4763",
    desk="#101316",
    chunk_even="#1d3344",
    chunk_odd="#342c49",
)

PAPER_MARK, PAPER_MARK_SOFT, PAPER_MARK_LINE = "#ffe27a", "#fff3c7", "#d99a00"
PAPER_FOUND, PAPER_FOUND_NOW, PAPER_SELECTED = "#bfe0fb", "#ffb27d", "#b7dbd7"
"""Marks on a PDF page are multiplied onto white paper, which stays white in both themes: the cited sentence
in its passage with a line below it, words that were found with the one that is shown, selected text."""

TEXT_ON = {
    "text": (
        "window",
        "surface",
        "raised",
        "accent_soft",
        "mark",
        "mark_soft",
        "found",
        "chunk_even",
        "chunk_odd",
    ),
    "muted": ("window", "surface", "raised"),
    "accent": ("window", "surface", "raised", "accent_soft"),
    "accent_strong": ("accent_soft", "surface"),
    "on_accent": ("accent", "accent_strong"),
    "warn": ("warn_soft", "surface"),
    "bad": ("bad_soft", "surface"),
    "good": ("good_soft", "surface", "window"),
}


def is_dark(palette: QPalette) -> bool:
    return palette.color(QPalette.ColorRole.Window).lightness() < 128


def current_colours() -> Colours:
    """The colours of now.

    The application's palette decides, as it does in desktop/theme.py: a style sheet puts its own
    (even transparent) backgrounds into the palettes of single widgets.
    """
    return DARK if is_dark(QGuiApplication.palette()) else LIGHT


def palette_of(colours: Colours) -> QPalette:
    """A complete palette: no colour without its partner."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: colours.window,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Base: colours.surface,
        QPalette.ColorRole.AlternateBase: colours.raised,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.PlaceholderText: colours.muted,
        QPalette.ColorRole.Button: colours.surface,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.BrightText: colours.bad,
        QPalette.ColorRole.ToolTipBase: colours.raised,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.Highlight: colours.accent,
        QPalette.ColorRole.HighlightedText: colours.on_accent,
        QPalette.ColorRole.Link: colours.accent,
        QPalette.ColorRole.LinkVisited: colours.accent,
        QPalette.ColorRole.Light: colours.surface,
        QPalette.ColorRole.Midlight: colours.raised,
        QPalette.ColorRole.Mid: colours.border,
        QPalette.ColorRole.Dark: colours.control,
        QPalette.ColorRole.Shadow: colours.desk,
        QPalette.ColorRole.Accent: colours.accent,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.muted))
    return palette


def contrast(first: str | QColor, second: str | QColor) -> float:
    """The WCAG contrast ratio of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(QColor(first)), _luminance(QColor(second))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else float(((value + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())
