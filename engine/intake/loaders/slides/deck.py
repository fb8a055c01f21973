"""Presentations, read from their XML: a page a slide, with its tables, charts, diagrams and notes.

python-pptx refuses a whole deck for one broken relationship and loads every film in it; here a slide
that cannot be read costs that slide only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.documents import FileState, Heading, Page, Reason, SourceDocument
from engine.intake.encodings import safe
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source
from engine.intake.loaders.lines import Lines
from engine.intake.loaders.ooxml import (
    BrokenPart,
    Package,
    below,
    child_of,
    core_properties,
    holds_han,
    name_of,
    number_of,
    value_of,
)
from engine.intake.loaders.slides.shapes import (
    TITLES,
    Place,
    Slide,
    body_lines,
    in_reading_order,
    inherited_place,
    place_of,
    placeholder_of,
    shapes_of,
    write_shapes,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_PRESENTATION = "ppt/presentation.xml"
_SLIDE_PART = re.compile(r"ppt/slides/slide(\d+)\.xml", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"(?:microsoft )?(?:powerpoint|wps)? ?(?:presentation|演示文稿?|幻灯片|slide|title|标题|untitled"
    r"|无标题|未命名)[\s\d]*|.*\.(?:pptx?|ppsx?|dps|potx?)|(?:office theme|office 主题|powerpoint|wps)",
    re.IGNORECASE,
)
_NOTES = {True: "备注：", False: "Notes:"}
_COMMENT = {True: "批注：", False: "Comment: "}
_PICTURE_COVERS = 0.5
_USUAL_AREA = 12192000 * 6858000


@dataclass(frozen=True, slots=True)
class _Read:
    page: Page
    broken: bool = False
    is_picture: bool = False


def read(source: Source) -> Iterator[LoadItem]:
    """One page a slide, hidden ones too, in the order of the presentation.

    Raises:
        LoadFailed: no slide can be read, or the deck has none.
    """
    with Package(source) as package:
        parts, area = _slides(package)
        if not parts:
            raise LoadFailed(FileState.EMPTY, Reason("no_text"))
        han = any(holds_han(text) for text in _texts(package, parts))
        deck = _Deck(package, area, han=han)
        slides = [deck.slide(number, part) for number, part in enumerate(parts, 1)]
        properties = core_properties(package)
    title = " ".join(str(properties.get("title", "")).split())
    if not title or _SAYS_NOTHING.fullmatch(title):
        title = next((heading.text for heading in slides[0].page.headings), "")
    yield SourceDocument("slides", title or source.path.stem, title_from_name=not title, metadata=properties)
    yield from (slide.page for slide in slides)
    missing = _missing(slides)
    if missing is not None:
        yield missing


def _slides(package: Package) -> tuple[list[str | None], int]:
    """The parts of the slides in order, None for one that is listed but not there; and a slide's area."""
    try:
        root = package.root(_PRESENTATION)
    except BrokenPart:
        # Its order is lost; the names are numbered in the order in which slides were made.
        found = [(int(match[1]), name) for name in package.names() if (match := _SLIDE_PART.fullmatch(name))]
        return [name for _, name in sorted(found)], _USUAL_AREA
    relations = package.relations(_PRESENTATION)
    parts: list[str | None] = []
    for entry in below(child_of(root, "sldIdLst"), "sldId"):
        # The entry has two attributes called id; the relationship's is the one with a namespace.
        key = next((str(value) for name, value in entry.attrib.items() if str(name).endswith("}id")), "")
        relation = relations.get(key)
        parts.append(relation.part if relation is not None else None)
    size = child_of(root, "sldSz")
    area = number_of(value_of(size, "cx")) * number_of(value_of(size, "cy"))
    return parts, area if area > 0 else _USUAL_AREA


def _texts(package: Package, parts: list[str | None]) -> Iterator[str]:
    for part in parts:
        for item in below(package.root_or_none(part), "t"):
            yield item.text or ""


class _Deck:
    """Reads slides; remembers where the placeholders of its layouts stand."""

    def __init__(self, package: Package, area: int, *, han: bool) -> None:
        self._package = package
        self._area = area
        self._han = han
        self._places: dict[str, dict[tuple[str, str], Place]] = {}

    def slide(self, number: int, part: str | None) -> _Read:
        location = {"slide": number}
        tree = None
        if part is not None:
            root = self._package.root_or_none(part)
            tree = child_of(root, "cSld", "spTree")
        if part is None or tree is None:
            return _Read(Page(number, "", location=location), broken=True)
        slide = Slide(self._package, self._package.relations(part))
        layout = next((item.part for item in slide.relations.values() if item.type == "slideLayout"), None)
        slide.inherited = self._layout_places(layout)
        lines = Lines()
        shapes = in_reading_order(tree, slide.inherited)
        for shape in shapes:
            key = placeholder_of(shape)
            if key is not None and key[0] in TITLES:
                lines.heading(1, _title(shape))
        headings: list[Heading] = list(lines.headings[:1])
        lines.headings = headings
        write_shapes([shape for shape in shapes if not _is_title(shape)], slide, lines, han=self._han)
        shown = lines.text()
        self._notes(slide, lines)
        page = Page(
            number, lines.text(), location=location, headings=tuple(headings), tables=tuple(lines.tables)
        )
        is_picture = not shown and slide.pictured >= self._area * _PICTURE_COVERS
        return _Read(page, slide.broken, is_picture)

    def _notes(self, slide: Slide, lines: Lines) -> None:
        """What stands below the slide in the presenter's view, and what reviewers wrote."""
        for relation in slide.relations.values():
            if relation.type not in ("notesSlide", "comments"):
                continue
            try:
                root = self._package.root(relation.part)
            except BrokenPart:
                slide.broken = True
                continue
            if relation.type == "comments":
                self._comments(root, lines)
                continue
            notes = Lines()
            inner = Slide(self._package, self._package.relations(relation.part))
            write_shapes(list(shapes_of(child_of(root, "cSld", "spTree"))), inner, notes, han=self._han)
            if text := notes.text().strip("\n"):
                lines.gap()
                lines.put(_NOTES[self._han or holds_han(text)])
                lines.add(text)

    def _comments(self, root: "Element", lines: Lines) -> None:
        for comment in below(root, "cm", "reply"):
            said, body = child_of(comment, "text"), child_of(comment, "txBody")
            text = " ".join(body_lines(body)) if body is not None else ""
            if said is not None:
                text = said.text or ""
            if flat := " ".join(safe(text).split()):
                lines.put(_COMMENT[self._han] + flat)

    def _layout_places(self, layout: str | None) -> dict[tuple[str, str], Place]:
        """Where a layout puts its placeholders; for those that it does not place, where its master does."""
        if layout is None:
            return {}
        if layout not in self._places:
            relations = self._package.relations(layout).values()
            master = next((item.part for item in relations if item.type == "slideMaster"), None)
            above = self._own_places(master, {})
            self._places[layout] = self._own_places(layout, above)
        return self._places[layout]

    def _own_places(
        self, part: str | None, above: dict[tuple[str, str], Place]
    ) -> dict[tuple[str, str], Place]:
        root = self._package.root_or_none(part)
        places: dict[tuple[str, str], Place] = {}
        for shape in shapes_of(child_of(root, "cSld", "spTree")):
            key = placeholder_of(shape)
            place = place_of(shape) or (inherited_place(above, key) if key is not None else None)
            if key is not None and place is not None:
                places[key] = place
        return places


def _is_title(shape: "Element") -> bool:
    key = placeholder_of(shape)
    return key is not None and key[0] in TITLES


def _title(shape: "Element") -> str:
    body = child_of(shape, "txBody")
    return " ".join(body_lines(body)) if body is not None and name_of(shape) == "sp" else ""


def _missing(slides: list[_Read]) -> Missing | None:
    """The slides that could not be read, or whose only content is a picture."""
    total = len(slides)
    broken = [slide.page.number for slide in slides if slide.broken]
    pictures = [slide.page.number for slide in slides if slide.is_picture]
    pages = tuple(sorted({*broken, *pictures}))
    if not pages:
        return None
    if len(broken) >= len(pictures):
        reason = Reason("pages_damaged", {"pages": total, "missing": len(pages)})
        return Missing(pages, reason, alone=(FileState.DAMAGED, Reason("damaged", {"detail": "PowerPoint"})))
    reason = Reason("pages_scanned", {"pages": total, "missing": len(pages)})
    return Missing(pages, reason, alone=(FileState.NEEDS_OCR, Reason("pictures_only")))
