"""What can still be read of a damaged library.sqlite, copied into a fresh one.

Rows are read in order; where a page cannot be read, the walk goes on behind it and asks for each row of the
gap by its id. A document is taken over when all of it is there and fits what was computed from it (the
passages' vector keys, the packed boxes). One of which something is missing is left out, so that the next sync
reads its file again. Vectors come from the bytes of the file (:mod:`engine.index.vector_pages`) and are all
taken over: the text that they belong to will ask for them, and nothing is embedded twice. What is lost there
may still stand in index.faiss.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine import normalise
from engine.documents import WITH_TEXT, FileState
from engine.errors import IndexDamaged, IndexMismatch
from engine.index import cache_file, mending, vector_pages
from engine.index.damaged_file import DamagedFile, Row
from engine.index.embedding import vector_key
from engine.index.library import Library
from engine.index.particulars import Particulars
from engine.index.store import FlatStore
from engine.index.stored_vectors import EPOCH

_TRANSIENT = frozenset({"remains", "last_error"})
_BOX_BYTES = 8


@dataclass(slots=True)
class Salvaged:
    """``documents`` that were taken over, ``lost`` ones that were known and are not; ``vectors``."""

    documents: int = 0
    lost: int = 0
    vectors: int = 0


def salvage(damaged: Path, library: Library, noted: Particulars | None = None) -> Iterator[Salvaged | None]:
    """Fill an empty library with what the damaged file holds; the last step gives the figures.

    ``noted`` is what is known of it from elsewhere. The damaged file is not changed.

    Raises:
        StorageFailed: there is no room for it.
        OSError: the system cannot read the file.
    """
    figures = Salvaged()
    try:
        source: DamagedFile | None = DamagedFile(damaged)
    except sqlite3.DatabaseError:  # the first page is gone: the vectors are found without it
        source = None
    noted = noted or Particulars()
    with library.transaction():
        library.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", noted.facts.items())
        library.db.executemany("INSERT INTO folders (id, path) VALUES (?, ?)", noted.folders.items())
    if source is not None:
        with closing(source):
            yield from _Copy(source, library, figures).steps()
    with library.transaction():
        for number, found in enumerate(vector_pages.vectors(damaged) if damaged.exists() else ()):
            library.db.execute("INSERT OR IGNORE INTO vectors VALUES (?, ?)", found)
            if number % 500 == 0:
                yield None
        _add_vectors_of_cache(damaged.with_name("index.faiss"), library)
        mending.unname_missing_vectors(library.db)
        mending.expect_names(library.db)
        library.raise_generation()
    figures.vectors = library.db.execute("SELECT count(*) FROM vectors").fetchone()[0]
    yield figures


def _add_vectors_of_cache(file: Path, library: Library) -> None:
    """Vectors that are lost in SQLite and stand in index.faiss under the rows of their passages.

    A row never gets another vector, except with all others, which is counted (``epoch``).
    """
    missing = mending.dangling_names(library.db)
    if not missing:
        return
    try:
        store, mark = cache_file.load(file, library.dimension)
    except (IndexDamaged, IndexMismatch):
        return
    if type(store) is not FlatStore or str(mark.epoch) != library.meta(EPOCH, "0"):
        return
    rows = sorted(missing.keys() & set(store.ids().tolist()))
    for row, vector in zip(rows, store.vectors(rows), strict=True):
        data = vector.astype("<f4").tobytes()
        if vector_pages.is_vector(data):
            library.db.execute("INSERT OR IGNORE INTO vectors VALUES (?, ?)", (missing[row], data))


class _Copy:
    """From the damaged file into the library."""

    def __init__(self, source: DamagedFile, library: Library, figures: Salvaged) -> None:
        self._source, self._library, self._figures = source, library, figures
        self._unreadable: set[int] = set()
        """Row ids of passages, or where passages may have stood."""
        self._columns: dict[str, frozenset[str]] = {}

    def steps(self) -> Iterator[None]:
        """Facts, folders and documents, as far as they can be read."""
        unreadable_folders: set[int] = set()
        facts = {key: value for key, value in self._source.facts().items() if key not in _TRANSIENT}
        folders = self._source.walk("folders", "*", unreadable_folders)
        documents = self._source.walk("documents")
        chunks: dict[int, list[int]] = {}
        for row, chunk in self._source.walk("chunks", "id, document_id", self._unreadable).items():
            chunks.setdefault(chunk["document_id"], []).append(row)
        with self._library.transaction():
            self._library.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
            if folders and not unreadable_folders:
                self._library.db.execute("DELETE FROM folders")  # the list is whole
            for folder in folders.values():
                self._insert("folders", folder, "INSERT OR REPLACE")
        yield None
        embedder = facts.get("embedder", "")
        self._figures.lost += len(chunks.keys() - documents.keys())
        # An original comes before its copies.
        for row in sorted(documents, key=lambda row: (bool(documents[row].get("copy_of")), row)):
            is_kept = self._take_over(documents[row], chunks.get(row, []), embedder)
            self._figures.documents += is_kept
            self._figures.lost += not is_kept
            yield None
        self._keep_ids_apart(max((row for rows in chunks.values() for row in rows), default=0))

    def _keep_ids_apart(self, highest: int) -> None:
        """No id of a passage is used twice, not even that of a lost one."""
        highest = max(highest, self._source.highest_chunk())
        with self._library.transaction():
            self._library.db.execute("DELETE FROM sqlite_sequence WHERE name = 'chunks'")
            self._library.db.execute("INSERT INTO sqlite_sequence VALUES ('chunks', ?)", (highest,))

    def _take_over(self, document: Row, chunk_ids: list[int], embedder: str) -> bool:
        """Copy a document in one transaction, or nothing of it; says whether it was copied."""
        try:
            chunks = [self._source.one("chunks", row) for row in chunk_ids]
            pages = self._source.pages(document["id"])
            if document.get("copy_of") is None and (
                self._may_lack(document, chunk_ids) or not _fits(document, pages, chunks, embedder)
            ):
                return False
            with self._library.transaction():
                for table, rows in (("documents", [document]), ("pages", pages), ("chunks", chunks)):
                    for row in rows:
                        self._insert(table, row)
                mending.add_terms(self._library.db, document["id"])
        except (sqlite3.DatabaseError, *_DOES_NOT_FIT):  # a copy without its original does not fit either
            return False
        return True

    def _may_lack(self, document: Row, chunk_ids: list[int]) -> bool:
        """Whether passages of the document may have stood where nothing could be read."""
        if not chunk_ids:
            return bool(self._unreadable) and FileState(document["state"]) in WITH_TEXT
        # The passages of a document follow each other.
        around = range(chunk_ids[0] - 1, chunk_ids[-1] + 2)
        return any(row in around for row in self._unreadable)

    def _insert(self, table: str, row: Row, verb: str = "INSERT") -> None:
        if table not in self._columns:
            known = self._library.db.execute(f"PRAGMA table_info({table})")
            self._columns[table] = frozenset(column[1] for column in known)
        values = {name: value for name, value in row.items() if name in self._columns[table]}
        self._library.db.execute(
            f"{verb} INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
            tuple(values.values()),
        )


_DOES_NOT_FIT = (KeyError, TypeError, ValueError, AttributeError, zlib.error)


def _fits(document: Row, pages: Sequence[Row], chunks: Sequence[Row], embedder: str) -> bool:
    """Whether a document is whole; raises one of ``_DOES_NOT_FIT`` for values that are none of ours."""
    state = FileState(document["state"])
    for column in ("reason", "details", "metadata"):
        json.loads(document[column] or "null")
    texts = {page["number"]: page["text"] for page in pages}
    for page in pages:
        # What was overwritten with zeros is still UTF-8.
        if "\0" in page["text"]:
            return False
        boxes = page["boxes"]
        if boxes is not None and len(zlib.decompress(boxes)) != _BOX_BYTES * len(page["text"]):
            return False
        for column in ("location", "recognised"):
            json.loads(page.get(column) or "null")
    if state in WITH_TEXT and not pages:
        return False
    if sorted(chunk["ordinal"] for chunk in chunks) != list(range(len(chunks))):
        return False
    return all(_is_of(chunk, texts, embedder) for chunk in chunks)


def _is_of(chunk: Row, texts: Mapping[int, str], embedder: str) -> bool:
    """Whether a passage lies on the document's pages and its text is the one that was embedded."""
    for column in ("section", "location"):
        json.loads(chunk[column] or "null")
    if not all(0 <= start <= end <= len(texts[page]) for page, start, end in json.loads(chunk["spans"])):
        return False
    model, precision, _, version = ("/" + embedder).rsplit("/", 3) if embedder else ("", "", "", "")
    if chunk["vector_key"] is None or version != str(normalise.VERSION):
        return True
    wanted = vector_key(model[1:], precision, chunk["prefix"] + chunk["text"])
    return bool(wanted == chunk["vector_key"])
