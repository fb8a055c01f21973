"""Pages that are pictures, read by RapidOCR (PP-OCRv6, on the processor, from the files in its package)."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.documents import Page
from engine.intake.loaders import Source

log = logging.getLogger(__name__)


def recognise(path: Path, pages: Sequence[int], passwords: Sequence[str] = ()) -> Iterator[Page]:
    """Each of ``pages`` (from 1) of a PDF as OCR reads it: text, glyph boxes, lines with confidence.

    A page that shows no text has the text "". One that cannot be drawn is left out.

    Raises:
        OSError: the file cannot be opened.
        LoadFailed: it is no PDF, no password fits, or OCR is not available (``ocr_unavailable``).
    """
    from engine.intake.loaders.pdf.opening import library_errors, open_document
    from engine.intake.ocr import drawing, layout, lines, models

    loaded = models.load()
    document = open_document(Source(path, tuple(passwords))).document
    try:
        for number in pages:
            try:
                page = document.load_page(number - 1)
                picture = drawing.draw(page)
                size = (float(page.rect.width), float(page.rect.height))
            except library_errors():
                log.info("a page could not be drawn for OCR")
                continue
            yield layout.page_of(number, size, picture, lines.find_lines(picture, loaded))
    finally:
        document.close()
