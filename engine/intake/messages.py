"""What the parsing process is asked for, and what it says to its parent while it reads one file.

The answer to either request is any number of :class:`PageRead` and :class:`ChunksRead`, ended by exactly
one :class:`ReadDone`. Chunks come between pages, as soon as a block of pages is closed, so that no more than
a block is in memory. All are pickled, so they hold plain data only.
"""

from dataclasses import dataclass, field
from pathlib import Path

from engine.documents import Chunk, Dropped, FileState, Page, Reason, SourceDocument


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Read a file into pages and chunks. ``content_hash`` (SHA-256, hex) is part of the chunks' ids.

    ``passwords`` are tried on a file that is encrypted; ``recognised`` are pages that OCR has read already
    and that take the place of the file's own.
    """

    path: Path
    content_hash: str
    passwords: tuple[str, ...] = field(default=(), repr=False)
    recognised: tuple[Page, ...] = ()


@dataclass(frozen=True, slots=True)
class RecognisePages:
    """Read these pages (from 1) of a file by OCR; answered by one :class:`PageRead` a page."""

    path: Path
    pages: tuple[int, ...]
    passwords: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page, as soon as it is read; pages come in order of their number."""

    page: Page


@dataclass(frozen=True, slots=True)
class ChunksRead:
    """Some of the document's chunks, in order of their ordinal; their pages have been sent before.

    They count only when the file ends ``indexed`` or ``partial``. In any other state (a file that breaks
    off, a document whose every page turns out to be a stamp on a picture) what was sent is thrown away.
    """

    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class ReadDone:
    """The end of a file. ``document`` is None when nothing could be read at all.

    ``recognisable`` are pages whose text OCR may still find.
    """

    state: FileState
    reason: Reason | None = None
    document: SourceDocument | None = None
    dropped: tuple[Dropped, ...] = ()
    missing_pages: tuple[int, ...] = ()
    from_ocr: tuple[int, ...] = ()
    recognisable: tuple[int, ...] = ()


ReadRequest = ReadFile | RecognisePages
ReadMessage = PageRead | ChunksRead | ReadDone
