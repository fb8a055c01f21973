"""What the parsing process says to its parent while it reads one file.

A file's messages are any number of :class:`PageRead` and :class:`ChunksRead`, ended by exactly one
:class:`ReadDone`. They are pickled, so they hold plain data only.
"""

from dataclasses import dataclass

from engine.documents import Chunk, Dropped, FileState, Page, Reason, SourceDocument


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page, as soon as it is read; pages come in order of their number."""

    page: Page


@dataclass(frozen=True, slots=True)
class ChunksRead:
    """Some of the document's chunks, in order of their ordinal."""

    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class ReadDone:
    """The end of a file. ``document`` is None when nothing could be read at all."""

    state: FileState
    reason: Reason | None = None
    document: SourceDocument | None = None
    dropped: tuple[Dropped, ...] = ()
    missing_pages: tuple[int, ...] = ()
    from_ocr: tuple[int, ...] = ()


ReadMessage = PageRead | ChunksRead | ReadDone
