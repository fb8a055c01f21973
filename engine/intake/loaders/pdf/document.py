"""PDF files, page by page, with the place of every character in the page as it is displayed.

Boxes are recorded while reading: a passage is never searched for again when it is marked.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.documents import Heading, Page, SourceDocument
from engine.intake import boxes
from engine.intake.loaders import LoadItem, Source
from engine.intake.loaders.pdf import xfa
from engine.intake.loaders.pdf.glyphs import Glyphs, glyphs
from engine.intake.loaders.pdf.lines import Row
from engine.intake.loaders.pdf.missing import Look, look_at, missing_of
from engine.intake.loaders.pdf.notes import Note, attached, notes
from engine.intake.loaders.pdf.opening import (
    attachments,
    forget_warnings,
    library_errors,
    open_document,
    was_torn,
)
from engine.intake.loaders.pdf.tables import rows_of
from engine.intake.loaders.pdf.written import placed, write


def read(source: Source) -> Iterator[LoadItem]:
    opened = open_document(source)
    document = opened.document
    try:
        metadata = {key: value for key, value in (document.metadata or {}).items() if value}
        yield SourceDocument("pdf", source.path.stem, title_from_name=True, metadata=metadata)
        reader = _Reader(document)
        looks: list[Look] = []
        for index in range(document.page_count):
            page, look = reader.page(index)
            looks.append(look)
            yield page
        missing = missing_of(looks, cut_off=opened.cut_off)
        if missing is not None:
            yield missing
    finally:
        document.close()


class _Reader:
    """Reads the pages of one open document."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._outline = _outline(document)
        self._attached = attachments(document)
        self._dynamic = xfa.values(document)
        self._is_form = bool(document.is_form_pdf)

    def page(self, index: int) -> tuple[Page, Look]:
        forget_warnings()
        try:
            page = self._document.load_page(index)
            size = (float(page.rect.width), float(page.rect.height))
            found = glyphs(page, self._document)
        except library_errors():
            return Page(index + 1, ""), Look(broken=True)
        if min(size) <= 0:
            return Page(index + 1, ""), Look(broken=True)
        look = look_at(found, page, torn=was_torn())
        own = found.text
        added = notes(page, found, is_form=self._is_form)
        if index == 0:
            added += [Note(value) for value in self._dynamic]
            added += attached(self._attached, own)
        rows = rows_of(found)
        if added:
            rows += _note_rows(found, added)
        written = write(rows, found.text)
        text = written.text
        packed = boxes.pack(_displayed(placed(written.index, found.boxes), page), size)
        label = _label(page)
        headings = _headings(text, self._outline.get(index + 1, ()))
        # The notes are the page's last lines.
        said = sum(len(note.text) + 1 for note in added) - 1
        page_read = Page(
            index + 1, text, label, headings=headings, size=size, boxes=packed, tables=written.tables,
            unusable=look.unmapped, notes=len(text) - said if added else None,
        )  # fmt: skip
        return page_read, look


def _label(page: Any) -> str | None:
    try:
        return page.get_label() or None
    except library_errors():
        return None


def _outline(document: Any) -> dict[int, list[tuple[int, str]]]:
    """Bookmarks by page number: level from 1 and title."""
    try:
        entries = document.get_toc(simple=True)
    except library_errors():
        return {}
    result: dict[int, list[tuple[int, str]]] = {}
    for level, title, number in entries:
        if title.strip() and number > 0:
            result.setdefault(number, []).append((level, title))
    return result


def _note_rows(found: Glyphs, added: Sequence[Note]) -> list[Row]:
    """The rows of ``added``, whose characters become glyphs of ``found``: equal shares of the rectangle."""
    import numpy

    rows: list[Row] = []
    for note in added:
        start = len(found.text)
        count = len(note.text)
        found.text += note.text
        share = numpy.zeros((count, 4))
        if note.box is not None:
            cuts = numpy.linspace(note.box[0], note.box[2], count + 1)
            share[:, 0], share[:, 2] = cuts[:-1], cuts[1:]
            share[:, 1], share[:, 3] = note.box[1], note.box[3]
        found.boxes = numpy.concatenate([found.boxes, share])
        rows.append(Row(None, [(start, start + count)]))
    rows[0].gap = True
    return rows


def _displayed(places: Any, page: Any) -> Any:
    """Boxes as the page is shown: rotated, origin at its visible top left corner."""
    import numpy

    if not page.rotation or not len(places):
        return places
    a, b, c, d, e, f = page.rotation_matrix
    drawn = places.any(axis=1)
    x, y = places[:, [0, 2]], places[:, [1, 3]]
    across, down = a * x + c * y + e, b * x + d * y + f
    table = numpy.stack([across.min(1), down.min(1), across.max(1), down.max(1)], axis=1)
    table[~drawn] = 0
    return table


def _headings(text: str, outline: Sequence[tuple[int, str]]) -> tuple[Heading, ...]:
    """Bookmarks whose title stands on the page as a line of its own."""
    if not outline:
        return ()
    starts: dict[str, int] = {}
    offset = 0
    for line in text.split("\n"):
        starts.setdefault(_key(line), offset)
        offset += len(line) + 1
    found = [
        Heading(starts[_key(title)], level, " ".join(title.split()))
        for level, title in outline
        if _key(title) in starts
    ]
    return tuple(sorted(found, key=lambda heading: heading.offset))


def _key(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()
