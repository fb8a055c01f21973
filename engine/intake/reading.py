"""One file from its bytes to pages and chunks: what the parsing process does for each request."""

import logging
from collections.abc import Collection, Iterator
from dataclasses import replace

from engine.config import Settings
from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake import ocr
from engine.intake.chunking import chunk
from engine.intake.cleaning import clean
from engine.intake.loaders import LoadFailed, Missing, load
from engine.intake.messages import (
    ChunksRead,
    PageRead,
    ReadDone,
    ReadFile,
    ReadMessage,
    ReadRequest,
    RecognisePages,
)
from engine.intake.tokens import TokenCounter, embedder_tokens

log = logging.getLogger(__name__)

_CHUNKS_A_MESSAGE = 16
_SEEN_AS_NOTHING = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u2800")


def answer(
    request: ReadRequest, settings: Settings, counter: TokenCounter | None = None
) -> Iterator[ReadMessage]:
    """The messages that answer ``request``, ended by exactly one :class:`ReadDone`. Never raises.

    ``counter`` defaults to the shipped embedder's.
    """
    try:
        match request:
            case ReadFile():
                yield from _read(request, settings, counter or embedder_tokens())
            case RecognisePages():
                for page in ocr.recognise(request.path, request.pages, request.passwords):
                    yield PageRead(page)
                yield ReadDone(FileState.INDEXED)
    except LoadFailed as exc:
        yield ReadDone(exc.state, exc.reason)
    except MemoryError:
        yield ReadDone(FileState.OVER_BUDGET, Reason("out_of_memory"))
    except Exception as exc:
        # The border of the job: whatever a library throws at a file costs this file only.
        log.warning("reading a %s file failed", request.path.suffix, exc_info=True)
        yield ReadDone(FileState.DAMAGED, Reason("loader_failed", {"detail": type(exc).__name__}))


def _read(request: ReadFile, settings: Settings, counter: TokenCounter) -> Iterator[ReadMessage]:
    """Pages as they are read, then chunks."""
    recognised = {page.number: page for page in request.recognised}
    pages: list[Page] = []
    document: SourceDocument | None = None
    missing: Missing | None = None
    for item in load(request.path, request.passwords):
        if isinstance(item, SourceDocument):
            document = item
        elif isinstance(item, Missing):
            missing = _still_missing(item, recognised.keys())
        else:
            page = item
            if item.number in recognised:
                page = replace(recognised[item.number], label=item.label, headings=item.headings)
            pages.append(page)
            yield PageRead(page)
    if document is None:
        raise LoadFailed(FileState.EMPTY, Reason("no_text"))
    yield from _finish(document, pages, missing, request.content_hash, settings, counter)


def _still_missing(missing: Missing, recognised: Collection[int]) -> Missing | None:
    """What is missing although some pages were read by OCR."""
    left = tuple(number for number in missing.pages if number not in recognised)
    if not left:
        return None
    return replace(
        missing,
        pages=left,
        unusable=tuple(number for number in missing.unusable if number not in recognised),
        recognisable=tuple(number for number in missing.recognisable if number not in recognised),
    )


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
    done = ReadDone(
        FileState.INDEXED,
        None,
        document,
        text.dropped,
        from_ocr=tuple(page.number for page in pages if page.from_ocr),
    )
    if missing is not None:
        done = replace(
            done,
            state=FileState.PARTIAL,
            reason=missing.reason,
            missing_pages=missing.pages,
            recognisable=missing.recognisable,
        )
    if not "".join(text.text.translate(_SEEN_AS_NOTHING).split()):
        state, reason = FileState.EMPTY, Reason("no_text")
        if missing is not None:
            state, reason = missing.alone or (FileState.EMPTY, missing.reason)
        yield replace(done, state=state, reason=reason)
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
    yield done
