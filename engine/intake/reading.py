"""One file from its bytes to pages and chunks: what the parsing process does for each request."""

import json
import logging
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from engine.config import Settings
from engine.documents import Chunk, FileState, Page, Reason, SourceDocument
from engine.intake import boxes, ocr
from engine.intake.chunking.tokens import TokenCounter, embedder_tokens
from engine.intake.flow import Flow
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

log = logging.getLogger(__name__)

_CHUNKS_A_MESSAGE = 16


def answer(
    request: ReadRequest, settings: Settings, counter: TokenCounter | None = None
) -> Iterator[ReadMessage]:
    """The messages that answer ``request``, ended by exactly one :class:`ReadDone`. Never raises.

    ``counter`` defaults to the shipped embedder's.
    """
    try:
        match request:
            case ReadFile():
                for message in _read(request, settings, counter or embedder_tokens()):
                    _check_storable(message)
                    yield message
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


def _check_storable(message: ReadMessage) -> None:
    """Fail here, where it costs this file only: SQLite would refuse half a character in the parent process,
    and with it the import of all other files.

    Raises:
        ValueError: a text is not valid Unicode, or a number is too long to be written.
    """
    texts: list[str] = []
    match message:
        case PageRead(page):
            texts = [page.text, page.label or "", json.dumps(page.location, ensure_ascii=False, default=str)]
        case ChunksRead(chunks):
            texts = [text for chunk in chunks for text in (chunk.text, chunk.prefix, *chunk.section)]
        case ReadDone(document=SourceDocument(title=title, metadata=metadata)):
            texts = [title, json.dumps(metadata, ensure_ascii=False, default=str)]
    for text in texts:
        text.encode("utf-8")


def _read(request: ReadFile, settings: Settings, counter: TokenCounter) -> Iterator[ReadMessage]:
    """Pages as they are read, and the chunks of a block of pages as soon as its end is known."""
    recognised = {page.number: page for page in request.recognised}
    document: SourceDocument | None = None
    flow: Flow | None = None
    missing: Missing | None = None
    from_ocr: list[int] = []
    for item in load(request.path, request.passwords):
        if isinstance(item, SourceDocument):
            document = item
            flow = Flow(document, request.content_hash, counter, settings.cut)
        elif isinstance(item, Missing):
            missing = _still_missing(item, recognised.keys())
        elif flow is not None:
            page = item
            if item.number in recognised:
                page = _with_notes(recognised[item.number], item)
            if page.from_ocr:
                from_ocr.append(page.number)
            yield PageRead(page)
            yield from _messages(flow.add(page))
    if document is None or flow is None:
        raise LoadFailed(FileState.EMPTY, Reason("no_text"))
    yield from _messages(flow.finish(missing.unusable if missing is not None else ()))
    yield _done(document, flow, missing, tuple(from_ocr))


def _messages(chunks: Iterator[Chunk]) -> Iterator[ChunksRead]:
    while batch := tuple(islice(chunks, _CHUNKS_A_MESSAGE)):
        yield ChunksRead(batch)


def _with_notes(recognised: Page, own: Page) -> Page:
    """What OCR read, with the label and the comments that only the file itself knows."""
    page = replace(recognised, label=own.label)
    notes = "" if own.notes is None else own.text[own.notes :]
    # Stored pages have them already.
    if not notes or own.boxes is None or page.boxes is None or page.text.endswith(notes):
        return page
    gap = "\n\n" if page.text else ""
    placed = boxes.append(page.boxes, len(gap), own.boxes, len(own.text) - len(notes))
    return replace(page, text=page.text + gap + notes, boxes=placed)


def _still_missing(missing: Missing, recognised: Collection[int]) -> Missing | None:
    """What is missing although some pages were read by OCR."""
    left = tuple(number for number in missing.pages if number not in recognised)
    if not left:
        return None
    count = {"missing": len(left)} if "missing" in missing.reason.params else {}
    return replace(
        missing,
        pages=left,
        reason=replace(missing.reason, params={**missing.reason.params, **count}),
        unusable=tuple(number for number in missing.unusable if number not in recognised),
        recognisable=tuple(number for number in missing.recognisable if number not in recognised),
    )


def _done(
    document: SourceDocument, flow: Flow, missing: Missing | None, from_ocr: tuple[int, ...]
) -> ReadDone:
    done = ReadDone(FileState.INDEXED, None, document, tuple(flow.dropped), from_ocr=from_ocr)
    if missing is not None:
        done = replace(
            done,
            state=FileState.PARTIAL,
            reason=missing.reason,
            missing_pages=missing.pages,
            recognisable=missing.recognisable,
        )
    # Only now it is known of some documents that all their pages say nothing; see messages.ChunksRead.
    if not flow.text_pages.difference(missing.unusable if missing is not None else ()):
        state, reason = FileState.EMPTY, Reason("no_text")
        if missing is not None:
            state, reason = missing.alone or (FileState.EMPTY, missing.reason)
        return replace(done, state=state, reason=reason)
    return done
