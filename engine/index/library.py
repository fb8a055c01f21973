"""One library: its SQLite file, which is the only truth, and the vector store that goes with it.

A document with its pages, chunks, vectors and terms is one transaction, so a kill at any moment leaves
whole documents. Every such transaction raises the generation; the FAISS file carries the generation it
was written at and is rebuilt from the vectors in SQLite when the two differ. One thread owns a library.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from engine.documents import Page
from engine.errors import CodedError, IndexMismatch, LibraryDamaged
from engine.events import FileReport
from engine.index import lexical, rows, writing
from engine.index.cache import VectorCache
from engine.index.database import Transaction, connect
from engine.index.embedding import Vectors
from engine.index.migrations import migrate
from engine.index.naming import Names, distinct_names
from engine.index.store import VectorStore
from engine.index.writing import FileRecord


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What is known of a file since it was last read; ``reading`` names how it was read.

    ``is_outdated``: today it would be read in another way.
    """

    id: int
    folder_id: int
    path: str
    size: int
    mtime_ns: int
    content_hash: str | None
    reading: str
    report: FileReport
    is_outdated: bool = False


class Library:
    """A library on disk, or in memory (``folder`` None) for portable indexes and single runs."""

    def __init__(self, folder: Path | None, *, dimension: int, threads: int = 1) -> None:
        """Open or create.

        Raises:
            LibraryDamaged: the SQLite file cannot be read, or is newer than this program.
            StorageFailed: it cannot be written.
        """
        self.folder = folder
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
        self._named: tuple[int, Names] | None = None
        self._cache = VectorCache(self.db, folder and folder / "index.faiss", dimension, threads)
        self.use_dimension(self.dimension)

    def close(self) -> None:
        self.db.close()

    # -- facts about the library ------------------------------------------------------------------

    def meta(self, key: str, default: str = "") -> str:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else default

    def set_meta(self, key: str, value: str) -> None:
        with self.transaction():
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def name(self) -> str:
        return self.meta("name")

    @property
    def generation(self) -> int:
        return int(self.meta("generation", "0"))

    @property
    def dimension(self) -> int:
        """Numbers a vector, of those that the library has; as it was opened while it has none."""
        return self._cache.dimension

    def use_dimension(self, dimension: int) -> None:
        """The vectors are another embedder's from now on (:mod:`engine.index.embedders`)."""
        self._cache.use_dimension(dimension)

    def chunk_count(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM chunks").fetchone()[0])

    def folders(self) -> dict[int, Path]:
        return {row[0]: Path(row[1]) for row in self.db.execute("SELECT id, path FROM folders ORDER BY id")}

    def folder_id(self, path: Path) -> int:
        """The id of a folder of this library, which is added when it is new."""
        with self.transaction():
            self.db.execute("INSERT OR IGNORE INTO folders (path) VALUES (?)", (str(path),))
        return int(self.db.execute("SELECT id FROM folders WHERE path = ?", (str(path),)).fetchone()[0])

    def files(self, folder_id: int | None = None, document_id: int | None = None) -> list[StoredFile]:
        """Every file with its state, in order of its path; of one folder or one document only."""
        query = """
            SELECT d.id, folder_id, path, size, mtime_ns, content_hash, reading,
                   state, reason, details, encoding,
                   (SELECT count(*) FROM pages p WHERE p.document_id = d.id),
                   (SELECT count(*) FROM chunks c WHERE c.document_id = d.id)
            FROM documents d WHERE (?1 IS NULL OR folder_id = ?1) AND (?2 IS NULL OR d.id = ?2)
            ORDER BY path, folder_id"""
        folders, names = self.folders(), self._names()
        found = self.db.execute(query, (folder_id, document_id))
        return [
            StoredFile(
                *(document_id, in_folder, path, size, mtime_ns, content_hash, reading),
                rows.report(names.get((folders[in_folder], path), path), *state),
            )
            for document_id, in_folder, path, size, mtime_ns, content_hash, reading, *state in found
        ]

    def _names(self) -> Names:
        """Names of the documents whose path occurs in several folders, of the current generation."""
        if self._named is None or self._named[0] != self.generation:
            folders = self.folders()
            alike = self.db.execute(
                "SELECT folder_id, path FROM documents WHERE path IN"
                " (SELECT path FROM documents GROUP BY path HAVING count(*) > 1)"
            )
            files = [(folders[folder_id], path) for folder_id, path in alike]
            self._named = self.generation, distinct_names(files, list(folders.values()))
        return self._named[1]

    def counts(self) -> dict[str, int]:
        """Files by state."""
        return dict(self.db.execute("SELECT state, count(*) FROM documents GROUP BY state ORDER BY state"))

    def last_sync(self) -> str | None:
        """When all of its folders were last looked through to the end, ISO 8601 in UTC.

        For a library that does not know, when a file was last read; None where there is none.
        """
        if noted := self.meta("last_sync"):
            return noted
        found = self.db.execute("SELECT max(indexed_at) FROM documents").fetchone()[0]
        return str(found) if found else None

    def note_sync(self) -> None:
        """All of its folders have been looked through just now; raises StorageFailed."""
        self.set_meta("last_sync", datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def is_paused(self) -> bool:
        """Whether it is brought up to date only when it is named."""
        return bool(self.meta("paused"))

    def set_paused(self, paused: bool) -> None:
        """Raises StorageFailed."""
        self.set_meta("paused", "1" if paused else "")

    def size_bytes(self) -> int:
        """Bytes on disk."""
        if self.folder is None:
            return 0
        return sum(file.stat().st_size for file in self.folder.iterdir() if file.is_file())

    # -- writing ----------------------------------------------------------------------------------

    def write_document(self, record: FileRecord) -> int:
        """Replace everything known of a file, in one transaction. Returns the number of chunks replaced.

        Raises:
            StorageFailed: the old state stands.
            IndexMismatch: a vector has another dimension than the library; the old state stands.
        """
        with self.transaction():
            old, unused = self._forget(record.folder_id, record.path)
            self._add_vectors(record.vectors)
            new = writing.insert(self.db, record)
            writing.drop_vectors(self.db, unused)
            self.raise_generation()
        self._cache.follow(old, new, self.generation)
        return len(old)

    def remove_file(self, folder_id: int, path: str) -> int:
        """Forget a file and all of its text. Returns the number of chunks removed; raises StorageFailed."""
        with self.transaction():
            old, unused = self._forget(folder_id, path)
            writing.drop_vectors(self.db, unused)
            self.raise_generation()
        self._cache.follow(old, [], self.generation)
        return len(old)

    def move_files(self, paths: Mapping[int, str], source: int, target: int) -> None:
        """Give documents, by their ids with their new paths, to another folder; ``source`` leaves the list.

        Raises:
            StorageFailed: the old state stands.
        """
        with self.transaction():
            for document_id, path in paths.items():
                writing.move(self.db, document_id, target, path)
            self.db.execute("DELETE FROM folders WHERE id = ?", (source,))
            self.raise_generation()
        self._cache.follow([], [], self.generation)

    def _forget(self, folder_id: int, path: str) -> tuple[list[int], set[str]]:
        old, keys = writing.delete(self.db, folder_id, path)
        if old:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('remains', '1')")
        return old, keys

    def touch(self, file: StoredFile, size: int, mtime_ns: int) -> None:
        """Note new file times for unchanged content."""
        with self.transaction():
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
        with self.transaction():
            self._add_vectors(vectors)
            self.db.executemany(
                "UPDATE chunks SET vector_key = ? WHERE id = ?", ((key, row) for row, key in keys.items())
            )
            self.raise_generation()
        self._cache.follow([], list(keys), self.generation)

    def _add_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        expected = (self.dimension,)
        for key, vector in vectors.items():
            if vector.shape != expected:
                raise IndexMismatch(path=self.file, found=list(vector.shape), expected=list(expected))
            data = vector.astype("<f4").tobytes()
            self.db.execute("INSERT OR IGNORE INTO vectors VALUES (?, ?)", (key, data))

    def raise_generation(self) -> None:
        """Say inside a transaction that the vector store's file no longer fits."""
        self.db.execute(
            "INSERT INTO meta VALUES ('generation', '1')"
            " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
        )

    def transaction(self) -> Transaction:
        """For one write of its own; storage failures become typed errors."""
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
            with self.transaction():
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
                found[row] = rows.stored_chunk(stored, self._names())
        return found

    def all_chunks(self) -> Iterator[rows.StoredChunk]:
        """All chunks in order of their row ids."""
        for stored in self.db.execute(rows.CHUNK_QUERY + " ORDER BY c.id"):
            yield rows.stored_chunk(stored, self._names())

    def rows_of(self, documents: Iterable[str]) -> list[int]:
        """Row ids of all chunks of the documents with these names."""
        wanted, folders, names = frozenset(documents), self.folders(), self._names()
        found: list[int] = []
        for document_id, folder_id, path in self.db.execute("SELECT id, folder_id, path FROM documents"):
            if wanted & {path, names.get((folders[folder_id], path), path)}:
                query = "SELECT id FROM chunks WHERE document_id = ? ORDER BY id"
                found.extend(row[0] for row in self.db.execute(query, (document_id,)))
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
                f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE number = ?2"
                " AND document_id = (SELECT document_id FROM chunks WHERE id = ?1)",
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
