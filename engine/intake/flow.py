"""Pages in, chunks out, with only part of the document in memory.

A page waits until the pages behind it have told which of its lines run along (a look ahead of
:data:`~engine.intake.cleaning.running_lines.NEAR` pages), then until a block is full. A block ends between
two pages where no sentence and no table goes on; section path and ordinals are carried over its end.
"""

from collections.abc import Collection, Iterator

from engine.documents import Chunk, Dropped, Page, SourceDocument
from engine.intake.chunking import headings
from engine.intake.chunking.chunker import Chunker
from engine.intake.chunking.places import Places
from engine.intake.chunking.profiles import Profile
from engine.intake.chunking.tokens import TokenCounter
from engine.intake.cleaning.cleaner import Cleaner, reads_on
from engine.intake.cleaning.page_lines import PageLines
from engine.intake.cleaning.running_lines import RunningLines

BLOCK_PAGES, BLOCK_CHARACTERS = 64, 200_000
"""A block is full when it has so many pages or characters."""

_PATIENCE = 2
"""Times that size a block grows while every page goes on with the sentence of the page before."""

_UNTITLED = frozenset({"pdf", "text"})
"""Kinds whose headings are recognised by their form, as long as no loader names one."""

_SEEN_AS_NOTHING = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u2800")


class Flow:
    """Takes the pages of one document in order and gives its chunks.

    ``dropped`` and ``text_pages``, the pages that gave text, are complete when :meth:`finish` is.
    """

    def __init__(
        self, document: SourceDocument, content_hash: str, counter: TokenCounter, profile: Profile
    ) -> None:
        self.dropped: list[Dropped] = []
        self.text_pages: set[int] = set()
        self._laid_out = document.kind == "pdf"
        self._finds_headings = document.kind in _UNTITLED
        self._running = RunningLines()
        self._held: list[PageLines] = []
        self._characters = 0
        self._cleaner = Cleaner()
        self._places = Places(document.kind)
        self._chunker = Chunker(
            document,
            content_hash,
            counter,
            size=profile.size,
            overlap=profile.overlap,
            merge=profile.merge,
            places=self._places,
        )

    def add(self, page: Page) -> Iterator[Chunk]:
        """Take the next page; gives chunks when a block is full."""
        lines = PageLines(page, laid_out=self._laid_out)
        if not self._laid_out:
            yield from self._hold(lines)
            return
        for known in self._running.push(lines):
            yield from self._hold(known)

    def finish(self, unusable: Collection[int] = ()) -> Iterator[Chunk]:
        """The last chunks. ``unusable`` names pages that count as such although they did not say so.

        That is too late for pages whose chunks have been given.
        """
        for known in self._running.finish():
            yield from self._hold(known, unusable)
        yield from self._close(unusable)

    def _hold(self, lines: PageLines, unusable: Collection[int] = ()) -> Iterator[Chunk]:
        pages = max(len(self._held) / BLOCK_PAGES, self._characters / BLOCK_CHARACTERS)
        if pages >= _PATIENCE or (pages >= 1 and self._may_close(lines)):
            yield from self._close(unusable, more=True)
        self._held.append(lines)
        self._characters += len(lines.page.text)

    def _may_close(self, lines: PageLines) -> bool:
        """Whether a block may end in front of this page."""
        first = next(iter(lines.kept()), None)
        before = self._held[-1]
        last = max(before.kept(), default=None)
        if first is None or last is None:
            return False
        starts_table = any(
            table.start == table.header_end <= lines.spans[first][0] < table.end
            for table in lines.page.tables
        )
        return not (
            starts_table or headings.is_heading(before.text(last)) or reads_on(before, last, lines, first)
        )

    def _close(self, unusable: Collection[int], *, more: bool = False) -> Iterator[Chunk]:
        """The chunks of the pages that are held; ``more``: there are pages to come."""
        for lines in self._held:
            self._cleaner.add(lines, is_unusable=lines.page.unusable or lines.page.number in unusable)
            self._places.note(lines.page)
        self._held = []
        self._characters = 0
        text = self._cleaner.take(more=more)
        self.dropped += text.dropped
        if "".join(text.text.translate(_SEEN_AS_NOTHING).split()):
            self.text_pages.update(segment.page for segment in text.segments)
            # Once a loader has named a heading, it has named them all.
            self._finds_headings = self._finds_headings and not text.headings
            if self._finds_headings:
                text = headings.with_recognised(text)
            yield from self._chunker.cut(text, named=not self._finds_headings)
        self._places.forget()
