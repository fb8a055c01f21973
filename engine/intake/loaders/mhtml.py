"""Web pages saved as one MIME file by Chrome, Edge, Firefox or Internet Explorer (.mhtml, .mht, .htm)."""

from collections.abc import Iterator

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.encodings import decode
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source, mime
from engine.intake.loaders.html.page import declared_charset
from engine.intake.loaders.html.text import text_of

_PAGES = ("text/html", "application/xhtml+xml")


def read(source: Source) -> Iterator[LoadItem]:
    """The page, without the frames and pictures that were saved with it.

    Raises:
        LoadFailed: no page is in it.
        OSError: it cannot be read.
    """
    message = mime.parse(source.bytes())
    part = _root(message)
    if part is None:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "MHTML"}))
    data = mime.content(part)
    decoded = decode(data, mime.charset(part) or declared_charset(data[:4096]))
    page = text_of(decoded.text, from_the_web=True)
    title = page.title or mime.header(message, "subject")
    yield SourceDocument(
        "html", title or source.path.stem, title_from_name=not title, encoding=decoded.encoding
    )
    yield Page(1, page.text, headings=page.headings, tables=page.tables, code=page.code)
    if mime.is_cut_short(message):
        yield Missing(
            (1,), Reason("cut_short"), alone=(FileState.DAMAGED, Reason("damaged", {"detail": "MHTML"}))
        )


def _root(message: mime.Part) -> mime.Part | None:
    """The part that is the page itself: named by ``start``, standing at the page's address, or the first."""
    pages = [part for part in message.walk() if part.get_content_type() in _PAGES]
    start = str(message.get_param("start", "")).strip("<>")
    address = mime.header(message, "snapshot-content-location") or mime.header(message, "content-location")
    for part in pages:
        if start and mime.header(part, "content-id").strip("<>") == start:
            return part
    for part in pages:
        if address and mime.header(part, "content-location") == address:
            return part
    return pages[0] if pages else None
