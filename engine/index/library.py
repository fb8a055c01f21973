"""One library: its SQLite file, which is the only truth, and the vector store that goes with it.

A document with its pages, chunks, vectors and terms is one transaction, so a kill at any moment leaves
whole documents. Every such transaction raises the generation; the FAISS file carries the generation it
was written at and is rebuilt from the vectors in SQLite when the two differ. One thread owns a library.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.documents import Chunk, Page, SourceDocument
from engine.errors import CodedError, IndexMismatch, LibraryDamaged
from engine.events import FileReport
from engine.index import lexical, rows
from engine.index.cache import VectorCache
from engine.index.database import Transaction, connect
from engine.index.embedding import Vectors
from engine.index.migrations import migrate
from engine.index.store import VectorStore


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What is known of a file since it was last read; ``reading`` names how it was read."""

    id: int
    folder_id: int
    path: str
    size: int
    mtime_ns: int
    content_hash: str | None
    reading: str
    report: FileReport


class Library:
    """A library on disk, or in memory (``folder`` None) for portable indexes and single runs."""

    def __init__(self, folder: Path | None, *, dimension: int, threads: int = 1) -> None:
        """Open or create.

        Raises:
            LibraryDamaged: the SQLite file cannot be read, or is newer than this program.
            StorageFailed: it cannot be written.
        """
        self.folder = folder
        self.dimension = dimension
        file = None if folder is None else folder / "library.sqlite"
        self.file = str(file) if file else ":memory:"
        self.db = connect(file)
        try:
            migrate(self.db, self.file)
        except CodedError:
            self.db.close()
            raise
        except sqlite3.DatabaseError as exc:
            self.db.close()
            raise LibraryDamaged(path=self.file, detail=str(exc)) from exc
        self._cache = VectorCache(self.db, folder and folder / "index.faiss", dimension, threads)

    def close(self) -> None:
        self.db.close()

    # -- facts about the library ------------------------------------------------------------------

    def meta(self, key: str, default: str = "") -> str:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else default

    def set_meta(self, key: str, value: str) -> None:
        with self._transaction():
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def name(self) -> str:
        return self.meta("name")

    @property
    def generation(self) -> int:
        return int(self.meta("generation", "0"))

    def chunk_count(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM chunks").fetchone()[0])

    def folders(self) -> dict[int, Path]:
        return {row[0]: Path(row[1]) for row in self.db.execute("SELECT id, path FROM folders ORDER BY id")}

    def folder_id(self, path: Path) -> int:
        """The id of a folder of this library, which is added when it is new."""
        with self._transaction():
            self.db.execute("INSERT OR IGNORE INTO folders (path) VALUES (?)", (str(path),))
        return int(self.db.execute("SELECT id FROM folders WHERE path = ?", (str(path),)).fetchone()[0])

    def files(self, folder_id: int | None = None) -> list[StoredFile]:
        """Every file with its state, in order of its path."""
        query = """
            SELECT d.id, folder_id, path, size, mtime_ns, content_hash, reading,
                   state, reason, details, encoding,
                   (SELECT count(*) FROM pages p WHERE p.document_id = d.id),
                   (SELECT count(*) FROM chunks c WHERE c.document_id = d.id)
            FROM documents d WHERE ? IS NULL OR folder_id = ? ORDER BY path, folder_id"""
        return [
            StoredFile(row[0], row[1], row[2], row[3], row[4], row[5], row[6], rows.report(row[2], *row[7:]))
            for row in self.db.execute(query, (folder_id, folder_id))
        ]

    def counts(self) -> dict[str, int]:
        """Files by state."""
        return dict(self.db.execute("SELECT state, count(*) FROM documents GROUP BY state ORDER BY state"))

    def last_sync(self) -> str | None:
        """When a file was last read, ISO 8601 in UTC; None for an empty library."""
        found = self.db.execute("SELECT max(indexed_at) FROM documents").fetchone()[0]
        return str(found) if found else None

    def size_bytes(self) -> int:
        """Bytes on disk."""
        if self.folder is None:
            return 0
        return sum(file.stat().st_size for file in self.folder.iterdir() if file.is_file())

    # -- writing ----------------------------------------------------------------------------------

    def write_document(
        self,
        *,
        folder_id: int,
        path: str,
        size: int,
        mtime_ns: int,
        content_hash: str | None,
        report: FileReport,
        reading: str = "",
        dropped: Sequence[Any] = (),
        document: SourceDocument | None = None,
        pages: Iterable[Page] = (),
        chunks: Sequence[Chunk] = (),
        keys: Sequence[str] = (),
        vectors: Mapping[str, Vectors] | None = None,
    ) -> int:
        """Replace everything known of a file, in one transaction. Returns the number of chunks replaced.

        ``keys`` names each chunk's vector (empty when nothing could be embedded), ``vectors`` holds those
        that the library does not have yet.

        Raises:
            StorageFailed: the old state stands.
            IndexMismatch: a vector has another dimension than the library; the old state stands.
        """
        with self._transaction():
            old, unused = self._delete(folder_id, path)
            cursor = self.db.execute(
                "INSERT INTO documents (folder_id, path, size, mtime_ns, content_hash, kind, title, encoding,"
                " metadata, state, reason, details, reading, indexed_at)"
                " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    folder_id, path, size, mtime_ns, content_hash,
                    document.kind if document else "", document.title if document else "",
                    report.encoding, rows.dump(document.metadata if document else {}),
                    report.state.value, rows.dump_reason(report.reason), rows.dump_details(report, dropped),
                    reading, _now(),
                ),
            )  # fmt: skip
            document_id = int(cursor.lastrowid or 0)
            self.db.executemany(
                "INSERT INTO pages VALUES (?,?,?,?,?,?,?,?,?)",
                (rows.page(document_id, page) for page in pages),
            )
            self._add_vectors(vectors or {})
            title = document.title if document else ""
            new = []
            for i, chunk in enumerate(chunks):
                row = self.db.execute(
                    "INSERT INTO chunks (document_id, chunk, ordinal, page, page_end, spans, location,"
                    " section, text, prefix, overlap, tokens, vector_key) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    (*rows.chunk(document_id, chunk), keys[i] if keys else None),
                ).lastrowid
                lexical.add(self.db, int(row or 0), chunk.text, _heading(title, chunk.section), path)
                new.append(int(row or 0))
            self._drop_vectors(unused)
            self._raise_generation()
        self._cache.follow(old, new, self.generation)
        return len(old)

    def remove_file(self, folder_id: int, path: str) -> int:
        """Forget a file and all of its text. Returns the number of chunks removed; raises StorageFailed."""
        with self._transaction():
            old, unused = self._delete(folder_id, path)
            self._drop_vectors(unused)
            self._raise_generation()
        self._cache.follow(old, [], self.generation)
        return len(old)

    def touch(self, file: StoredFile, size: int, mtime_ns: int) -> None:
        """Note new file times for unchanged content."""
        with self._transaction():
            self.db.execute(
                "UPDATE documents SET size = ?, mtime_ns = ? WHERE id = ?", (size, mtime_ns, file.id)
            )

    def known_vectors(self, keys: Iterable[str]) -> set[str]:
        """Which of the vectors the library already has."""
        return {
            key
            for key in set(keys)
            if self.db.execute("SELECT 1 FROM vectors WHERE key = ?", (key,)).fetchone() is not None
        }

    def chunks_without_vectors(self) -> list[tuple[int, str, int]]:
        """Row id, embedder input and token count of chunks indexed while no embedder could be loaded."""
        rows_ = self.db.execute(
            "SELECT id, prefix || text, tokens FROM chunks WHERE vector_key IS NULL ORDER BY id"
        )
        return [tuple(row) for row in rows_]

    def add_vectors(self, keys: Mapping[int, str], vectors: Mapping[str, Vectors]) -> None:
        """Give chunks their vectors afterwards: row id to key, and those vectors that are not here yet.

        Raises:
            StorageFailed, IndexMismatch: as for :meth:`write_document`.
        """
        with self._transaction():
            self._add_vectors(vectors)
            self.db.executemany(
                "UPDATE chunks SET vector_key = ? WHERE id = ?", ((key, row) for row, key in keys.items())
            )
            self._raise_generation()
        self._cache.follow([], list(keys), self.generation)

    def _add_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        for key, vector in vectors.items():
            if vector.shape != (self.dimension,):
                raise IndexMismatch(path=self.file, found=list(vector.shape), expected=[self.dimension])
            data = vector.astype("<f4").tobytes()
            self.db.execute("INSERT OR IGNORE INTO vectors VALUES (?, ?)", (key, data))

    def _delete(self, folder_id: int, path: str) -> tuple[list[int], set[str]]:
        """Row ids of the file's chunks, which are gone, and the keys of their vectors, which are not."""
        found = self.db.execute(
            "SELECT id, title FROM documents WHERE folder_id = ? AND path = ?", (folder_id, path)
        ).fetchone()
        if found is None:
            return [], set()
        document_id, title = found
        old, keys = [], set()
        for row, text, section, key in self.db.execute(
            "SELECT id, text, section, vector_key FROM chunks WHERE document_id = ?", (document_id,)
        ).fetchall():
            lexical.remove(self.db, row, text, _heading(title, json.loads(section)), path)
            old.append(row)
            keys.add(key)
        self.db.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        if old:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('remains', '1')")
        return old, keys

    def _drop_vectors(self, keys: Iterable[str]) -> None:
        """Drop those of the vectors that no chunk has any more."""
        self.db.executemany(
            "DELETE FROM vectors WHERE key = ? AND NOT EXISTS"
            " (SELECT 1 FROM chunks WHERE chunks.vector_key = vectors.key)",
            ((key,) for key in keys),
        )

    def _raise_generation(self) -> None:
        self.db.execute(
            "INSERT INTO meta VALUES ('generation', '1')"
            " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
        )

    def _transaction(self) -> Transaction:
        return Transaction(self.db, self.file)

    # -- the vector store -------------------------------------------------------------------------

    @property
    def store(self) -> VectorStore:
        """The vector store of the current generation, loaded or rebuilt when first asked for."""
        return self._cache.store(self.generation)

    def checkpoint(self, *, build: bool = True) -> None:
        """After a round of writing: the vector store's file is made, what was removed leaves the disk.

        ``build`` false: no vector store is made where none was needed so far.

        Raises:
            StorageFailed: the library stands as it is.
        """
        if self.meta("remains"):
            with self._transaction():
                lexical.purge(self.db)
                self.db.execute("DELETE FROM meta WHERE key = 'remains'")
            # Without it the removed text would stay in the write-ahead log.
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._cache.save(self.generation, build)

    # -- reading ----------------------------------------------------------------------------------

    def chunks(self, ids: Iterable[int]) -> dict[int, rows.StoredChunk]:
        """Chunks by row id, with their documents' names."""
        found = {}
        for row in ids:
            stored = self.db.execute(rows.CHUNK_QUERY + " WHERE c.id = ?", (row,)).fetchone()
            if stored:
                found[row] = rows.stored_chunk(stored)
        return found

    def all_chunks(self) -> Iterator[rows.StoredChunk]:
        """All chunks in order of their row ids."""
        for stored in self.db.execute(rows.CHUNK_QUERY + " ORDER BY c.id"):
            yield rows.stored_chunk(stored)

    def rows_of(self, documents: Iterable[str]) -> list[int]:
        """Row ids of all chunks of the documents with these paths."""
        found: list[int] = []
        for document in sorted(documents):
            query = """SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id
                       WHERE d.path = ? ORDER BY c.id"""
            found.extend(row[0] for row in self.db.execute(query, (document,)))
        return found

    def page_texts(self, row: int) -> dict[int, str]:
        """The texts of the pages that a chunk lies on, by page number."""
        return dict(
            self.db.execute(
                "SELECT p.number, p.text FROM chunks c JOIN pages p ON p.document_id = c.document_id"
                " AND p.number BETWEEN c.page AND c.page_end WHERE c.id = ?",
                (row,),
            )
        )

    def pages(self, row: int, numbers: Sequence[int]) -> list[Page]:
        """Pages of the document that a chunk belongs to."""
        found = []
        for number in numbers:
            stored = self.db.execute(
                "SELECT p.number, p.text, p.label, p.location, p.from_ocr, p.width, p.height, p.boxes"
                " FROM chunks c JOIN pages p ON p.document_id = c.document_id"
                " WHERE c.id = ? AND p.number = ?",
                (row, number),
            ).fetchone()
            if stored:
                found.append(rows.stored_page(stored))
        return found

    def has_changed(self, row: int) -> bool:
        """Whether the chunk's file on disk is gone or is no longer the one that was indexed."""
        stored = self.chunks([row]).get(row)
        if stored is None or stored.file is None:
            return False
        known = self.db.execute(
            "SELECT size, mtime_ns FROM documents WHERE id = (SELECT document_id FROM chunks WHERE id = ?)",
            (row,),
        ).fetchone()
        try:
            facts = stored.file.stat()
        except OSError:
            return True
        return (facts.st_size, facts.st_mtime_ns) != tuple(known)


def _heading(title: str, section: Sequence[str]) -> str:
    return " ".join((title, *section))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
