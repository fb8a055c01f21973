"""Everything a library holds of one document, for people who want to see what was read and how it was cut."""

from dataclasses import dataclass
from pathlib import Path

from engine.documents import Chunk, Dropped, Page
from engine.errors import LibraryUnknown
from engine.events import FileReport
from engine.index import rows
from engine.index.library import Library


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored: pages and chunks in order; ``path`` is the file on disk."""

    report: FileReport
    title: str
    path: Path | None
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...]
    dropped: tuple[Dropped, ...]


def stored_document(library: Library, name: str) -> StoredDocument:
    """The document of this name.

    Raises:
        LibraryUnknown: the library holds no such document.
    """
    file = next((file for file in library.files() if file.report.path == name), None)
    if file is None:
        raise LibraryUnknown(name=name)
    title, details = library.db.execute(
        "SELECT title, details FROM documents WHERE id = ?", (file.id,)
    ).fetchone()
    pages = library.db.execute(
        f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE document_id = ? ORDER BY number", (file.id,)
    )
    chunks = library.db.execute(
        rows.CHUNK_QUERY + " WHERE c.document_id = ? ORDER BY c.ordinal", (file.id,)
    ).fetchall()
    return StoredDocument(
        file.report,
        title,
        rows.file_path(library.folders()[file.folder_id], file.path),
        tuple(map(rows.stored_page, pages)),
        tuple(rows.stored_chunk(row, {}).chunk for row in chunks),
        rows.dropped(details),
    )
