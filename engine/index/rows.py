"""How the engine's dataclasses lie in SQLite's rows and come back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.documents import Chunk, Dropped, FileState, Page, PageSpan, Reason, RecognisedLine
from engine.events import FileReport
from engine.index.naming import Names

CHUNK_QUERY = """
    SELECT c.id, c.chunk, c.ordinal, c.page, c.page_end, c.spans, c.location, c.section, c.text, c.prefix,
           c.overlap, c.tokens, c.vector_key, d.path, d.title, d.kind, f.path, d.content_hash, d.size,
           (SELECT label FROM pages p WHERE p.document_id = c.document_id AND p.number = c.page)
    FROM chunks c JOIN documents d ON d.id = c.document_id JOIN folders f ON f.id = d.folder_id"""


KEPT = "kept_unreadable"
"""Reason of a file that cannot be read for the moment, and the detail that holds what it was before."""

PAGE_COLUMNS = "number, label, location, text, from_ocr, width, height, boxes, recognised"


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with its row id and the document it belongs to; ``label`` is its first page's.

    ``document`` is the name people see, ``relative`` the path in ``folder``.
    """

    row: int
    chunk: Chunk
    vector_key: str | None
    document: str
    relative: str
    title: str
    kind: str
    folder: Path
    content_hash: str | None
    size: int
    label: str | None

    @property
    def file(self) -> Path | None:
        """The document on disk; None where its folder is known by name only."""
        return file_path(self.folder, self.relative)


def file_path(folder: Path, relative: str) -> Path | None:
    """The file of a document; None where folders are known by name only: in a portable index, from a pack."""
    if not folder.is_absolute():
        return None
    # A single file given by the user is its own folder.
    if folder.name == relative and not folder.is_dir():
        return folder
    return folder / relative


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def dump_reason(reason: Reason | None) -> str | None:
    return None if reason is None else dump({"code": reason.code, "params": dict(reason.params)})


def dump_details(report: FileReport, dropped: Sequence[Dropped]) -> str:
    return dump(
        {
            "missing_pages": report.missing_pages,
            "from_ocr": report.from_ocr,
            "recognisable": report.recognisable,
            "dropped": [[d.span.page, d.span.start, d.span.end, d.text, d.why] for d in dropped],
        }
    )


def report(
    path: str, state: str, reason: str | None, details: str, encoding: str | None, pages: int, chunks: int
) -> FileReport:
    """A file as it stands, from its row."""
    why = json.loads(reason) if reason else None
    more = json.loads(details)
    return FileReport(
        path,
        FileState(state),
        Reason(why["code"], why["params"]) if why else None,
        pages,
        chunks,
        tuple(more.get("missing_pages", ())),
        tuple(more.get("from_ocr", ())),
        encoding,
        () if KEPT in more else tuple(more.get("recognisable", ())),
    )


def dropped(details: str) -> tuple[Dropped, ...]:
    """What was left out of the chunks, from the details of a file."""
    return tuple(
        Dropped(PageSpan(page, start, end), text, why)
        for page, start, end, text, why in json.loads(details).get("dropped", ())
    )


def page(value: Page) -> tuple[Any, ...]:
    """The values of :data:`PAGE_COLUMNS`."""
    width, height = value.size or (None, None)
    lines = dump([[line.start, line.end, line.confidence] for line in value.recognised])
    return (
        value.number, value.label, _dump_location(value.location), value.text, int(value.from_ocr), width,
        height, value.boxes, lines if value.recognised else None,
    )  # fmt: skip


def stored_page(row: Sequence[Any]) -> Page:
    """A page from the values of :data:`PAGE_COLUMNS`."""
    number, label, location, text, from_ocr, width, height, boxes, recognised = row
    size = None if width is None else (width, height)
    lines = tuple(RecognisedLine(*line) for line in json.loads(recognised or "[]"))
    return Page(number, text, label, _location(location), (), bool(from_ocr), size, boxes, recognised=lines)


def chunk(document_id: int, value: Chunk) -> tuple[Any, ...]:
    return (
        document_id, value.id, value.ordinal, value.page, value.page_end,
        dump([[s.page, s.start, s.end] for s in value.spans]), _dump_location(value.location),
        dump(value.section), value.text, value.prefix, value.overlap, value.tokens,
    )  # fmt: skip


def stored_chunk(row: Sequence[Any], names: Names) -> StoredChunk:
    (
        number, chunk_id, ordinal, first, last, span_text, location, section, text, prefix, overlap, tokens,
        key, relative, title, kind, folder, content_hash, size, label,
    ) = row  # fmt: skip
    value = Chunk(
        chunk_id, ordinal, first, last, spans(span_text), text, prefix, overlap, tokens,
        tuple(json.loads(section)), _location(location),
    )  # fmt: skip
    place = Path(folder)
    return StoredChunk(
        number, value, key, names.get((place, relative), relative), relative, title, kind, place,
        content_hash, size, label,
    )  # fmt: skip


def spans(text: str) -> tuple[PageSpan, ...]:
    return tuple(PageSpan(*span) for span in json.loads(text))


def _dump_location(location: Mapping[str, Any] | None) -> str | None:
    return None if location is None else dump(dict(location))


def _location(text: str | None) -> Mapping[str, Any] | None:
    return json.loads(text) if text else None
