"""Pages that are pictures, read by RapidOCR."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.documents import Page


def recognise(path: Path, pages: Sequence[int], passwords: Sequence[str] = ()) -> Iterator[Page]:
    """Each of ``pages`` (from 1) of a PDF as OCR reads it: text, glyph boxes, lines with confidence."""
    raise NotImplementedError
