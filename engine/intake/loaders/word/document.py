"""Word documents, read from their XML: python-docx leaves out insertions, controls and text boxes.

It also refuses macro and Strict files; the few elements that carry text are quickly read directly.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source
from engine.intake.loaders.ooxml import (
    BrokenPart,
    Package,
    Relation,
    below,
    child_of,
    core_properties,
    holds_han,
    name_of,
    value_of,
)
from engine.intake.loaders.word.body import Surroundings, Writer
from engine.intake.loaders.word.numbering import Numbering
from engine.intake.loaders.word.text import without_page_numbers

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DOCUMENT = "word/document.xml"
_HEADING_NAME = re.compile(r"(?:heading|标题) ?([1-9])$", re.IGNORECASE)
_NO_WORDS = re.compile(r"(?:[\W\d_]|[第页頁共]|page|of)*", re.IGNORECASE)
_NOTE_PARTS = ("word/footnotes.xml", "word/endnotes.xml", "word/comments.xml")
_PICTURES = ("blip", "imagedata")


def read(source: Source) -> Iterator[LoadItem]:
    """One page: running text has no pages before it is printed.

    Raises:
        LoadFailed: the document's own part cannot be read, or it holds pictures only.
    """
    with Package(source) as package:
        try:
            document = package.root(_DOCUMENT)
        except BrokenPart as exc:
            raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "Word"})) from exc
        body = child_of(document, "body")
        body = document if body is None else body
        styles = package.root_or_none("word/styles.xml")
        around = Surroundings(
            package,
            package.relations(_DOCUMENT),
            Numbering(package.root_or_none("word/numbering.xml"), styles),
            {},
            han=any(holds_han(item.text or "") for item in below(body, "t")),
        )
        _collect_notes(around)
        writer = Writer(around, _heading_styles(styles))
        _margins(body, "headerReference", writer, around)
        writer.blocks(body)
        _margins(body, "footerReference", writer, around)
        properties = core_properties(package)
    text = writer.lines.text()
    if not text.strip() and any(True for _ in below(body, *_PICTURES)):
        raise LoadFailed(FileState.NEEDS_OCR, Reason("pictures_only"))
    headings = tuple(writer.lines.headings)
    title = writer.title or next((heading.text for heading in headings if heading.level == 1), "")
    yield SourceDocument("word", title or source.path.stem, title_from_name=not title, metadata=properties)
    yield Page(1, text, headings=headings, tables=tuple(writer.lines.tables))
    if around.broken:
        parts = ", ".join(sorted({part.rpartition("/")[2] for part in around.broken}))
        damaged = FileState.DAMAGED, Reason("damaged", {"detail": "Word"})
        yield Missing((1,), Reason("parts_damaged", {"parts": parts}), alone=damaged)


def _collect_notes(around: Surroundings) -> None:
    for name in _NOTE_PARTS:
        if not around.package.has(name):
            continue
        try:
            for note in around.package.root(name):
                around.notes[f"{name_of(note)}{value_of(note, 'id')}"] = note
        except BrokenPart:
            around.broken.append(name)


def _margins(body: "Element", kind: str, writer: Writer, around: Surroundings) -> None:
    """The headers (or footers) of all sections, each text once: above and below all that they frame."""
    relations = around.relations
    shown: dict[str, Relation] = {}
    for reference in below(body, kind):
        relation = relations.get(value_of(reference, "id") or "")
        if relation is not None:
            shown.setdefault(relation.part, relation)
    said: list[str] = []
    for part in shown:
        try:
            root = without_page_numbers(around.package.root(part))
        except BrokenPart:
            around.broken.append(part)
            continue
        inner = Writer(replace(around, relations=around.package.relations(part), notes={}), {})
        inner.blocks(root)
        said += [line for line in inner.lines.text().split("\n") if not _NO_WORDS.fullmatch(line)]
    if said:
        writer.lines.gap()
        for line in dict.fromkeys(said):
            writer.lines.put(line)
        writer.lines.gap()


def _heading_styles(styles: "Element | None") -> dict[str, int | str]:
    """Style id → heading level from 1, or the word title."""
    levels: dict[str, int | str] = {}
    based: dict[str, str] = {}
    for style in () if styles is None else styles:
        style_id = value_of(style, "styleId")
        if name_of(style) != "style" or not style_id:
            continue
        name = value_of(child_of(style, "name")) or ""
        outline = value_of(child_of(style, "pPr", "outlineLvl"))
        match = _HEADING_NAME.match(name)
        if name.lower() in ("title", "标题"):
            levels[style_id] = "title"
        elif match:
            levels[style_id] = int(match[1])
        elif outline is not None and outline.isdecimal() and int(outline) < 9:
            levels[style_id] = int(outline) + 1
        elif (parent := value_of(child_of(style, "basedOn"))) is not None:
            based[style_id] = parent
    for style_id, parent in based.items():
        for _ in range(12):
            if parent in levels:
                levels[style_id] = levels[parent]
                break
            parent = based.get(parent, "")
    return levels
