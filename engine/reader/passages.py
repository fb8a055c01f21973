"""From a chunk to what a reader shows: pages with rectangles, or text with spans."""

from collections import defaultdict
from collections.abc import Sequence

from engine.commands import LocatePassage
from engine.documents import PageSpan
from engine.errors import LibraryUnknown
from engine.events import MarkedPage, PassageLocated
from engine.index.library import Library
from engine.intake import boxes


def locate(command: LocatePassage, library: Library, passwords: Sequence[str] = ()) -> PassageLocated:
    """Pages and marks of a chunk, or of the narrower spans that the command names and the chunk around them.

    Rectangles come from the glyph boxes stored when the page was read; nothing is searched for. Where the
    file has gone or changed, a copy that has not is shown.

    Raises:
        LibraryUnknown: the library no longer holds this chunk.
    """
    stored = library.chunks([command.row]).get(command.row)
    if stored is None:
        raise LibraryUnknown(name=library.name)
    asked = tuple(PageSpan(*span) for span in command.spans)
    inner = _by_page(asked or stored.chunk.spans)
    outer = _by_page(stored.chunk.spans if asked else ())
    pages = []
    for page in library.pages(command.row, sorted({*inner, *outer})):
        marks, passage = tuple(inner[page.number]), tuple(outer[page.number])
        rects: tuple[tuple[float, float, float, float], ...] = ()
        passage_rects = rects
        if page.boxes is not None and page.size is not None:
            rects = tuple(boxes.rects(page.boxes, page.size, marks))
            passage_rects = tuple(boxes.rects(page.boxes, page.size, passage))
        pages.append(
            MarkedPage(
                page.number, page.label, page.text, marks, page.size, rects, page.confidence, passage,
                passage_rects,
            )
        )  # fmt: skip
    places = library.places(command.row)
    shown = next((place for place in places if place.is_as_read), places[0])
    return PassageLocated(
        command.task_id, library.name, shown.document, shown.file, stored.kind, stored.title, tuple(pages),
        not shown.is_as_read, tuple(passwords) if stored.kind == "pdf" else (),
        _from_ocr(library, command.row),
    )  # fmt: skip


def _by_page(spans: Sequence[PageSpan]) -> dict[int, list[tuple[int, int]]]:
    by_page: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for span in spans:
        by_page[span.page].append((span.start, span.end))
    return by_page


def _from_ocr(library: Library, row: int) -> tuple[int, ...]:
    found = library.db.execute(
        "SELECT number FROM pages WHERE from_ocr"
        " AND document_id = (SELECT document_id FROM chunks WHERE id = ?) ORDER BY number",
        (row,),
    )
    return tuple(number for (number,) in found)
