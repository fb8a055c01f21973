"""A library written as a pack, line by line and in blocks of vectors; the file appears when it is whole."""

import base64
import json
import re
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ValidationError

from engine.config import Settings
from engine.documents import Page
from engine.drafts import ensure_space
from engine.errors import IndexMismatch, LibraryDamaged, PackNeedsVectors, TargetTaken
from engine.index import embedders, flat_file, portable, rows
from engine.index.embedding import vector_key
from engine.index.library import Library
from engine.index.pack import archive, names
from engine.index.pack.lines import FORMAT, ChunkLine, DocumentLine, Manifest, PageLine
from engine.index.pack.origin import Origin
from engine.index.replacing import replacing

Progress = tuple[int, int]
"""Lines written or read so far, of so many."""

STEP = 200
"""Lines between two signs of progress."""

_PLACE = re.compile(r"(?:[A-Za-z]:)?[\\/]\S*[\\/]\S*")
"""An absolute path in what the system said of a file."""

_DOCUMENTS = """
    SELECT d.id, d.folder_id, d.path, d.size, d.content_hash, d.kind, d.title, d.title_from_name, d.encoding,
           d.metadata, d.state, d.reason, d.details, d.reading, d.indexed_at, d.copy_of,
           (SELECT count(*) FROM pages p WHERE p.document_id = d.id),
           (SELECT count(*) FROM chunks c WHERE c.document_id = d.id)
    FROM documents d
    ORDER BY d.copy_of IS NOT NULL,
             (SELECT coalesce(min(c.id), 1 << 60) FROM chunks c WHERE c.document_id = d.id), d.id"""
"""In the order of their chunks, which is that of the vectors; copies come after what they are copies of."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What went into the pack; ``size`` is the file's, in bytes."""

    size: int
    documents: int
    chunks: int


def write(
    library: Library, file: Path, *, program: str, reading: str, settings: Settings
) -> Generator[Progress, None, Exported]:
    """Write the pack in steps; hold the library's write lock. ``reading`` is how its documents are read.

    A pack that was there is replaced in one step at the end.

    Raises:
        TargetTaken: another file than a pack is there.
        PackNeedsVectors: passages have none.
        IndexMismatch: the vectors are those of an earlier way to normalise text.
        NoSpace, StorageFailed: the disk; what was there before still is.
    """
    if file.is_dir() or (file.exists() and not archive.is_pack(file)):
        raise TargetTaken(path=str(file))
    origin = _origin(library)
    # Never larger than the database, which holds the same text and the terms besides.
    ensure_space(file.parent, library.size_bytes())
    with replacing(file) as stream:
        documents, chunks = yield from _Export(library, origin, reading, settings).run(stream, program)
    return Exported(file.stat().st_size, documents, chunks)


def _origin(library: Library) -> Origin:
    without = library.db.execute("SELECT count(*) FROM chunks WHERE vector_key IS NULL").fetchone()[0]
    if without:
        raise PackNeedsVectors(name=library.name, count=without)
    origin = Origin.of(library)
    # Whoever takes the pack in files each vector under its text and what the manifest says of the embedder.
    found = library.db.execute("SELECT prefix || text, vector_key FROM chunks LIMIT 1").fetchone()
    if found is not None and vector_key(origin.model_id, origin.precision, found[0]) != found[1]:
        raise IndexMismatch(path=library.file, found=embedders.made_by(library), expected=str(origin))
    return origin


class _Export:
    def __init__(self, library: Library, origin: Origin, reading: str, settings: Settings) -> None:
        self._library, self._origin = library, origin
        self._reading, self._settings = reading, settings
        self._folders, self._labels = _folders(library)
        self._files = {file.id: file for file in library.files()}
        self._pages = int(library.db.execute("SELECT count(*) FROM pages").fetchone()[0])
        self._chunks = library.chunk_count()
        self._paths: dict[int, set[str]] = defaultdict(set)
        self._done = 0

    def run(self, stream: BinaryIO, program: str) -> Generator[Progress, None, tuple[int, int]]:
        """Write all members; returns the number of documents and of chunks."""
        order: dict[int, int] = {}
        with archive.Writer(stream) as pack:
            with pack.member(archive.DOCUMENTS) as member:
                for row in self._library.db.execute(_DOCUMENTS):
                    member.write(self._line(DocumentLine, self._document(row, order)))
                    order[row[0]] = len(order)
                    yield from self._step()
            with pack.member(archive.PAGES) as member:
                for page in self._stored_pages(order):
                    member.write(self._line(PageLine, _page(page)))
                    yield from self._step()
            with pack.member(portable.CHUNKS) as member:
                texts = portable.PageTexts(self._library)
                for stored in self._library.all_chunks():
                    line = portable.line(stored, names.safe_path(stored.document), texts.of(stored))
                    member.write(self._line(ChunkLine, line))
                    yield from self._step()
            with pack.member(portable.INDEX, packed=False) as member:
                blocks = flat_file.stored(self._library)
                for _ in flat_file.write(member, blocks, self._origin.dimension, self._chunks):
                    yield self._done, self._total
            with pack.member(portable.METADATA) as member:
                member.write(json.dumps(self._metadata(pack), ensure_ascii=False, indent=1).encode("utf-8"))
            manifest = self._manifest(pack, program, len(order))
            with pack.member(archive.MANIFEST) as member:
                member.write(manifest.model_dump_json(indent=1).encode("utf-8"))
        yield self._total, self._total
        return len(order), self._chunks

    @property
    def _total(self) -> int:
        return len(self._files) + self._pages + self._chunks

    def _step(self) -> Iterator[Progress]:
        self._done += 1
        if self._done % STEP == 0:
            yield self._done, self._total

    def _line(self, model: type[BaseModel], value: dict[str, Any]) -> bytes:
        """A line that an import will take; raises LibraryDamaged for one that it would refuse."""
        line = rows.dump(value).encode("utf-8") + b"\n"
        try:
            model.model_validate_json(line)
        except ValidationError as exc:
            raise LibraryDamaged(path=self._library.file, detail=str(exc.errors()[0]["loc"])) from exc
        if len(line) > archive.LONGEST_LINE:
            raise LibraryDamaged(path=self._library.file, detail=f"{len(line)} bytes in one page")
        return line

    def _metadata(self, pack: archive.Writer) -> dict[str, Any]:
        documents = [
            (names.safe_path(file.report.path), file.report.state.value, file.content_hash)
            for file in self._files.values()
        ]
        digests = {name: pack.written[name].sha256 for name in (portable.INDEX, portable.CHUNKS)}
        return portable.metadata(
            names.safe(self._library.name), self._origin.model_id, self._origin.precision,
            self._origin.dimension, self._chunks, documents, digests, self._settings,
        )  # fmt: skip

    def _manifest(self, pack: archive.Writer, program: str, documents: int) -> Manifest:
        return Manifest(
            format=FORMAT,
            program=program,
            library=names.safe(self._library.name),
            model=self._origin.model_id,
            precision=self._origin.precision,
            dimension=self._origin.dimension,
            normaliser=self._origin.normaliser,
            weights=self._origin.weights,
            profile=self._settings.profile,
            reading=self._reading,
            folders=self._labels,
            documents=documents,
            pages=self._pages,
            chunks=self._chunks,
            members=pack.written,
        )

    def _document(self, row: tuple[Any, ...], order: Mapping[int, int]) -> dict[str, Any]:
        (
            document_id, folder_id, path, size, content_hash, kind, title, title_from_name, encoding,
            metadata, state, reason, details, reading, indexed_at, copy_of, pages, chunks,
        ) = row  # fmt: skip
        more = json.loads(details)
        if (before := more.get(rows.KEPT)) is not None:
            # That it cannot be read for the moment is so on this machine only.
            state, reason = before["state"], before["reason"]
        return {
            "folder": self._folders[folder_id],
            "path": names.distinct(names.safe_path(path), self._paths[folder_id]),
            "name": names.safe_path(self._files[document_id].report.path),
            "size": size,
            "content_hash": content_hash,
            "kind": kind,
            "title": title,
            "title_from_name": bool(title_from_name),
            "encoding": encoding,
            "metadata": json.loads(metadata),
            "state": state,
            "reason": _reason(reason),
            "missing_pages": more.get("missing_pages", []),
            "from_ocr": more.get("from_ocr", []),
            "recognisable": more.get("recognisable", []),
            "dropped": [
                {"page": page, "span": [start, end], "text": text, "why": why}
                for page, start, end, text, why in more.get("dropped", ())
            ],
            "reading": reading,
            "indexed_at": indexed_at,
            "copy_of": None if copy_of is None else order[copy_of],
            "pages": pages,
            "chunks": chunks,
        }

    def _stored_pages(self, order: Iterable[int]) -> Iterator[Page]:
        query = f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE document_id = ? ORDER BY number"
        for document_id in order:
            for row in self._library.db.execute(query, (document_id,)):
                yield rows.stored_page(row)


def _folders(library: Library) -> tuple[dict[int, int], list[str]]:
    """The place of each folder in the list of labels, and that list: names only, no two alike.

    Folders of one name have the number that they have in their documents' names.
    """
    folders = library.folders()
    alike = Counter(folder.name for folder in folders.values())
    labels, taken = [], set[str]()
    for number, folder in enumerate(folders.values(), start=1):
        label = folder.name if alike[folder.name] == 1 else f"{folder.name}-{number}"
        labels.append(names.distinct(names.safe(label), taken))
    return {folder_id: place for place, folder_id in enumerate(folders)}, labels


def _page(page: Page) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "location": page.location,
        "text": page.text,
        "from_ocr": page.from_ocr,
        "size": page.size,
        "boxes": None if page.boxes is None else base64.b64encode(page.boxes).decode("ascii"),
        "recognised": [[line.start, line.end, line.confidence] for line in page.recognised],
    }


def _reason(stored: str | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    found = json.loads(stored)
    params = {
        key: _PLACE.sub("…", value) if isinstance(value, str) else value
        for key, value in found["params"].items()
    }
    return {"code": found["code"], "params": params}
