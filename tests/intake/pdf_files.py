"""PDF files made with PyMuPDF, and checks of where their text is marked."""

from pathlib import Path
from typing import Any

import pymupdf

from engine.documents import Page
from engine.intake.boxes import Rect, rects
from engine.intake.loaders import Missing, load

RED = (1.0, 0.0, 0.0)


def write(
    page: Any, x: float, y: float, text: str, color: tuple[float, ...] = (0.0, 0.0, 0.0), **how: Any
) -> None:
    page.insert_text((x, y), text, fontname="china-s", fontsize=how.pop("size", 12), color=color, **how)


def save(document: Any, path: Path, **how: Any) -> Path:
    document.save(path, **how)
    document.close()
    return path


def pages_of(path: Path, *passwords: str) -> list[Page]:
    return [item for item in load(path, passwords) if isinstance(item, Page)]


def missing_of(path: Path) -> Missing | None:
    """What the loader says about unread pages at the end of the file."""
    *_, last = load(path)
    return last if isinstance(last, Missing) else None


def tables_of(page: Page) -> list[tuple[str, str]]:
    """Header and body of each table of the page."""
    return [
        (page.text[table.start : table.header_end], page.text[table.header_end : table.end])
        for table in page.tables
    ]


def ink(path: Path, index: int, zoom: int = 4) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Points of red ink and of other ink on the page as it is displayed."""
    with pymupdf.open(path) as document:
        pixmap = document[index].get_pixmap(matrix=pymupdf.Matrix(zoom, zoom))
    red, other = [], []
    samples, width = pixmap.samples, pixmap.width
    for at in range(0, len(samples), 3):
        r, g, b = samples[at], samples[at + 1], samples[at + 2]
        if g < 140:
            x, y = (at // 3) % width / zoom, (at // 3) // width / zoom
            (red if r > 180 and b < 140 else other).append((x, y))
    return red, other


def inside(point: tuple[float, float], areas: list[Rect], slack: float) -> bool:
    x, y = point
    return any(x0 - slack <= x <= x1 + slack and y0 - slack <= y <= y1 + slack for x0, y0, x1, y1 in areas)


def check_marks(path: Path, phrase: str, occurrence: int = 0, index: int = 0) -> list[Rect]:
    """The rectangles of ``phrase``, written in red, hold all of the red ink and no other."""
    page = pages_of(path)[index]
    flat = [at for at, char in enumerate(page.text) if not char.isspace()]
    squeezed = "".join(page.text[at] for at in flat)
    start = -1
    for _ in range(occurrence + 1):
        start = squeezed.index(phrase, start + 1)
    span = (flat[start], flat[start + len(phrase) - 1] + 1)
    assert page.boxes is not None
    assert page.size is not None
    areas = rects(page.boxes, page.size, [span])
    red, other = ink(path, index)
    assert red
    assert all(inside(point, areas, 0.5) for point in red)
    assert not any(inside(point, areas, -0.75) for point in other)
    return areas


def picture_page(document: Any) -> Any:
    page = document.new_page(width=200, height=200)
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20))
    pixmap.clear_with(200)
    page.insert_image(page.rect, pixmap=pixmap)
    return page
