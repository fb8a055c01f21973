"""PDF files, page by page, with the place of every character in the page as it is displayed.

Boxes are recorded while reading: a passage is never searched for again when it is marked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.documents import FileState, Heading, Page, Reason, SourceDocument
from engine.intake import boxes
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source
from engine.intake.loaders.pdf_layout import Line, Row, arrange

_FLAGS = 2 | 64
"""Keep blanks, clip to the page. Not set: glyph numbers for unknown characters (they look like text
and are not), ligatures, pictures (never unpacked here)."""

_MOST_UNMAPPED = 0.3
"""A page with a larger share of characters that have no Unicode value cannot be read."""

_FEW = 120
"""Only a page with fewer characters is looked at for pictures and drawings: the look is not free."""

_PICTURE_SHARE, _DRAWN_PATHS = 0.5, 30
"""What makes a page without text one that a person reads: a picture of such a share, or many paths."""

_COVERED, _LABEL = 0.8, 20
"""A picture of the whole page with fewer characters than this on it: a scan with a stamp or number."""

_COVERS_FROM = 10
"""From so many pages on, a first or last page that is a picture is a cover, not a missing page."""

_ZERO = (0.0, 0.0, 0.0, 0.0)
_CONTROL = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)], "\ufffd")
_CONTROL |= dict.fromkeys([*range(0x09, 0x0E), 0x85, 0x2028, 0x2029], " ")


@dataclass(slots=True)
class _Look:
    """What a page turned out to be, besides its text."""

    text: str
    unmapped: bool = False
    pictured: bool = False
    covered: bool = False
    broken: bool = False


def read(source: Source) -> Iterator[LoadItem]:
    document = _open(source)
    try:
        metadata = {key: value for key, value in (document.metadata or {}).items() if value}
        yield SourceDocument("pdf", source.path.stem, title_from_name=True, metadata=metadata)
        outline = _outline(document)
        looks: list[_Look] = []
        for index in range(document.page_count):
            page, look = _page(document, index, outline.get(index + 1, ()))
            looks.append(look)
            yield page
        missing = _missing(looks)
        if missing is not None:
            yield missing
    finally:
        document.close()


def _open(source: Source) -> Any:
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with source.path.open("rb"):
        pass  # let the operating system name its own refusals
    try:
        document = pymupdf.open(source.path, filetype="pdf")
    except (pymupdf.FileDataError, RuntimeError, ValueError) as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "PDF"})) from exc
    if document.needs_pass:
        document.close()
        raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed"))
    try:
        count = document.page_count
    except (RuntimeError, ValueError):
        count = 0
    if count == 0:
        document.close()
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "PDF"}))
    return document


def _outline(document: Any) -> dict[int, list[tuple[int, str]]]:
    """Bookmarks by page number: level from 1 and title."""
    try:
        entries = document.get_toc(simple=True)
    except (RuntimeError, ValueError):
        return {}
    result: dict[int, list[tuple[int, str]]] = {}
    for level, title, number in entries:
        if title.strip() and number > 0:
            result.setdefault(number, []).append((level, title))
    return result


def _page(document: Any, index: int, outline: Any) -> tuple[Page, _Look]:
    try:
        page = document.load_page(index)
        raw = page.get_text("rawdict", flags=_FLAGS)
    except (RuntimeError, ValueError):
        return Page(index + 1, ""), _Look("", broken=True)
    size = (float(page.rect.width), float(page.rect.height))
    if min(size) <= 0:
        return Page(index + 1, ""), _Look("", broken=True)
    lines = _lines(raw["blocks"])
    _drop_doubles(lines)
    text, places = _compose(arrange(lines))
    packed = boxes.pack(_displayed(places, page), size)
    unmapped = sum(1 for char in text if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    visible = len(text) - text.count(" ") - text.count("\n")
    look = _Look(text, unmapped=unmapped > visible * _MOST_UNMAPPED)
    if visible < _FEW:
        picture, paths = _drawn(page, size)
        look.pictured = picture >= _PICTURE_SHARE or paths >= _DRAWN_PATHS
        look.covered = picture >= _COVERED and visible < _LABEL
    label = page.get_label() or None
    headings = _headings(text, outline)
    return Page(index + 1, text, label, headings=headings, size=size, boxes=packed), look


def _lines(blocks: Any) -> list[Line]:
    lines: list[Line] = []
    for number, block in enumerate(blocks):
        previous: Line | None = None
        for line in block.get("lines", ()):
            spans = line["spans"]
            glyphs = [glyph for span in spans for glyph in span["chars"]]
            if not glyphs:
                continue
            chars = [glyph["c"] for glyph in glyphs]
            places = [glyph["bbox"] for glyph in glyphs]
            if line["wmode"] and previous is not None and places[0][1] >= previous.boxes[-1][1]:
                # Vertical writing comes as lines of one character each.
                previous.extend(chars, places)
                continue
            item = Line(number, line["dir"], chars, places)
            lines.append(item)
            previous = item if line["wmode"] else None
    return lines


def _drop_doubles(lines: list[Line]) -> None:
    """Count characters once that were drawn twice to look bold or shadowed (within one point)."""
    import numpy

    if not lines:
        return
    codes = numpy.array([ord(char[0]) if char else 0 for line in lines for char in line.chars])
    places = numpy.array([place[:2] for line in lines for place in line.boxes])
    doubled = numpy.zeros(len(codes), dtype=bool)
    for shift in (0.0, 1.0):  # two grids: neighbours that one grid parts are together in the other
        rows = numpy.floor((places[:, 1] + shift) / 2)
        order = numpy.lexsort((places[:, 0], rows, codes))
        same = (
            (numpy.diff(codes[order]) == 0)
            & (numpy.abs(numpy.diff(places[order], axis=0)) < 1.0).all(axis=1)
            & (codes[order][1:] != 32)
        )
        later = numpy.maximum(order[1:], order[:-1])
        doubled[later[same]] = True
    if not doubled.any():
        return
    at = 0
    for line in lines:
        keep = ~doubled[at : at + len(line.chars)]
        at += len(line.chars)
        if not keep.all():
            line.chars = [char for char, kept in zip(line.chars, keep, strict=True) if kept]
            line.boxes = [place for place, kept in zip(line.boxes, keep, strict=True) if kept]
    lines[:] = [line for line in lines if any(char.strip() for char in line.chars)]


def _compose(rows: list[Row]) -> tuple[str, list[Any]]:
    """The page's text and one box for each of its characters."""
    chars: list[str] = []
    places: list[Any] = []
    for row in rows:
        if chars:
            breaks = 2 if row.gap else 1
            chars.extend("\n" * breaks)
            places.extend([_ZERO] * breaks)
        for separator, line in zip(["", *row.separators()], row.lines, strict=True):
            chars.extend(separator)
            places.extend([_ZERO] * len(separator))
            for char, place in zip(line.chars, line.boxes, strict=True):
                # A ligature that was taken apart has several characters in one glyph.
                chars.append(char.translate(_CONTROL) if char < " " or char > "~" else char)
                places.extend([place] * len(char))
    return "".join(chars), places


def _displayed(places: list[Any], page: Any) -> Any:
    """Boxes as the page is shown: rotated, origin at its visible top left corner."""
    import numpy

    if not places:
        return numpy.zeros((0, 4))
    table = numpy.array(places, dtype=float)
    if page.rotation:
        a, b, c, d, e, f = page.rotation_matrix
        drawn = table.any(axis=1)
        x, y = table[:, [0, 2]], table[:, [1, 3]]
        across, down = a * x + c * y + e, b * x + d * y + f
        table = numpy.stack([across.min(1), down.min(1), across.max(1), down.max(1)], axis=1)
        table[~drawn] = 0
    return table


def _drawn(page: Any, size: tuple[float, float]) -> tuple[float, int]:
    """Share of the page that its largest picture covers, and the number of drawn paths."""
    paths = 0
    area = 0.0
    for kind, place in page.get_bboxlog():
        if kind.endswith("path"):
            paths += 1
        elif "image" in kind:
            area = max(area, abs((place[2] - place[0]) * (place[3] - place[1])))
    return area / (size[0] * size[1]), paths


def _headings(text: str, outline: Any) -> tuple[Heading, ...]:
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


def _missing(looks: list[_Look]) -> Missing | None:
    """The pages that show more than their text says.

    Raises:
        LoadFailed: nothing can be read, and nothing is shown that OCR could read.
    """
    texts = [re.sub(r"\s+", "", look.text) for look in looks]
    # The only text of every page is the same: a watermark over pictures.
    stamped = len(looks) > 1 and len(set(texts)) == 1 and all(look.pictured for look in looks)
    numbered = list(enumerate(zip(texts, looks, strict=True), 1))
    broken = [number for number, (_, look) in numbered if look.broken]
    unmapped = [number for number, (_, look) in numbered if look.unmapped]
    scanned = [number for number, (text, look) in numbered if look.pictured and (stamped or not text)]
    unread = [
        number for number, (text, look) in numbered if not text or stamped or look.unmapped or look.covered
    ]
    if len(unread) == len(looks):
        return _nothing_read(looks, broken=broken, unmapped=unmapped)
    if len(looks) >= _COVERS_FROM:
        scanned = [number for number in scanned if number not in (1, len(looks))]
    kinds = [(scanned, "pages_scanned"), (unmapped, "pages_unmapped"), (broken, "pages_damaged")]
    missing = tuple(sorted({*scanned, *unmapped, *broken}))
    if not missing:
        return None
    code = max(kinds, key=lambda kind: len(kind[0]))[1]
    reason = Reason(code, {"missing": len(missing), "pages": len(looks)})
    return Missing(missing, reason, tuple(unmapped), tuple(sorted({*scanned, *unmapped})))


def _nothing_read(looks: list[_Look], *, broken: list[int], unmapped: list[int]) -> Missing | None:
    shown = [number for number, look in enumerate(looks, 1) if look.pictured or look.covered]
    if unmapped and len(unmapped) >= len(shown):
        alone = FileState.UNMAPPED_TEXT, Reason("unmapped_text")
    elif shown:
        alone = FileState.NEEDS_OCR, Reason("scanned", {"pages": len(looks)})
    elif broken:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "PDF"}))
    else:
        return None
    pages = tuple(sorted({*shown, *unmapped}))
    return Missing(tuple(range(1, len(looks) + 1)), alone[1], pages, pages, alone)
