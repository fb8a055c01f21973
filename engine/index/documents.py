"""Writing documents and giving them other places: each change is a transaction that raises the generation."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from engine.errors import IndexMismatch
from engine.index import copies, writing
from engine.index.contents import Contents, StoredFile
from engine.index.database import Transaction
from engine.index.embedding import Vectors
from engine.index.stored_vectors import EPOCH
from engine.index.writing import FileRecord


class Documents(Contents):
    """The writing half of :class:`~engine.index.library.Library`.

    ``shifts`` counts how often documents have changed places, so that what was looked up before may not hold.
    """

    file: str
    shifts: int = 0

    @property
    @abstractmethod
    def dimension(self) -> int: ...

    @abstractmethod
    def _follow(self, old: Sequence[int], new: Sequence[int]) -> None:
        """Bring the vector store along: row ids of chunks that went and that came."""

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
        self._follow(old, new)
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
        self._follow(old, [])
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
        self._follow(old, [])
        return len(old)

    def remove_file(self, folder_id: int, path: str) -> int:
        """:meth:`remove_files` of one."""
        return self.remove_files([(folder_id, path)])

    def move_documents(
        self, moves: Sequence[tuple[int, int, str, int, int]], *, leave_first: bool = False
    ) -> None:
        """Give documents the folder, path, size and time of the files that hold their bytes now.

        What was in such a place before is forgotten, unless it is one of them and all ``leave_first``.

        Raises:
            StorageFailed: the old state stands.
        """
        with self.transaction():
            if leave_first:
                # No file has such a path; the terms of the name stay the same, and are taken out under it.
                self.db.executemany(
                    "UPDATE documents SET path = path || char(0) WHERE id = ?", ((move[0],) for move in moves)
                )
            old = []
            for document, folder_id, path, size, mtime_ns in moves:
                old += self._forget(folder_id, path)
                writing.move(self.db, document, folder_id, path)
                copies.note_times(self.db, document, size, mtime_ns)
            self.raise_generation()
        self._follow(old, [])

    def settle_copies(self) -> Iterator[None]:
        """Let each original be the one of its copies that comes first, one a step; raises StorageFailed."""
        for document in copies.unsettled(self.db):
            with self.transaction():
                copies.settle(self.db, document)
                self.raise_generation()
            self.shifts += 1
            self._follow([], [])
            yield

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
        self._follow([], [])

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
        self._follow([], list(keys))

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
