"""One file from its bytes to pages and chunks: what the parsing process does for each request."""

import logging
from collections.abc import Iterator
from pathlib import Path

from engine.config import Settings
from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.chunking import chunk
from engine.intake.cleaning import clean
from engine.intake.loaders import LoadFailed, Missing, load
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadMessage
from engine.intake.tokens import TokenCounter, embedder_tokens

log = logging.getLogger(__name__)

_CHUNKS_A_MESSAGE = 16
_SEEN_AS_NOTHING = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u2800")


def read(
    path: Path, content_hash: str, settings: Settings, counter: TokenCounter | None = None
) -> Iterator[ReadMessage]:
    """Pages as they are read, then chunks, then exactly one :class:`ReadDone`. Never raises.

    ``content_hash`` is part of the chunks' ids; ``counter`` defaults to the shipped embedder's.
    """
    pages: list[Page] = []
    document: SourceDocument | None = None
    missing: Missing | None = None
    try:
        for item in load(path):
            if isinstance(item, SourceDocument):
                document = item
            elif isinstance(item, Missing):
                missing = item
            else:
                pages.append(item)
                yield PageRead(item)
        if document is None:
            raise LoadFailed(FileState.EMPTY, Reason("no_text"))
        yield from _finish(document, pages, missing, content_hash, settings, counter or embedder_tokens())
    except LoadFailed as exc:
        yield ReadDone(exc.state, exc.reason, document)
    except MemoryError:
        yield ReadDone(FileState.OVER_BUDGET, Reason("out_of_memory"), document)
    except Exception as exc:
        # The border of the job: whatever a library throws at a file costs this file only.
        log.warning("reading a %s file failed", path.suffix, exc_info=True)
        yield ReadDone(FileState.DAMAGED, Reason("loader_failed", {"detail": type(exc).__name__}), document)


def _finish(
    document: SourceDocument,
    pages: list[Page],
    missing: Missing | None,
    content_hash: str,
    settings: Settings,
    counter: TokenCounter,
) -> Iterator[ReadMessage]:
    unusable = missing.unusable if missing is not None else ()
    text = clean(pages, laid_out=document.kind == "pdf", unusable=unusable)
    from_ocr = tuple(page.number for page in pages if page.from_ocr)
    if not "".join(text.text.translate(_SEEN_AS_NOTHING).split()):
        reason = missing.reason if missing is not None else Reason("no_text")
        yield ReadDone(FileState.EMPTY, reason, document, text.dropped)
        return
    chunks = chunk(
        document,
        text,
        content_hash,
        counter,
        size=settings.chunk_size,
        overlap=settings.chunk_overlap,
        locations={page.number: page.location for page in pages if page.location is not None},
    )
    batch = []
    for piece in chunks:
        batch.append(piece)
        if len(batch) == _CHUNKS_A_MESSAGE:
            yield ChunksRead(tuple(batch))
            batch = []
    if batch:
        yield ChunksRead(tuple(batch))
    state = FileState.PARTIAL if missing is not None else FileState.INDEXED
    yield ReadDone(
        state,
        missing.reason if missing is not None else None,
        document,
        text.dropped,
        missing.pages if missing is not None else (),
        from_ocr,
    )
