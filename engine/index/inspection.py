"""Everything a library holds of one document, for people who want to see what was read and how it was cut."""

from engine.errors import LibraryUnknown
from engine.events import DocumentInspected
from engine.index import rows
from engine.index.library import Library


def inspect(library: Library, name: str, task_id: int = 0) -> DocumentInspected:
    """The document of this name as it is stored.

    Raises:
        LibraryUnknown: the library holds no such document.
    """
    file = next((file for file in library.files() if file.report.path == name), None)
    if file is None:
        raise LibraryUnknown(name=name)
    holder = file.copy_of or file.id
    title, details = library.db.execute(
        "SELECT title, details FROM documents WHERE id = ?", (holder,)
    ).fetchone()
    pages = library.db.execute(
        f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE document_id = ? ORDER BY number", (holder,)
    )
    chunks = library.db.execute(
        rows.CHUNK_QUERY + " WHERE c.document_id = ? ORDER BY c.ordinal", (holder,)
    ).fetchall()
    return DocumentInspected(
        task_id,
        library.name,
        file.report,
        title,
        rows.file_path(library.folders()[file.folder_id], file.path),
        tuple(map(rows.stored_page, pages)),
        tuple(rows.stored_chunk(row, {}).chunk for row in chunks),
        rows.dropped(details),
    )
