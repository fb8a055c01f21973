"""How the libraries stand, in figures."""

import sqlite3

from engine import shelf, team
from engine.errors import CodedError
from engine.index import folders, outcome
from engine.index.database import storage_error
from engine.intake.selection import Selection
from engine.standing import LibrarySummary
from engine.workspace import Workspace


def of(workspace: Workspace, name: str) -> LibrarySummary:
    """The figures of one library; raises what keeps it from being opened."""
    library = workspace.libraries.open(name)
    selection = Selection.of(library)
    offline = folders.offline(library)
    return LibrarySummary(
        library.name,
        tuple(str(folder) for folder in library.folders().values()),
        library.counts(),
        library.chunk_count(),
        library.size_bytes(),
        library.meta("model") or None,
        library.last_sync(),
        workspace.settings_of(library).profile,
        shelf.is_busy(library),
        library.is_paused,
        tuple(map(str, offline)),
        selection.include,
        selection.exclude,
        selection.hidden,
        library.generation,
        outcome.last_error(library),
        team.server_of(library),
        tuple(offline.values()),
    )


def of_all(workspace: Workspace) -> tuple[list[LibrarySummary], list[CodedError]]:
    """The figures of all libraries that can be read, and why others cannot."""
    found, errors = [], []
    for library in workspace.libraries.chosen(()):
        try:
            found.append(of(workspace, library.name))
        except sqlite3.DatabaseError as exc:
            errors.append(storage_error(exc, library.file))
    return found, [*errors, *workspace.libraries.damaged.values()]
