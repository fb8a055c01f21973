"""The stored text of a document, whole: for readers that show it, and to find words in it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.commands import FindInDocument, ReadPages
from engine.documents import Heading, Page
from engine.errors import LibraryUnknown
from engine.events import DocumentSearched, Occurrence, PagesRead
from engine.index import rows
from engine.index.library import Library
from engine.intake import boxes
from engine.reader.finding import spans_of

MOST_OCCURRENCES = 2000


def read(command: ReadPages, library: Library) -> PagesRead:
    """The pages that the command names.

    Raises:
        LibraryUnknown: the library no longer holds this chunk.
    """
    pages = _pages(library, command.row)
    headings = _headings(library, command.row, pages)
    wanted = frozenset(command.numbers or (page.number for page in pages))
    chosen = (replace(page, headings=headings[page.number]) for page in pages if page.number in wanted)
    return PagesRead(command.task_id, command.row, tuple(chosen))


def find(command: FindInDocument, library: Library) -> DocumentSearched:
    """Every place of the words, at most :data:`MOST_OCCURRENCES`.

    Raises:
        LibraryUnknown: the library no longer holds this chunk.
    """
    found: list[Occurrence] = []
    for page in _pages(library, command.row):
        spans = spans_of(command.words, page.text)
        places: Sequence[Sequence[boxes.Rect]] = [()] * len(spans)
        if spans and page.boxes is not None and page.size is not None:
            places = boxes.rects_of_each(page.boxes, page.size, spans)
        found += [
            Occurrence(page.number, start, end, tuple(rects))
            for (start, end), rects in zip(spans, places, strict=True)
        ]
        if len(found) > MOST_OCCURRENCES:
            return DocumentSearched(command.task_id, tuple(found[:MOST_OCCURRENCES]), is_cut=True)
    return DocumentSearched(command.task_id, tuple(found))


def _pages(library: Library, row: int) -> list[Page]:
    stored = library.db.execute(
        f"SELECT {rows.PAGE_COLUMNS} FROM pages"
        " WHERE document_id = (SELECT document_id FROM chunks WHERE id = ?) ORDER BY number",
        (row,),
    )
    pages = [rows.stored_page(each) for each in stored]
    if not pages:
        raise LibraryUnknown(name=library.name)
    return pages


def _headings(library: Library, row: int, pages: Sequence[Page]) -> dict[int, tuple[Heading, ...]]:
    """Headings by page: pages store none, but each chunk knows the path of those that it stands under."""
    stored = library.db.execute(
        rows.CHUNK_QUERY + " WHERE c.document_id = (SELECT document_id FROM chunks WHERE id = ?)"
        " ORDER BY c.ordinal",
        (row,),
    )
    texts = {page.number: page.text for page in pages}
    found: dict[int, list[Heading]] = {number: [] for number in texts}
    at = (pages[0].number, 0)
    before: tuple[str, ...] = ()
    for each in stored:
        chunk = rows.stored_chunk(each, {}).chunk
        last = chunk.spans[-1]
        for level, heading in enumerate(chunk.section, 1):
            if chunk.section[:level] == before[:level]:
                continue
            place = _line_of(heading, texts, at, (last.page, last.end))
            if place is not None:
                found[place[0]].append(Heading(place[1], level, heading))
                at = (place[0], place[1] + len(heading))
        before = chunk.section
    return {number: tuple(headings) for number, headings in found.items()}


def _line_of(
    heading: str, texts: dict[int, str], start: tuple[int, int], end: tuple[int, int]
) -> tuple[int, int] | None:
    """Page and offset of the first line that says ``heading`` and nothing else, between two places.

    Blanks within a heading may be others than those of the line, and long ones run over two lines.
    """
    words = r"\s*".join(map(re.escape, heading.split()))
    line = re.compile(rf"^[ \t\u3000]*{words}[ \t\u3000]*$", re.MULTILINE)
    for number in range(start[0], end[0] + 1):
        text = texts.get(number, "")
        until = end[1] if number == end[0] else len(text)
        if found := line.search(text, start[1] if number == start[0] else 0, until):
            return number, found.start()
    return None
