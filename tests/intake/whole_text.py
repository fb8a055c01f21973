"""Cleaning and cutting of a text that is there as a whole; the product takes pages as they come."""

from collections.abc import Collection, Iterator, Sequence

from engine.documents import Chunk, Page, SourceDocument
from engine.intake.chunking.chunker import Chunker
from engine.intake.chunking.places import Places
from engine.intake.chunking.tokens import TokenCounter
from engine.intake.cleaning.clean_text import CleanText
from engine.intake.cleaning.cleaner import Cleaner
from engine.intake.cleaning.page_lines import PageLines
from engine.intake.cleaning.running_lines import RunningLines


def clean(pages: Sequence[Page], *, laid_out: bool, unusable: Collection[int] = ()) -> CleanText:
    """The running text of all ``pages``.

    ``laid_out``: the line ends are those of printed pages (PDF), not the author's. ``unusable`` are
    pages whose text says nothing, besides those that say so themselves.
    """
    cleaner = Cleaner()
    for lines in page_lines(pages, laid_out=laid_out):
        cleaner.add(lines, is_unusable=lines.page.unusable or lines.page.number in unusable)
    return cleaner.take()


def page_lines(pages: Sequence[Page], *, laid_out: bool) -> Iterator[PageLines]:
    """The lines of each page; those of laid-out pages know what runs along with the pages."""
    running = RunningLines()
    for page in pages:
        lines = PageLines(page, laid_out=laid_out)
        if laid_out:
            yield from running.push(lines)
        else:
            yield lines
    yield from running.finish()


def chunk(
    document: SourceDocument,
    clean: CleanText,
    content_hash: str,
    counter: TokenCounter,
    *,
    size: int,
    overlap: int,
    merge: int = 0,
    places: Places | None = None,
) -> Iterator[Chunk]:
    """The chunks of a text that is there as a whole; see :class:`Chunker`."""
    chunker = Chunker(document, content_hash, counter, size=size, overlap=overlap, merge=merge, places=places)
    yield from chunker.cut(clean)
