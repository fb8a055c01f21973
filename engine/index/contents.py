"""What a library holds, for reading: its facts, its files, its chunks and their pages."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.documents import Page, Reason
from engine.events import FileReport
from engine.index import rows
from engine.index.naming import Names, distinct_names


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What is known of a file since it was last read; ``reading`` names how it was read.

    ``is_outdated``: today it would be read in another way. ``compared_at`` is when its bytes were last read
    (ISO 8601). ``copy_of`` is the document with the same bytes that holds its pages and chunks.
    """

    id: int
    folder_id: int
    path: str
    size: int
    mtime_ns: int
    content_hash: str | None
    reading: str
    report: FileReport
    compared_at: str | None = None
    copy_of: int | None = None
    is_outdated: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A document's name and its file, None where that is not on this machine, as it was when it was read."""

    document: str
    file: Path | None
    size: int
    mtime_ns: int

    @property
    def is_as_read(self) -> bool:
        """Whether the file is there and has not changed; one that is not on this machine cannot change."""
        if self.file is None:
            return True
        try:
            facts = self.file.stat()
        except OSError:
            return False
        return (facts.st_size, facts.st_mtime_ns) == (self.size, self.mtime_ns)


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

    def files(
        self, folder_id: int | None = None, document_id: int | None = None, below: str = ""
    ) -> list[StoredFile]:
        """Every file with its state, in order of its path; of one folder or one document only.

        ``below``: only what is this path of the folder, or lies in it.
        """
        query = """
            SELECT d.id, d.folder_id, d.path, d.size, d.mtime_ns, d.content_hash, d.reading,
                   d.indexed_at, d.copy_of, d.state, d.reason, coalesce(o.details, d.details), d.encoding,
                   (SELECT count(*) FROM pages p WHERE p.document_id = coalesce(o.id, d.id)),
                   (SELECT count(*) FROM chunks c WHERE c.document_id = d.id)
            FROM documents d LEFT JOIN documents o ON o.id = d.copy_of
            WHERE {where} ORDER BY d.path, d.folder_id"""
        values: list[int | str]
        # One condition each: SQLite uses no index for (? IS NULL OR …).
        if document_id is not None:
            where, values = "d.id = ?", [document_id]
        elif folder_id is not None and below:
            # 0 comes right after / : all paths that begin with the folder's.
            where = "d.folder_id = ? AND (d.path = ? OR d.path >= ? AND d.path < ?)"
            values = [folder_id, below, below + "/", below + "0"]
        elif folder_id is not None:
            where, values = "d.folder_id = ?", [folder_id]
        else:
            where, values = "TRUE", []
        folders, names = self.folders(), self._names()
        return [
            StoredFile(
                *(row, in_folder, path, size, mtime_ns, content_hash, reading),
                self._of_copy(rows.report(names.get((folders[in_folder], path), path), *state), copy_of),
                compared_at,
                copy_of,
            )
            for row, in_folder, path, size, mtime_ns, content_hash, reading, compared_at, copy_of, *state
            in self.db.execute(query.format(where=where), values).fetchall()
        ]  # fmt: skip

    def stored_file(self, folder_id: int, path: str) -> StoredFile | None:
        """One file by where it lies."""
        found = self.db.execute(
            "SELECT id FROM documents WHERE folder_id = ? AND path = ?", (folder_id, path)
        ).fetchone()
        return self.files(document_id=found[0])[0] if found else None

    def _of_copy(self, report: FileReport, original: int | None) -> FileReport:
        """Say of a copy which document holds its text."""
        if original is None:
            return report
        name = self._name_of(original)
        return replace(report, reason=report.reason or Reason("copy_of", {"document": name}), recognisable=())

    def _name_of(self, document_id: int) -> str:
        folder_id, path = self.db.execute(
            "SELECT folder_id, path FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        return self._names().get((self.folders()[folder_id], path), path)

    def _names(self) -> Names:
        """Names of the documents whose path occurs in several folders, of the current generation."""
        if self.db.execute("SELECT count(*) FROM folders").fetchone()[0] < 2:
            return {}
        if self._named is None or self._named[0] != self.generation:
            folders = self.folders()
            alike = self.db.execute(
                "SELECT folder_id, path FROM documents WHERE path IN"
                " (SELECT path FROM documents GROUP BY path HAVING count(*) > 1)"
            )
            files = [(folders[folder_id], path) for folder_id, path in alike]
            self._named = self.generation, distinct_names(files, list(folders.values()))
        return self._named[1]

    def names_in(self, states: Iterable[str]) -> list[tuple[str, str]]:
        """Names and states of the files in one of the states, in order of their paths."""
        marks = ",".join("?" * len(wanted := list(states)))
        found = self.db.execute(
            f"SELECT id, state FROM documents WHERE state IN ({marks}) ORDER BY path, folder_id", wanted
        ).fetchall()
        return [(self._name_of(document), state) for document, state in found]

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
        query = "SELECT id FROM chunks WHERE document_id = ? ORDER BY id"
        return [
            row
            for document_id in self.document_ids(documents)
            for (row,) in self.db.execute(query, (document_id,)).fetchall()
        ]

    def document_ids(self, documents: Iterable[str]) -> dict[int, None]:
        """Ids of the documents with these names, in order; of a copy that of the one that holds its text."""
        wanted, folders, names = frozenset(documents), self.folders(), self._names()
        return {
            document_id: None
            for document_id, folder_id, path in self.db.execute(
                "SELECT coalesce(copy_of, id), folder_id, path FROM documents"
            )
            if wanted & {path, names.get((folders[folder_id], path), path)}
        }

    def known_vectors(self, keys: Iterable[str]) -> set[str]:
        """Which of the vectors the library already has."""
        return {
            key
            for key in set(keys)
            if self.db.execute("SELECT 1 FROM vectors WHERE key = ?", (key,)).fetchone() is not None
        }

    def chunks_without_vectors(self) -> list[tuple[int, str, int]]:
        """Row id, embedder input and token count of chunks indexed while no embedder could be loaded."""
        found = self.db.execute(
            "SELECT id, prefix || text, tokens FROM chunks WHERE vector_key IS NULL ORDER BY id"
        )
        return [tuple(row) for row in found]

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

    def places(self, row: int) -> list[Place]:
        """Where the document of a chunk lies: the one that holds its text first, then its copies by path."""
        found = self.db.execute(
            "SELECT d.id, f.path, d.path, d.size, d.mtime_ns"
            " FROM documents d JOIN folders f ON f.id = d.folder_id"
            " WHERE d.id = (SELECT document_id FROM chunks WHERE id = ?1)"
            " OR d.copy_of = (SELECT document_id FROM chunks WHERE id = ?1)"
            " ORDER BY d.copy_of IS NOT NULL, d.path, d.folder_id",
            (row,),
        ).fetchall()
        return [
            Place(self._name_of(document), rows.file_path(Path(folder), path), size, mtime_ns)
            for document, folder, path, size, mtime_ns in found
        ]
