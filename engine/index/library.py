"""One library: its SQLite file, which is the only truth, and the vector store that goes with it.

A document with its pages, chunks, vectors and terms is one transaction, so a kill at any moment leaves
whole documents. Every such transaction raises the generation; the FAISS file carries the generation it
was written at and is brought up to date from SQLite when the two differ. One thread owns a library.
"""

import logging
import sqlite3
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from engine.errors import CodedError, LibraryDamaged, TeamStoreUnreachable
from engine.index import lexical, writing
from engine.index.cache import VectorCache
from engine.index.database import connect
from engine.index.documents import Documents
from engine.index.embedding import Vectors
from engine.index.migrations import migrate
from engine.index.stored_vectors import StoredVectors
from engine.index.team_cache import TeamCache
from engine.index.team_target import TEAM_STORE, TeamTarget
from engine.index.vector_store import VectorStore
from engine.steps import finish, in_thread

_log = logging.getLogger(__name__)

_SMALL, _WORTH_IT, _DAY_S = 5_000, 20, 24 * 3600
"""Chunks of a library that is merged at once; of a larger one this part must have been removed."""


class Library(Documents):
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

    def _follow(self, old: Sequence[int], new: Sequence[int]) -> None:
        self._cache.follow(old, new, self.generation)

    @property
    def store(self) -> VectorStore:
        """The vector store of the current generation, loaded or rebuilt when first asked for.

        Raises:
            TeamStoreUnreachable: the library is shared, and the server does not answer.
        """
        return self._cache.store(self.generation)

    def cleaning(self, *, thoroughly: bool = False) -> Generator[None, None, None]:
        """Take what was removed off the disk, in short steps; raises StorageFailed.

        Terms of removed text leave the lexical index only when all of it is merged, and copies of rows that
        SQLite left behind when it moved them about (it overwrites none of those) when the file is written
        anew. Both together cost some 0.15 s for 1,000 chunks: in a large library that waits until it is worth
        it, a day at most, unless it is to be done ``thoroughly``. (FTS5's own secure-delete needs SQLite 3.42
        and makes files that earlier versions cannot read.)
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
        if not (yield from self._write_anew()):
            return  # next time
        with self.transaction():
            self.db.execute("DELETE FROM meta WHERE key = 'remains'")
            self.db.execute("INSERT OR REPLACE INTO meta VALUES ('merged_at', ?)", (str(int(time.time())),))
        # Without it the removed text would stay in the write-ahead log.
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _write_anew(self) -> Generator[None, None, bool]:
        """SQLite's VACUUM, in a thread: a question may be answered meanwhile. False: it could not be done.

        It needs as much space again for a while, and somebody who writes to the library comes first.
        """
        if self.folder is None:
            return True

        def vacuum() -> None:
            with closing(connect(Path(self.file))) as db:
                db.execute("VACUUM")

        try:
            yield from in_thread(vacuum)
        except sqlite3.OperationalError as exc:
            _log.warning("the library could not be written anew: %s", exc)
            return False
        return True

    def _is_worth_merging(self, thoroughly: bool) -> bool:
        removed, count = int(self.meta("remains", "0")), self.chunk_count()
        if not removed or thoroughly or count < _SMALL:
            return bool(removed)
        # abs(): a clock may go back.
        return removed * _WORTH_IT > count or abs(time.time() - int(self.meta("merged_at", "0"))) > _DAY_S

    def save_store(self, *, build: bool = True) -> None:
        """Write the vector store's file where that is worth it; raises StorageFailed.

        ``build`` false: no vector store is made where none was needed so far.
        """
        self._cache.save(self.generation, build)

    def checkpoint(self, *, build: bool = True) -> None:
        """:meth:`cleaning` and :meth:`save_store` at once, after a round of writing; raises StorageFailed."""
        finish(self.cleaning())
        self.save_store(build=build)
