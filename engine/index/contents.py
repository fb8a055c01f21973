"""What a library holds, for reading: its facts, its files, its chunks and their pages."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.documents import Page
from engine.events import FileReport
from engine.index import rows
from engine.index.naming import Names, distinct_names


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


class Contents:
    """The reading half of :class:`~engine.index.library.Library`; ``folder`` None: in memory."""

    def __init__(self, db: sqlite3.Connection, folder: Path | None) -> None:
        self.db = db
        self.folder = folder
        self._named: tuple[int, Names] | None = None

    # -- facts ------------------------------------------------------------------------------------

    def meta(self, key: str, default: str = "") -> str:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else default

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

    @property
    def is_paused(self) -> bool:
        """Whether it is brought up to date only when it is named."""
        return bool(self.meta("paused"))

    def size_bytes(self) -> int:
        """Bytes on disk."""
        if self.folder is None:
            return 0
        return sum(file.stat().st_size for file in self.folder.iterdir() if file.is_file())

    # -- files ------------------------------------------------------------------------------------

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

    # -- chunks and pages -------------------------------------------------------------------------

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
