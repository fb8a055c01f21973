"""How much of a library is indexed while files that the last scan met are still to be read.

What the scan found is noted in the library, so that another program that answers from it knows, too, and so
that a sync that was stopped is not taken for a finished one.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.config import Settings
from engine.documents import FileState
from engine.index.library import Library
from engine.intake import kinds
from engine.intake.changes import Candidate

_FACT = "awaited"

_SETTLED = "content_hash IS NOT NULL AND state <> 'excluded'"
"""Of files that were looked into; those that are settled by their name alone say nothing of the progress."""


def note(
    library: Library, candidates: Sequence[Candidate], folders: Iterable[Path], settings: Settings
) -> bool:
    """Note how many files are to be read; returns whether :func:`settle` may be called at the end.

    A sync of some ``folders`` only leaves standing what a stopped sync of all of them noted.
    """
    is_whole = set(folders) >= set(library.folders().values())
    if library.meta(_FACT) and not is_whole:
        return False
    waiting = [item for item in candidates if _is_waiting(item)]
    known, last_id = library.db.execute(
        f"SELECT coalesce(sum({_SETTLED}), 0), coalesce(max(id), 0) FROM documents"
    ).fetchone()
    found = {
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "last_id": last_id,
        "files": known + sum(item.stored is None for item in waiting),
        "waiting": len(waiting),
        "ocr": settings.ocr,
    }
    library.set_meta(_FACT, json.dumps(found) if waiting else "")
    return bool(waiting)


def settle(library: Library) -> None:
    """Every file has reached its state."""
    library.set_meta(_FACT, "")


def share(libraries: Iterable[Library]) -> float:
    """Files of these libraries that are read, of all that are to be: 1 when none is awaited."""
    files = waiting = 0
    for library in libraries:
        of_library, still = _figures(library)
        files += of_library
        waiting += still
    return 1.0 if not waiting else 1 - waiting / files


def _figures(library: Library) -> tuple[int, int]:
    """All files that are to be read, and how many of them wait."""
    noted = library.meta(_FACT)
    if not noted:
        known = f"SELECT coalesce(sum({_SETTLED}), 0) FROM documents"
        return int(library.db.execute(known).fetchone()[0]), 0
    found = json.loads(noted)
    # A page that is a picture is read last: until then its file is not done.
    later = FileState.NEEDS_OCR.value if found["ocr"] else ""
    # What was written since then has a new row, or a later time where only that was noted.
    done = library.db.execute(
        f"SELECT count(*) FROM documents WHERE {_SETTLED} AND state <> ? AND (id > ? OR indexed_at > ?)",
        (later, found["last_id"], found["since"]),
    ).fetchone()[0]
    return int(found["files"]), max(0, int(found["waiting"]) - int(done))


def _is_waiting(candidate: Candidate) -> bool:
    """Whether a file will be looked into: it is new, or not as it was when it was read."""
    found, stored = candidate.found, candidate.stored
    if found.excluded is not None or found.unreadable is not None or kinds.unsupported(found.path):
        return False
    return stored is None or stored.is_outdated or not candidate.is_as_stored
