"""From what the engine has stored of a document to what the readers of text show."""

from collections.abc import Sequence

from desktop.reader.outline import OutlineEntry
from desktop.reader.text_part import TextPart
from desktop.words import location_words, page_words
from engine.documents import Page
from engine.events import MarkedPage, PassageLocated

MOST_CHARACTERS = 500_000
"""So much text is laid out at once; of a longer document the pages around the passage are shown."""


def first_page(found: PassageLocated) -> MarkedPage | None:
    """The page that is shown first."""
    marked = (page for page in found.pages if page.spans)
    return next(marked, found.pages[0] if found.pages else None)


def marked_parts(found: PassageLocated) -> list[TextPart]:
    """The pages that hold the passage."""
    named = found.kind == "pdf" and len(found.pages) > 1
    return [
        TextPart(
            page.text, page.spans, page_words(page.number, page.label) if named else "", page.passage_spans
        )
        for page in found.pages
    ]


def whole_parts(found: PassageLocated, pages: Sequence[Page]) -> tuple[list[TextPart], list[OutlineEntry]]:
    """The document, with its outline: places are the number of a part and an offset in its text."""
    marks = {page.number: page for page in found.pages}
    parts: list[TextPart] = []
    entries: list[OutlineEntry] = []
    for page in _around(pages, first_page(found)):
        mark = marks.get(page.number)
        headings = [heading for heading in page.headings if heading.text.strip()]
        entries += [OutlineEntry(each.level, each.text, (len(parts), each.offset)) for each in headings]
        parts.append(
            TextPart(
                page.text,
                mark.spans if mark else (),
                _heading(found.kind, page) if len(pages) > 1 else "",
                mark.passage_spans if mark else (),
                headings,
                page.location,
            )
        )
    return parts, entries


def _heading(kind: str, page: Page) -> str:
    if kind == "pdf":
        return page_words(page.number, page.label)
    return location_words(page.location) if kind == "slides" else ""


def _around(pages: Sequence[Page], wanted: MarkedPage | None) -> Sequence[Page]:
    """All pages, or as many before and after the wanted one as may be shown at once."""
    if sum(len(page.text) for page in pages) <= MOST_CHARACTERS:
        return pages
    number = wanted.number if wanted is not None else 1
    middle = next((at for at, page in enumerate(pages) if page.number == number), 0)
    first, last, used = middle, middle + 1, len(pages[middle].text)
    while used < MOST_CHARACTERS and (first > 0 or last < len(pages)):
        if first > 0:
            first -= 1
            used += len(pages[first].text)
        if last < len(pages):
            used += len(pages[last].text)
            last += 1
    return pages[first:last]
