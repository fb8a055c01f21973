"""The file that is being read right now, noted on disk so that it is known after a crash.

A file that is found here when nobody reads ended the program together with itself: it is set aside as
it is and not read again by itself, or every start would die of it.
"""

from engine.documents import FileState, Reason
from engine.events import FileReport
from engine.index.library import Library
from engine.index.writing import FileRecord


def begin(library: Library, record: FileRecord) -> None:
    """Note that this file is being read; only its identity is taken from ``record``."""
    with library.transaction():
        library.db.execute(
            "INSERT OR REPLACE INTO work VALUES (?, ?, ?, ?, ?, ?)",
            (
                record.folder_id, record.path, record.size, record.mtime_ns, record.content_hash or "",
                record.reading,
            ),
        )  # fmt: skip


def end(library: Library) -> None:
    """Nothing is being read any more: written, stopped or failed in an orderly way."""
    with library.transaction():
        library.db.execute("DELETE FROM work")


def set_aside(library: Library) -> int:
    """Set aside what a crash left; call it while holding the library's write lock.

    Returns the number of files.
    """
    found = library.db.execute(
        "SELECT folder_id, path, size, mtime_ns, content_hash, reading FROM work"
    ).fetchall()
    for folder_id, path, size, mtime_ns, content_hash, reading in found:
        report = FileReport(path, FileState.SET_ASIDE, Reason("ended_abruptly"))
        library.write_document(
            FileRecord(folder_id, path, size, mtime_ns, content_hash or None, report, reading)
        )
    if found:
        end(library)
    return len(found)
