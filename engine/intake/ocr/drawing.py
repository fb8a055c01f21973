"""A page of a PDF as the picture that a person sees."""

from typing import Any

DPI = 200
"""150 read a third more characters wrongly, 250 none fewer [measured on 200-dpi and 300-dpi scans]."""
_MOST_PIXELS = 16_000_000
"""A2 at 200 dpi; larger sheets are drawn coarser, so that an A0 plan does not take half a gigabyte."""

Picture = Any
"""numpy uint8, height x width x 3."""


def draw(page: Any) -> Picture:
    """The page as displayed, in RGB, at :data:`DPI` or at what :data:`_MOST_PIXELS` allow.

    Raises:
        opening.library_errors(): MuPDF cannot draw it.
    """
    import numpy
    import pymupdf

    zoom = DPI / 72
    area = page.rect.width * page.rect.height * zoom * zoom
    zoom *= min(1.0, (_MOST_PIXELS / area) ** 0.5)
    # Without comments and form fields: the loader reads those as text.
    pixels = page.get_pixmap(
        matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, alpha=False, annots=False
    )
    rows = numpy.frombuffer(pixels.samples_mv, numpy.uint8).reshape(pixels.height, pixels.stride)
    # A copy: the samples go with the pixmap, whoever still looks at them.
    return rows[:, : 3 * pixels.width].reshape(pixels.height, pixels.width, 3).copy()


def grey(coloured: Picture) -> Picture:
    """Without colour, which says nothing about letters; three equal channels, as the networks want them."""
    import cv2

    return cv2.cvtColor(cv2.cvtColor(coloured, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2BGR)
