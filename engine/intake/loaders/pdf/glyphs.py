"""The glyphs of a PDF page: characters, boxes, lines as MuPDF finds them, and what is drawn beside."""

from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

from engine.intake.loaders.pdf.lines import Line
from engine.intake.loaders.pdf.opening import library_errors

_FLAGS = 2 | 64
"""Keep blanks, clip to the page. Not set: glyph numbers for unknown characters (they look like text
and are not), ligatures, pictures (never unpacked here)."""

_VECTORS = 1024
"""Collect the drawn vectors in the same pass: a second one would cost as much as the text."""

_GLYPH_NUMBERS = 128
"""Give the number of a glyph where its character is not known; only to try :func:`_shifted_back`."""

_MOST_VECTORS_BYTES = 1 << 20
"""Packed drawing instructions of a page with more than this are a map or a chart: 2.5 MB of them held
200,000 vectors and cost 100 MB [measured]."""

_SHIFT = 29
"""Fonts in the usual order have the space as glyph 3: numbers taken for characters are 29 too low."""

_SHORTEST = 40
"""Fewer characters than this are too few to tell a language from."""

_ENGLISH = frozenset(
    {"the", "of", "and", "to", "in", "is", "for", "on", "that", "with", "are", "be", "by", "from"}
)

_CONTROL = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)], "\ufffd")
_CONTROL |= dict.fromkeys([*range(0x09, 0x0E), 0x85, 0x2028, 0x2029], " ")

_char, _bbox, _spans, _chars = itemgetter("c"), itemgetter("bbox"), itemgetter("spans"), itemgetter("chars")


@dataclass(slots=True)
class Vector:
    """A drawn shape: its extent in points, whether it is a rectangle (or a straight line), and stroked."""

    box: tuple[float, float, float, float]
    is_rect: bool
    is_stroked: bool


@dataclass(slots=True)
class Glyphs:
    """``text`` has one character for each row (x0, y0, x1, y1 in points, page not rotated) of ``boxes``."""

    text: str
    boxes: Any
    lines: list[Line] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)


def glyphs(page: Any, document: Any) -> Glyphs:
    """Read the page once. Characters drawn twice at one place count once; controls are made safe.

    Raises:
        Exception: MuPDF cannot read the page (:func:`opening.library_errors`).
    """
    flags = _FLAGS | _VECTORS if _drawing_bytes(page, document) <= _MOST_VECTORS_BYTES else _FLAGS
    found = _from_blocks(page.get_text("rawdict", flags=flags)["blocks"])
    if found.text.count("\ufffd") > len(found.text) / 2:
        numbered = _from_blocks(page.get_text("rawdict", flags=_FLAGS | _GLYPH_NUMBERS)["blocks"])
        text = _shifted_back(numbered.text)
        if text is not None:
            numbered.vectors = found.vectors
            found = numbered
    else:
        text = _shifted_back(found.text)
    _rewrite(found, (text or found.text).translate(_CONTROL))
    return found


def _rewrite(found: Glyphs, text: str) -> None:
    if text != found.text:
        found.text = text
        for line in found.lines:
            line.text = text[line.start : line.end]


def _drawing_bytes(page: Any, document: Any) -> int:
    total = 0
    for xref in page.get_contents():
        try:
            kind, length = document.xref_get_key(xref, "Length")
            if kind == "xref":
                length = document.xref_object(int(length.split()[0]))
        except library_errors():
            continue
        total += int(length) if length.isdecimal() else 0
    return total


def _from_blocks(blocks: list[dict[str, Any]]) -> Glyphs:
    import numpy

    vectors: list[Vector] = []
    raw: list[dict[str, Any]] = []
    pieces: list[list[Any]] = []
    heads: list[tuple[int, Any, int]] = []
    for number, block in enumerate(blocks):
        if block["type"] == 3:
            vectors.append(Vector(block["bbox"], block["isrect"], block["stroked"]))
        for line in block.get("lines", ()):
            spans = line["spans"]
            piece = spans[0]["chars"] if len(spans) == 1 else list(chain.from_iterable(map(_chars, spans)))
            if piece:
                pieces.append(piece)
                heads.append((number, line["dir"], line["wmode"]))
    raw = list(chain.from_iterable(pieces))
    chars = list(map(_char, raw))
    text = "".join(chars)
    if len(text) != len(raw):
        # Never seen, but all else rests on one character a glyph.
        text = "".join(char[0] if char else "\ufffd" for char in chars)
    boxes = numpy.fromiter(chain.from_iterable(map(_bbox, raw)), dtype=float, count=4 * len(raw)).reshape(
        -1, 4
    )
    ends = numpy.cumsum([0, *map(len, pieces)])
    doubled = _doubled(text, boxes)
    if doubled is not None:
        text = "".join(char for char, drop in zip(text, doubled, strict=True) if not drop)
        boxes = boxes[~doubled]
        ends -= numpy.concatenate([[0], numpy.cumsum(doubled)])[ends]
    result = Glyphs(text, boxes, vectors=vectors)
    result.lines = _lines(result, heads, ends.tolist())
    return result


def _doubled(text: str, boxes: Any) -> Any:
    """Which characters were drawn before within one point, to look bold or shadowed; None if none was."""
    import numpy

    if not text:
        return None
    codes = numpy.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    doubled = numpy.zeros(len(codes), dtype=bool)
    places = boxes[:, :2]
    for shift in (0.0, 1.0):  # two grids: neighbours that one grid parts are together in the other
        rows = numpy.floor((places[:, 1] + shift) / 2)
        order = numpy.lexsort((places[:, 0], rows, codes))
        sorted_codes = codes[order]
        near = numpy.abs(numpy.diff(places[order], axis=0)) < 1.0
        same = (sorted_codes[1:] == sorted_codes[:-1]) & near[:, 0] & near[:, 1] & (sorted_codes[1:] != 32)
        if same.any():
            later = numpy.maximum(order[1:], order[:-1])
            doubled[later[same]] = True
    return doubled if doubled.any() else None


def _lines(found: Glyphs, heads: list[tuple[int, Any, int]], ends: list[int]) -> list[Line]:
    lines: list[Line] = []
    previous: Line | None = None
    for (block, direction, vertical), start, end in zip(heads, ends, ends[1:], strict=False):
        text = found.text[start:end]
        if not text.strip():
            if not vertical:
                previous = None
            continue
        if (
            vertical
            and previous is not None
            and previous.block == block
            and found.boxes[start, 1] >= found.boxes[previous.end - 1, 1]
        ):
            # Vertical writing comes as lines of one character each.
            previous.end = end
            previous.text = found.text[previous.start : end]
            continue
        line = Line(block, direction, start, end, text)
        lines.append(line)
        previous = line if vertical else None
    return lines


def _shifted_back(text: str) -> str | None:
    """The text of a Latin font whose glyph numbers were taken for characters, or None if it is not so."""
    if len(text) < _SHORTEST or 10 * len(text.encode("ascii", "ignore")) < 9 * len(text):
        return None
    if any(word in _ENGLISH for word in text.lower().split()):
        return None
    moved = "".join(
        " " if char in " \n\x03" else chr(ord(char) + _SHIFT) if ord(char) < 0x80 - _SHIFT + 1 else char
        for char in text
    )
    words = moved.lower().split()
    # Of English words, a quarter to a third are among these few.
    known = sum(word.strip(".,;:()") in _ENGLISH for word in words)
    return moved if known >= 3 and known > 0.08 * len(words) else None
