"""One library: its SQLite file, which is the only truth, and the vector store that goes with it.

A document with its pages, chunks, vectors and terms is one transaction, so a kill at any moment leaves
whole documents. Every such transaction raises the generation; the FAISS file carries the generation it
was written at and is brought up to date from SQLite when the two differ. One thread owns a library.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from engine.errors import CodedError, IndexMismatch, LibraryDamaged, TeamStoreUnreachable
from engine.index import copies, lexical, writing
from engine.index.cache import VectorCache
from engine.index.contents import Contents, StoredFile
from engine.index.database import Transaction, connect
from engine.index.embedding import Vectors
from engine.index.migrations import migrate
from engine.index.stored_vectors import EPOCH, StoredVectors
from engine.index.team_cache import TeamCache
from engine.index.team_target import TEAM_STORE, TeamTarget
from engine.index.vector_store import VectorStore
from engine.index.writing import FileRecord

_SMALL, _WORTH_IT, _DAY_S = 5_000, 20, 24 * 3600
"""Chunks of a library that is merged at once; of a larger one this part must have been removed."""


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
        self._stored = StoredVectors(self.db, dimension)
        self._local = VectorCache(self._stored, folder and folder / "index.faiss", threads)
        self._team = self._team_cache()  # now: both look at their files before anything is written
        self.use_dimension(self.dimension)
        self.shifts = 0
        """How often documents have changed places, so that what was looked up before may not hold."""

    def close(self) -> None:
        if self._team is not None:
            self._team.close()
        self.db.close()

    # -- facts about the library ------------------------------------------------------------------

    def set_meta(self, key: str, value: str) -> None:
        with self.transaction():
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def dimension(self) -> int:
        """Numbers a vector, of those that the library has; as it was opened while it has none."""
        return self._stored.dimension

    def use_dimension(self, dimension: int) -> None:
        """The vectors are another embedder's from now on (:mod:`engine.index.embedders`)."""
        self._stored.use_dimension(dimension)

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
            known = self._document(record.folder_id, record.path)
            holds_the_same = known is not None and known[1] == record.content_hash
            heirs = copies.of(self.db, known[0]) if known is not None and holds_the_same else []
            self.db.executemany("UPDATE documents SET copy_of = NULL WHERE id = ?", ((i,) for i in heirs))
            old = self._forget(record.folder_id, record.path)
            self._add_vectors(record.vectors)
            document_id, new = writing.insert(self.db, record)
            self.db.executemany(
                "UPDATE documents SET copy_of = ?, state = iif(state = 'unreadable', state, ?) WHERE id = ?",
                ((document_id, record.report.state.value, heir) for heir in heirs),
            )
            self.raise_generation()
        self._cache.follow(old, new, self.generation)
        return len(old)

    def write_copy(self, record: FileRecord, original: int) -> int:
        """Store a file that holds what the document ``original`` holds (:mod:`engine.index.copies`).

        Returns the number of chunks that went; raises StorageFailed: the old state stands.
        """
        with self.transaction():
            old = self._forget(record.folder_id, record.path)
            copies.add(self.db, record, original)
            self.shifts += 1
            self.raise_generation()
        self._cache.follow(old, [], self.generation)
        return len(old)

    def remove_files(self, files: Iterable[tuple[int, str]]) -> int:
        """Forget files, by folder and path, in one transaction, with all of their text.

        A file of which a copy is there leaves its text to that one. Returns the number of chunks removed.

        Raises:
            StorageFailed: the old state stands.
        """
        with self.transaction():
            old = [row for folder_id, path in files for row in self._forget(folder_id, path)]
            self.raise_generation()
        self._cache.follow(old, [], self.generation)
        return len(old)

    def remove_file(self, folder_id: int, path: str) -> int:
        """:meth:`remove_files` of one."""
        return self.remove_files([(folder_id, path)])

    def park(self, documents: Iterable[int]) -> None:
        """Take documents out of their places, which others will have; :meth:`move_documents` follows.

        One that is left so by a kill is found again by its bytes, or goes with the next sync, as its path
        is no file's.
        """
        with self.transaction():
            # The terms of the name stay the same, and are taken out under it.
            self.db.executemany(
                "UPDATE documents SET path = path || char(0) WHERE id = ?", ((i,) for i in documents)
            )

    def move_documents(self, moves: Iterable[tuple[int, int, str, int, int]]) -> None:
        """Give documents the folder, path, size and time of the files that hold their bytes now.

        What was in such a place before is forgotten.

        Raises:
            StorageFailed: the old state stands.
        """
        with self.transaction():
            old = []
            for document, folder_id, path, size, mtime_ns in moves:
                old += self._forget(folder_id, path)
                writing.move(self.db, document, folder_id, path)
                copies.note_times(self.db, document, size, mtime_ns)
            self.raise_generation()
        self._cache.follow(old, [], self.generation)

    def settle_copies(self) -> None:
        """Let each original be the one of its copies that comes first; raises StorageFailed."""
        for document in copies.unsettled(self.db):
            with self.transaction():
                copies.settle(self.db, document)
                self.raise_generation()
            self.shifts += 1
            self._cache.follow([], [], self.generation)

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

    def _document(self, folder_id: int, path: str) -> tuple[int, str | None] | None:
        """Row id and content hash of a file."""
        found: tuple[int, str | None] | None = self.db.execute(
            "SELECT id, content_hash FROM documents WHERE folder_id = ? AND path = ?", (folder_id, path)
        ).fetchone()
        return found

    def _forget(self, folder_id: int, path: str) -> list[int]:
        known = self._document(folder_id, path)
        if known is None:
            return []
        if copies.hand_over(self.db, known[0]):
            self.shifts += 1
            return []
        if old := writing.delete(self.db, known[0]):
            self.db.execute(
                "INSERT INTO meta VALUES ('remains', ?1)"
                " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + ?1",
                (len(old),),
            )
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('loose_vectors', '1')")
        return old

    def touch(self, file: StoredFile, size: int, mtime_ns: int) -> None:
        """Note new file times for unchanged content, which has been compared just now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self.transaction():
            self.db.execute(
                "UPDATE documents SET size = ?, mtime_ns = ?, indexed_at = ? WHERE id = ?",
                (size, mtime_ns, now, file.id),
            )

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
        """Say inside a transaction that the vector store is no longer up to date."""
        self.db.execute(
            "INSERT INTO meta VALUES ('generation', '1')"
            " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
        )

    def raise_epoch(self) -> None:
        """Say inside a transaction that rows which stay have other vectors now, so that no store fits."""
        self.raise_generation()
        self.db.execute(
            "INSERT INTO meta VALUES (?, '1')"
            " ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
            (EPOCH,),
        )

    def transaction(self) -> Transaction:
        """For one write of its own; storage failures become typed errors."""
        return Transaction(self.db, self.file)

    # -- the vector store -------------------------------------------------------------------------

    def vectors(self, rows: Sequence[int]) -> Vectors:
        """Vectors from SQLite of those of the rows that have one, in order; shape (n, dimension)."""
        blocks = [vectors for _, vectors in self._stored.blocks(rows)]
        return np.concatenate([np.zeros((0, self.dimension), np.float32), *blocks])

    @property
    def team_store(self) -> TeamTarget | None:
        """The server that this library shares its vectors and text with; None: nothing leaves the machine."""
        return TeamTarget.from_text(self.meta(TEAM_STORE))

    @property
    def team_problem(self) -> TeamStoreUnreachable | None:
        """Why that server did not answer when it was last asked."""
        return None if self._team is None else self._team.problem

    @property
    def _cache(self) -> VectorCache | TeamCache:
        """Another process may have shared the library or taken that back."""
        target = self.team_store
        if (None if self._team is None else self._team.target) != target:
            if self._team is not None:
                self._team.close()
            self._team = self._team_cache()
        return self._team or self._local

    def _team_cache(self) -> TeamCache | None:
        sums = None if self.folder is None else self.folder / "team.sums"
        target = self.team_store
        return None if target is None else TeamCache(self.db, self._stored, sums, target)

    def drop_team_copy(self) -> None:
        """Take what is shared off the server; raises TeamStoreUnreachable, as long as it is shared."""
        if isinstance(self._cache, TeamCache):
            self._cache.drop()

    @property
    def store(self) -> VectorStore:
        """The vector store of the current generation, loaded or rebuilt when first asked for.

        Raises:
            TeamStoreUnreachable: the library is shared, and the server does not answer.
        """
        return self._cache.store(self.generation)

    def cleaning(self, *, thoroughly: bool = False) -> Iterator[None]:
        """Take what was removed off the disk, in short steps; raises StorageFailed.

        Terms of removed text leave the lexical index only when all of it is merged, which costs some 0.1 s
        for 1,000 chunks: in a large library that waits until it is worth it, a day at most, unless it is
        to be done ``thoroughly``. (FTS5's own secure-delete needs SQLite 3.42 and makes files that earlier
        versions cannot read.)
        """
        if self.meta("loose_vectors") and not self.meta("embedder_coming"):  # no chunk names those yet
            with self.transaction():
                writing.drop_unused_vectors(self.db)
                self.db.execute("DELETE FROM meta WHERE key = 'loose_vectors'")
            yield
        if not self._is_worth_merging(thoroughly):
            return
        is_pure, first = False, True
        while not is_pure:
            with self.transaction():
                is_pure = lexical.purge(self.db, first=first)
            first = False
            yield
        with self.transaction():
            self.db.execute("DELETE FROM meta WHERE key = 'remains'")
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('merged_at', ?)", (str(int(time.time())),))
        # Without it the removed text would stay in the write-ahead log.
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _is_worth_merging(self, thoroughly: bool) -> bool:
        removed, count = int(self.meta("remains", "0")), self.chunk_count()
        if not removed or thoroughly or count < _SMALL:
            return bool(removed)
        # abs(): a clock may go back.
        return removed * _WORTH_IT > count or abs(time.time() - int(self.meta("merged_at", "0"))) > _DAY_S

    def checkpoint(self, *, build: bool = True) -> None:
        """After a round of writing: what was removed leaves the disk, the vector store's file is made.

        ``build`` false: no vector store is made where none was needed so far.

        Raises:
            StorageFailed: the library stands as it is.
        """
        for _ in self.cleaning():
            pass
        self._cache.save(self.generation, build)
