"""Which pages of a PDF show more than their text says, judged at its end from a few facts a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed, Missing
from engine.intake.loaders.pdf.glyphs import Glyphs
from engine.intake.loaders.pdf.opening import library_errors

_MOST_UNMAPPED = 0.3
"""A page with a larger share of characters that have no Unicode value cannot be read."""

_FEW = 120
"""Only a page with fewer characters is looked at for pictures and drawings: the look is not free."""

_PICTURE_SHARE, _DRAWN_SHAPES = 0.5, 30
"""What makes a page without text one that a person reads: a picture of such a share, or many shapes."""

_COVERED, _LABEL = 0.8, 20
"""A picture of the whole page with fewer characters than this on it: a scan with a stamp or number."""

_LARGER, _SMALLEST_PICTURE = 10, 0.02
"""Beside so few characters, a picture that is so many times as large says more than they do, unless it is
a mere ornament: smaller than this share of the page."""

_COVERS_FROM = 10
"""From so many pages on, a first or last page that is a picture is a cover, not a missing page."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a page turned out to be. ``key`` stands for its text without blanks, None for no text.

    ``covered``: a picture says more than the few characters beside it; ``stamped``: they stand on a picture
    of the whole page. ``broken``: the page, or a part of it, cannot be read.
    """

    key: int | None = None
    unmapped: bool = False
    pictured: bool = False
    covered: bool = False
    stamped: bool = False
    broken: bool = False


def look_at(found: Glyphs, page: Any, *, torn: bool) -> Look:
    """``found`` is what the page itself says. ``torn``: what draws the page ends before its end."""
    squeezed = "".join(found.text.split())
    unmapped = sum(1 for char in squeezed if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    pictured = covered = stamped = False
    if len(squeezed) < _FEW:
        picture = _pictured(page)
        shapes = sum(not vector.is_rect for vector in found.vectors)
        pictured = picture >= _PICTURE_SHARE or shapes >= _DRAWN_SHAPES
        if len(squeezed) < _LABEL:
            whole = page.rect
            least = max(_SMALLEST_PICTURE, _LARGER * _inked(found) / (whole.width * whole.height))
            covered = picture >= min(_COVERED, least)
            stamped = picture >= _COVERED
    return Look(
        hash(squeezed) if squeezed else None,
        unmapped > len(squeezed) * _MOST_UNMAPPED,
        pictured,
        covered,
        stamped,
        torn,
    )


def _inked(found: Glyphs) -> float:
    """The area of the characters, in square points."""
    seen = [not char.isspace() for char in found.text]
    boxes = found.boxes[seen]
    return float(((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).sum())


def _pictured(page: Any) -> float:
    """Share of the page that pictures cover; a scan may be cut into strips. None is unpacked."""
    whole = page.rect
    area = 0.0
    try:
        drawn = page.get_bboxlog()
    except library_errors():
        return 0.0
    for kind, (x0, y0, x1, y1) in drawn:
        if "image" in kind or "imgmask" in kind:
            width, height = min(abs(x1 - x0), 2 * whole.width), min(abs(y1 - y0), 2 * whole.height)
            area += width * height
    return min(1.0, float(area / (whole.width * whole.height)))


def missing_of(looks: Sequence[Look], *, cut_off: bool) -> Missing | None:
    """The pages that could not be read, or not wholly.

    ``cut_off``: the file ends before its last page; the page after those found stands for what is lost.

    Raises:
        LoadFailed: nothing can be read, and nothing is shown that OCR could read.
    """
    # The only text of every page is the same: a watermark over pictures.
    keys = {look.key for look in looks}
    stamped = len(looks) > 1 and len(keys) == 1 and all(look.pictured for look in looks)
    numbered = list(enumerate(looks, 1))
    broken = [number for number, look in numbered if look.broken]
    unmapped = [number for number, look in numbered if look.unmapped]
    scanned = [
        number
        for number, look in numbered
        if look.stamped or (look.pictured and (stamped or look.key is None))
    ]
    unread = [
        number for number, look in numbered if look.key is None or stamped or look.unmapped or look.covered
    ]
    if len(unread) == len(looks):
        return _nothing_read(looks, broken=broken, unmapped=unmapped)
    if len(looks) >= _COVERS_FROM:
        scanned = [number for number in scanned if number not in (1, len(looks))]
    recognisable = tuple(sorted({*scanned, *unmapped}))
    if cut_off:
        pages = (*sorted({*recognisable, *broken}), len(looks) + 1)
        return Missing(pages, Reason("pages_lost", {"pages": len(looks)}), tuple(unmapped), recognisable)
    kinds = [(scanned, "pages_scanned"), (unmapped, "pages_unmapped"), (broken, "pages_damaged")]
    missing = tuple(sorted({*recognisable, *broken}))
    if not missing:
        return None
    code = max(kinds, key=lambda kind: len(kind[0]))[1]
    reason = Reason(code, {"missing": len(missing), "pages": len(looks)})
    return Missing(missing, reason, tuple(unmapped), recognisable)


def _nothing_read(looks: Sequence[Look], *, broken: list[int], unmapped: list[int]) -> Missing | None:
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
