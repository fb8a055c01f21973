"""One library: its SQLite file, which is the only truth, and the vector store that goes with it.

A document with its pages, chunks, vectors and terms is one transaction, so a kill at any moment leaves
whole documents. Every such transaction raises the generation; the FAISS file carries the generation it
was written at and is rebuilt from the vectors in SQLite when the two differ. One thread owns a library.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import CodedError, IndexMismatch, LibraryDamaged
from engine.index import lexical, writing
from engine.index.cache import VectorCache
from engine.index.contents import Contents, StoredFile
from engine.index.database import Transaction, connect
from engine.index.embedding import Vectors
from engine.index.migrations import migrate
from engine.index.store import VectorStore
from engine.index.writing import FileRecord


class Library(Contents):
    """A library on disk, or in memory (``folder`` None) for portable indexes and single runs."""

    def __init__(self, folder: Path | None, *, dimension: int, threads: int = 1) -> None:
        """Open or create.

        Raises:
            LibraryDamaged: the SQLite file cannot be read, or is newer than this program.
            StorageFailed: it cannot be written.
        """
        file = None if folder is None else folder / "library.sqlite"
        self.file = str(file) if file else ":memory:"
        super().__init__(connect(file), folder)
        try:
            migrate(self.db, self.file)
        except CodedError:
            self.db.close()
            raise
        except sqlite3.DatabaseError as exc:
            self.db.close()
            raise LibraryDamaged(path=self.file, detail=str(exc)) from exc
        self._cache = VectorCache(self.db, folder and folder / "index.faiss", dimension, threads)
        self.use_dimension(self.dimension)

    def close(self) -> None:
        self.db.close()

    # -- facts about the library ------------------------------------------------------------------

    def set_meta(self, key: str, value: str) -> None:
        with self.transaction():
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def dimension(self) -> int:
        """Numbers a vector, of those that the library has; as it was opened while it has none."""
        return self._cache.dimension

    def use_dimension(self, dimension: int) -> None:
        """The vectors are another embedder's from now on (:mod:`engine.index.embedders`)."""
        self._cache.use_dimension(dimension)

    def folder_id(self, path: Path) -> int:
        """The id of a folder of this library, which is added when it is new."""
        with self.transaction():
            self.db.execute("INSERT OR IGNORE INTO folders (path) VALUES (?)", (str(path),))
        return int(self.db.execute("SELECT id FROM folders WHERE path = ?", (str(path),)).fetchone()[0])

    def note_sync(self) -> None:
        """All of its folders have been looked through just now; raises StorageFailed."""
        self.set_meta("last_sync", datetime.now(UTC).isoformat(timespec="seconds"))

    def set_paused(self, paused: bool) -> None:
        """Raises StorageFailed."""
        self.set_meta("paused", "1" if paused else "")

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
