"""The window's own icons: one-colour SVGs in ``resources/icons``, painted in a colour of the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

import resources
from desktop.design_tokens import current_colours

_SIZES = (16, 18, 20, 24, 32, 36, 40, 48, 64)


@lru_cache(maxsize=128)
def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """The icon ``name`` in ``colour``; the SVG says ``currentColor`` where the colour goes."""
    made = QIcon()
    for mode, shade in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled or colour)):
        renderer = _renderer(name, shade)
        for size in _SIZES:
            made.addPixmap(_drawn(renderer, size), mode)
    return made


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    """Read once: a start needs hundreds of pictures of some thirty icons."""
    return resources.read_text("icons", f"{name}.svg")


def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def pixmap(name: str, colour: str, size: int) -> QPixmap:
    """``size`` device pixels square."""
    return _drawn(_renderer(name, colour), size)


def _drawn(renderer: QSvgRenderer, size: int) -> QPixmap:
    drawn = QPixmap(size, size)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return drawn


def dress(button: QAbstractButton, name: str, role: str = "text") -> None:
    """Give the button its icon in the theme's colour of now; call it again when the palette changes."""
    colours = current_colours()
    button.setIcon(icon(name, getattr(colours, role), colours.control))


def logo() -> QIcon:
    """The application's icon, in its own colours."""
    made = QIcon()
    for size in (16, 24, 32, 48, 72, 128, 144, 256):
        made.addPixmap(pixmap("zhiye", "", size))
    return made
