"""E-books (.epub): a page a chapter, in the order in which the book is read."""

from collections.abc import Iterator

from engine.documents import FileState, Heading, Page, Reason, SourceDocument
from engine.intake.encodings import decode
from engine.intake.loaders import LoadItem, Missing, Source
from engine.intake.loaders.ebook.package import Book, open_book
from engine.intake.loaders.html.page import declared_charset
from engine.intake.loaders.html.text import PageText, text_of
from engine.intake.loaders.ooxml import BrokenPart, Package


def read(source: Source) -> Iterator[LoadItem]:
    """Parts outside the main line (``linear="no"``: covers, notes) stay where the book lists them.

    Raises:
        LoadFailed: the book is damaged or locked.
        OSError: it cannot be read.
    """
    with Package(source) as package:
        book = open_book(package)
        title = book.title
        yield SourceDocument(
            "ebook", title or source.path.stem, title_from_name=not title, metadata=book.metadata
        )
        number = 0
        chapter = ""
        broken: list[int] = []
        for name in book.chapters:
            try:
                page = _chapter(package.read(name))
            except BrokenPart:
                page = None
            if page is not None and (not page.text or (name in book.contents and _only_links(page, book))):
                chapter = book.labels.get(name, chapter)
                continue
            number += 1
            if page is None:
                broken.append(number)
                page = PageText("", (), (), (), "")
            # What has no entry of its own goes on with the chapter before it.
            own = page.headings[0].text if page.headings else ""
            label = book.labels.get(name) or own
            chapter = label or chapter
            headings = page.headings
            if label and not headings and page.text.startswith(label + "\n"):
                headings = (Heading(0, 1, label),)  # set as a paragraph in large letters
            location = {"chapter": chapter} if chapter else None
            yield Page(
                number, page.text, location=location, headings=headings, tables=page.tables, code=page.code
            )
    if broken:
        reason = Reason("pages_damaged", {"pages": number, "missing": len(broken)})
        yield Missing(tuple(broken), reason, alone=(FileState.DAMAGED, Reason("damaged", {"detail": "EPUB"})))


def _chapter(data: bytes) -> PageText:
    return text_of(decode(data, declared_charset(data[:1024])).text)


def _only_links(page: PageText, book: Book) -> bool:
    """Whether a table of contents says nothing besides the names of the chapters."""
    rest = page.text
    names = {*book.labels.values(), *(heading.text for heading in page.headings)}
    for label in sorted(names, key=len, reverse=True):
        rest = rest.replace(label, "")
    return len("".join(char for char in rest if char.isalpha())) < 20
