"""A file that cannot be read for the moment keeps what was indexed of it.

Another program holds it, rights were taken away, a network does not answer: that says nothing about what
stands in the file. Its row says that it is unreadable and keeps, in ``details``, what to go back to.
"""

import json

from engine.documents import FileState, Reason
from engine.events import FileReport
from engine.index import rows
from engine.index.contents import StoredFile
from engine.index.library import Library

KEPT = rows.KEPT

_MOMENTARY = frozenset({"locked", "no_permission", "read_failed"})


def is_momentary(reason: Reason | None) -> bool:
    """Whether the file may well be read again; one that vanished or became a pipe is gone."""
    return reason is not None and reason.code in _MOMENTARY


def is_kept(stored: StoredFile | None) -> bool:
    """Whether the file could not be read the last time, and what is stored is from before."""
    return stored is not None and stored.report.reason is not None and stored.report.reason.code == KEPT


def can_keep(stored: StoredFile | None, report: FileReport) -> bool:
    """Whether there is something to keep of a file of which ``report`` is true now."""
    if report.state is not FileState.UNREADABLE or not is_momentary(report.reason):
        return False
    return stored is not None and stored.report.pages > 0


def keep(library: Library, stored: StoredFile, report: FileReport) -> FileReport:
    """Say that the file cannot be read, and leave its pages, passages and vectors.

    Size and time stay those of the bytes that were indexed, so that a change in between is noticed.

    Raises:
        StorageFailed: the old state stands.
    """
    assert report.reason is not None, "can_keep() was asked"
    why = Reason(KEPT, {"why": report.reason.code, **report.reason.params})
    if stored.report.reason != why:
        state, before, details = _row(library, stored)
        more = json.loads(details)
        more.setdefault(KEPT, {"state": state, "reason": before})
        _update(library, stored, FileState.UNREADABLE.value, rows.dump_reason(why), more)
    return library.files(document_id=stored.id)[0].report


def release(library: Library, stored: StoredFile) -> FileReport:
    """The file can be read again and is the one that was indexed: it has the state from before.

    Raises:
        StorageFailed: the file stays marked.
    """
    more = json.loads(_row(library, stored)[2])
    before = more.pop(KEPT)
    _update(library, stored, before["state"], before["reason"], more)
    return library.files(document_id=stored.id)[0].report


def _row(library: Library, stored: StoredFile) -> tuple[str, str | None, str]:
    found: tuple[str, str | None, str] = library.db.execute(
        "SELECT state, reason, details FROM documents WHERE id = ?", (stored.id,)
    ).fetchone()
    return found


def _update(
    library: Library, stored: StoredFile, state: str, reason: str | None, details: dict[str, object]
) -> None:
    # No passage changes, so the generation stays and no index is made anew.
    with library.transaction():
        library.db.execute(
            "UPDATE documents SET state = ?, reason = ?, details = ? WHERE id = ?",
            (state, reason, rows.dump(details), stored.id),
        )
