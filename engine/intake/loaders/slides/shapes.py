"""The shapes of a slide in reading order, and the text of each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.intake.encodings import safe
from engine.intake.loaders.lines import Lines
from engine.intake.loaders.numerals import numeral
from engine.intake.loaders.ooxml import (
    BrokenPart,
    Package,
    Relation,
    below,
    child_of,
    described,
    name_of,
    number_of,
    shown_alternative,
    value_of,
)
from engine.intake.loaders.ooxml_figures import write_figure

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SHAPES = frozenset({"sp", "grpSp", "graphicFrame", "pic", "cxnSp", "contentPart"})
TITLES = frozenset({"title", "ctrTitle"})
_REPEATED = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})
"""Placeholders that say the same on every slide."""

_FIELDS_LEFT_OUT = ("slidenum", "datetime")
_AUTO_NUMBERS = {
    "arabic": "decimal", "roman": "Roman", "alpha": "Letter", "circleNum": "decimalEnclosedCircle",
    "ea1Chs": "chineseCounting", "ea1Cht": "chineseCounting", "ea1Jpn": "japaneseCounting",
}  # fmt: skip
_AUTO_NUMBER = re.compile(
    r"(arabic|roman|alpha|circleNum|ea1[A-Z][a-z]{2})(?:Chs|Kor)?(Lc|Uc)?(?:Db|WdWhite|WdBlack)?(\w*)"
)
PICTURE = {True: "图片说明：", False: "Picture: "}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a shape stands on its slide, in EMU."""

    left: int
    top: int
    width: int
    height: int


@dataclass(slots=True)
class Slide:
    """What the shapes of a slide need to be read: its package, relationships and inherited places."""

    package: Package
    relations: dict[str, Relation]
    inherited: dict[tuple[str, str], Place] = field(default_factory=dict)
    broken: bool = False
    """Whether something of the slide could not be read."""
    pictured: int = 0
    """The area that pictures cover, in EMU²."""


def in_reading_order(tree: "Element", inherited: dict[tuple[str, str], Place]) -> list["Element"]:
    """The shapes of a tree: titles first, then row by row; what stands side by side from left to right.

    A shape without a place of its own takes its placeholder's; one that has neither keeps its turn
    after the one before it.
    """
    titles: list[Element] = []
    placed: list[tuple[Place, Element]] = []
    last = Place(0, 0, 0, 0)
    for shape in shapes_of(tree):
        key = placeholder_of(shape)
        if key is not None and key[0] in TITLES:
            titles.append(shape)
            continue
        last = place_of(shape) or (inherited_place(inherited, key) if key is not None else None) or last
        placed.append((last, shape))
    return titles + [shape for _, shape in _rows(placed)]


def _rows(placed: Sequence[tuple[Place, "Element"]]) -> list[tuple[Place, "Element"]]:
    result: list[tuple[Place, Element]] = []
    row: list[tuple[Place, Element]] = []
    # Sorting is stable: shapes at one place stay in the order in which they are drawn.
    for place, shape in sorted(placed, key=lambda item: (item[0].top, item[0].left)):
        if row:
            first = row[0][0]
            shared = min(first.top + first.height, place.top + place.height) - place.top
            if shared * 2 < min(first.height, place.height) or shared <= 0:
                result += sorted(row, key=lambda item: item[0].left)
                row = []
        row.append((place, shape))
    return result + sorted(row, key=lambda item: item[0].left)


def shapes_of(tree: "Element | None") -> Iterator["Element"]:
    """The shapes directly in a tree or group, in the order in which they are drawn."""
    for child in () if tree is None else tree:
        if name_of(child) == "AlternateContent":
            yield from shapes_of(shown_alternative(child))
        elif name_of(child) in _SHAPES:
            yield child


def placeholder_of(shape: "Element") -> tuple[str, str] | None:
    """Type and index of the placeholder that a shape fills."""
    for part in shape:
        if name_of(part).startswith("nv"):
            mark = child_of(part, "nvPr", "ph")
            if mark is not None:
                return value_of(mark, "type") or "obj", value_of(mark, "idx") or "0"
    return None


def place_of(shape: "Element") -> Place | None:
    frame = child_of(shape, "xfrm")
    for properties in ("spPr", "grpSpPr"):
        if frame is None:
            frame = child_of(shape, properties, "xfrm")
    offset, extent = child_of(frame, "off"), child_of(frame, "ext")
    if offset is None:
        return None
    return Place(
        number_of(value_of(offset, "x")),
        number_of(value_of(offset, "y")),
        number_of(value_of(extent, "cx")),
        number_of(value_of(extent, "cy")),
    )


def inherited_place(places: dict[tuple[str, str], Place], key: tuple[str, str]) -> Place | None:
    """The place of the layout's placeholder of that index, else of the first of that type."""
    if key in places:
        return places[key]
    by_index = next((place for (_, index), place in places.items() if index == key[1] != "0"), None)
    return by_index or next((place for (kind, _), place in places.items() if kind == key[0]), None)


def write_shapes(shapes: Sequence["Element"], slide: Slide, lines: Lines, *, han: bool) -> None:
    """Write the text of each shape, groups at any depth included."""
    for shape in shapes:
        key = placeholder_of(shape)
        if key is not None and key[0] in _REPEATED:
            continue
        kind = name_of(shape)
        if kind == "grpSp":
            write_shapes(in_reading_order(shape, slide.inherited), slide, lines, han=han)
            continue
        if kind == "graphicFrame":
            _graphic(shape, slide, lines, han=han)
        body = child_of(shape, "txBody")
        if body is not None:
            for line in body_lines(body):
                lines.put(line)
        place = place_of(shape)
        if place is not None and (kind == "pic" or child_of(shape, "spPr", "blipFill") is not None):
            slide.pictured += place.width * place.height
        if text := _alternative_text(shape):
            lines.put(PICTURE[han] + text)


def _graphic(frame: "Element", slide: Slide, lines: Lines, *, han: bool) -> None:
    data = child_of(frame, "graphic", "graphicData")
    table = child_of(data, "tbl")
    if table is not None:
        rows = [row for row in table if name_of(row) == "tr"]
        texts = [list(_cells(row)) for row in rows]
        lines.table(texts, header=1 if len(texts) > 1 else 0)
        return
    try:
        if data is not None:
            write_figure(data, slide.package, slide.relations, lines, han=han)
    except BrokenPart:
        slide.broken = True


def _cells(row: "Element") -> Iterator[str]:
    for cell in row:
        if name_of(cell) != "tc" or value_of(cell, "hMerge") in ("1", "true"):
            continue
        # A cell merged downwards has its text in its first row only.
        goes_on = value_of(cell, "vMerge") in ("1", "true")
        body = child_of(cell, "txBody")
        yield "" if goes_on or body is None else " ".join(" ".join(body_lines(body)).split())


def _alternative_text(shape: "Element") -> str:
    for part in shape:
        if name_of(part).startswith("nv"):
            properties = child_of(part, "cNvPr")
            return safe(described(value_of(properties, "descr")))
    return ""


def body_lines(body: "Element") -> Iterator[str]:
    """The paragraphs of a shape's text, with their automatic numbers, a line each."""
    counts: dict[int, int] = {}
    for paragraph in body:
        if name_of(paragraph) != "p":
            continue
        properties = child_of(paragraph, "pPr")
        level = number_of(value_of(properties, "lvl"))
        lines = [" ".join(line.split()) for line in safe(_inline(paragraph)).split("\n")]
        lines = [line for line in lines if line]
        numbering = child_of(properties, "buAutoNum")
        if lines:
            if numbering is not None:
                start = max(1, number_of(value_of(numbering, "startAt"), 1))
                counts[level] = counts.get(level, start - 1) + 1
                lines[0] = _label(counts[level], value_of(numbering, "type") or "") + lines[0]
            else:
                counts.pop(level, None)
            counts = {depth: count for depth, count in counts.items() if depth <= level}
        yield from lines


def _label(value: int, kind: str) -> str:
    match = _AUTO_NUMBER.match(kind)
    if match is None:
        return f"{value}. "
    base, case, style = match.groups()
    form = _AUTO_NUMBERS.get(base, "decimal")
    if form in ("Roman", "Letter"):
        form = ("upper" if case == "Uc" else "lower") + form
    number = numeral(value, form)
    marks = {"Period": "{}. ", "ParenR": "{}) ", "ParenBoth": "({}) "}
    if form.endswith("Counting"):
        marks["Period"] = "{}、"
    return marks.get(style, "{} ").format(number)


def _inline(paragraph: "Element") -> str:
    parts: list[str] = []
    for child in paragraph:
        name = name_of(child)
        if name == "br":
            parts.append("\n")
        elif name == "AlternateContent":
            shown = shown_alternative(child)
            parts += [item.text or "" for item in below(shown, "t")]
        elif name == "fld" and (value_of(child, "type") or "").lower().startswith(_FIELDS_LEFT_OUT):
            continue
        else:
            # Runs and fields; formulas have their letters in elements of the same name.
            parts += [item.text or "" for item in below(child, "t")]
    return "".join(parts)
