"""Saved web pages. Their encoding is decided here, so that no parser guesses it."""

import re
from collections.abc import Iterator

from engine.documents import Page, SourceDocument
from engine.intake.loaders import LoadItem, Source
from engine.intake.loaders.html.text import text_of
from engine.intake.loaders.text import decode_file

_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w-]+)", re.I
)


def read(source: Source) -> Iterator[LoadItem]:
    """Raises LoadFailed for bytes that are no text, OSError where the file cannot be read."""
    with source.open() as stream:
        declared = declared_charset(stream.read(4096))
    decoded = decode_file(source, declared)
    page = text_of(decoded.text, from_the_web=True)
    title = page.title or next((heading.text for heading in page.headings if heading.level == 1), "")
    yield SourceDocument(
        "html", title or source.path.stem, title_from_name=not title, encoding=decoded.encoding
    )
    yield Page(1, page.text, headings=page.headings, tables=page.tables, code=page.code)


def declared_charset(head: bytes) -> str | None:
    """The page's own word for its encoding."""
    match = _CHARSET.search(head)
    return (match[1] or match[2]).decode("ascii", "replace") if match else None
