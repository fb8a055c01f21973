"""A pack made a library again, in a folder that nobody looks at until all of it has been found in order."""

import base64
import sqlite3
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from engine.documents import Chunk, Dropped, Page, PageSpan, Reason, RecognisedLine, SourceDocument
from engine.drafts import ensure_space
from engine.errors import IndexMismatch
from engine.events import FileReport
from engine.index import embedders, flat_file, particulars, portable, writing
from engine.index.embedding import vector_key
from engine.index.library import Library
from engine.index.pack import archive
from engine.index.pack.export import STEP, Progress
from engine.index.pack.lines import ChunkLine, DocumentLine, Manifest, PageLine, located
from engine.index.pack.origin import Origin
from engine.index.writing import FileRecord

_GLYPH = 8
"""Bytes of a glyph's box (:mod:`engine.intake.boxes`)."""

_UNPACKED = 3
"""How much larger than its text a library may be: with the terms, and while a document is written."""


def check_origin(path: Path, manifest: Manifest, known: Origin) -> Origin:
    """What the pack's vectors come from; ``known`` is what the embedder in use makes.

    Raises:
        IndexMismatch: another embedder made them, and questions could not be compared with them.
    """
    origin = Origin(
        manifest.model, manifest.precision, manifest.dimension, manifest.normaliser, manifest.weights
    )
    if manifest.chunks and origin != known:
        raise IndexMismatch(path=str(path), found=str(origin), expected=str(known))
    return known


def read(
    pack: archive.Reader, path: Path, folder: Path, name: str, origin: Origin, threads: int
) -> Generator[Progress, None, None]:
    """Make the library ``name`` in ``folder``, in steps, from a pack whose origin was checked.

    Raises:
        PackInvalid: something in it is not in order; what was made so far is of no use.
        NoSpace, StorageFailed: the disk.
    """
    ensure_space(folder, _UNPACKED * pack.size)
    with closing(Library(folder, dimension=origin.dimension, threads=threads)) as library:
        with archive.refusing(path):
            yield from _Import(pack, library, origin).run()
        embedders.note_made_by(library, str(origin))
        library.set_meta("model", origin.model_id)
        library.set_meta("profile", pack.manifest.profile)
        library.set_meta("name", name)
        particulars.note(library)


class _Import:
    """Every method raises ValueError for what is not in order."""

    def __init__(self, pack: archive.Reader, library: Library, origin: Origin) -> None:
        self._pack, self._library, self._origin = pack, library, origin
        self._total = pack.manifest.documents + pack.manifest.pages + pack.manifest.chunks
        self._ids: list[int] = []  # of the documents so far
        self._copies: set[int] = set()

    def run(self) -> Iterator[Progress]:
        manifest, done, said = self._pack.manifest, 0, 0
        folders = [self._library.folder_id(Path(label)) for label in manifest.folders]
        with (
            self._pack.member(archive.DOCUMENTS) as documents,
            self._pack.member(archive.PAGES) as pages,
            self._pack.member(portable.CHUNKS) as chunks,
            self._pack.member(portable.INDEX) as index,
        ):
            page_lines, chunk_lines = archive.lines(pages), archive.lines(chunks)
            found = flat_file.VectorReader(index, self._origin.dimension, manifest.chunks)
            for text in archive.lines(documents):
                line = DocumentLine.model_validate_json(text)
                if line.folder >= len(folders):
                    raise ValueError("a document of no folder")
                self._check_copy(line)
                self._write(line, folders[line.folder], page_lines, chunk_lines, found)
                done += 1 + line.pages + line.chunks
                if done - said >= STEP:
                    said = done
                    yield done, self._total
            found.finish()
        if len(self._ids) != manifest.documents or done != self._total:
            raise ValueError("other counts than the manifest says")
        with self._pack.member(portable.METADATA) as member:
            while member.read(1 << 20):  # for people who unpack it: only its hash matters here
                yield done, self._total

    def _check_copy(self, line: DocumentLine) -> None:
        if line.copy_of is None:
            return
        if line.copy_of >= len(self._ids) or line.copy_of in self._copies or line.pages or line.chunks:
            raise ValueError("a copy of nothing")
        self._copies.add(len(self._ids))

    def _write(
        self,
        line: DocumentLine,
        folder_id: int,
        page_lines: Iterator[bytes],
        chunk_lines: Iterator[bytes],
        found: flat_file.VectorReader,
    ) -> None:
        """One document with everything that is its own, in one transaction."""
        chunks = [_chunk(_next(chunk_lines), line.name) for _ in range(line.chunks)]
        keys = [
            vector_key(self._origin.model_id, self._origin.precision, chunk.prefix + chunk.text)
            for chunk in chunks
        ]
        lengths: dict[int, int] = {}
        record = FileRecord(
            folder_id=folder_id,
            path=line.path,
            size=line.size,
            mtime_ns=0,
            content_hash=line.content_hash,
            report=_report(line),
            reading=line.reading,
            dropped=[Dropped(PageSpan(d.page, *d.span), d.text, d.why) for d in line.dropped],
            document=SourceDocument(
                line.kind, line.title, line.title_from_name, line.encoding, line.metadata
            ),
            pages=_pages(page_lines, line.pages, lengths),
            chunks=chunks,
            keys=keys,
        )
        original = None if line.copy_of is None else self._ids[line.copy_of]
        db = self._library.db
        try:
            with self._library.transaction():
                document_id, _ = writing.insert(db, record)
                _check_places(chunks, record.dropped, lengths)
                db.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                    zip(keys, (vector.tobytes() for vector in found.take(len(keys))), strict=True),
                )
                db.execute(
                    "UPDATE documents SET indexed_at = ?, copy_of = ? WHERE id = ?",
                    (line.indexed_at, original, document_id),
                )
        except sqlite3.IntegrityError as exc:
            raise ValueError("a document or a page occurs twice") from exc
        self._ids.append(document_id)


def _report(line: DocumentLine) -> FileReport:
    reason = None if line.reason is None else Reason(line.reason.code, line.reason.params)
    return FileReport(
        line.path, line.state, reason, line.pages, line.chunks, tuple(line.missing_pages),
        tuple(line.from_ocr), line.encoding, tuple(line.recognisable),
    )  # fmt: skip


def _next(lines: Iterator[bytes]) -> bytes:
    if (line := next(lines, None)) is None:
        raise ValueError("fewer lines than its documents say")
    return line


def _chunk(text: bytes, document: str) -> Chunk:
    line = ChunkLine.model_validate_json(text)
    if line.document != document:
        raise ValueError("a passage of another document")
    if line.overlap > len(line.text) or line.page_end < line.page:
        raise ValueError("a passage that contradicts itself")
    return Chunk(
        line.id, line.ordinal, line.page, line.page_end,
        tuple(PageSpan(item.page, *item.span) for item in line.spans),
        line.text, line.prefix, line.overlap, line.tokens, tuple(line.section), located(line.location),
    )  # fmt: skip


def _pages(lines: Iterator[bytes], count: int, lengths: dict[int, int]) -> Iterator[Page]:
    """The next ``count`` pages, whose numbers must grow; their lengths in characters are noted."""
    last = 0
    for _ in range(count):
        line = PageLine.model_validate_json(_next(lines))
        if line.number <= last:
            raise ValueError("pages are out of order")
        last = line.number
        lengths[last] = len(line.text)
        if any(not start <= end <= len(line.text) for start, end, _ in line.recognised):
            raise ValueError("a line outside its page")
        yield Page(
            line.number, line.text, line.label, located(line.location), from_ocr=line.from_ocr,
            size=line.size, boxes=_boxes(line), recognised=tuple(RecognisedLine(*r) for r in line.recognised),
        )  # fmt: skip


def _boxes(line: PageLine) -> bytes | None:
    """The packed boxes, if they hold whole boxes and no more than the text has characters."""
    if line.boxes is None:
        return None
    boxes = base64.b64decode(line.boxes, validate=True)
    unpacker, most = zlib.decompressobj(), _GLYPH * len(line.text)
    unpacked = unpacker.decompress(boxes, most + 1)
    if len(unpacked) > most or len(unpacked) % _GLYPH or not unpacker.eof or unpacker.unused_data:
        raise ValueError("boxes that do not fit the page")
    if line.size is None:
        raise ValueError("boxes on a page without a size")
    return boxes


def _check_places(chunks: Sequence[Chunk], dropped: Iterable[Dropped], lengths: Mapping[int, int]) -> None:
    last = -1
    for chunk in chunks:
        if chunk.ordinal <= last:
            raise ValueError("passages are out of order")
        last = chunk.ordinal
        if chunk.page not in lengths or chunk.page_end not in lengths:
            raise ValueError("a passage on no page")
        if any(not chunk.page <= span.page <= chunk.page_end for span in chunk.spans):
            raise ValueError("a passage on another page")
    for span in (*(span for chunk in chunks for span in chunk.spans), *(item.span for item in dropped)):
        if not span.start <= span.end <= lengths.get(span.page, -1):
            raise ValueError("a place outside its page")
