"""Looking through one library that can be opened: everything in it that is not as it should be."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from engine import shelf
from engine.errors import IndexDamaged, IndexMismatch, LibraryDamaged
from engine.health import integrity
from engine.index import cache_file, embedders, mending
from engine.index.database import is_read_only
from engine.index.embedding import Embedder
from engine.index.library import Library
from engine.standing import Finding

DAMAGED = LibraryDamaged.exit_code
"""Exit code of what keeps text from being found, or finds what is not there."""

LEFT_OVER = frozenset({"rows_without_owner", "terms_amiss", "vectors_unnamed"})
"""Findings whose ``count`` is of things that belong to no document."""

WORKPLACE = ".salvaged"
"""Folder in a library's folder in which a repair makes the fresh library."""

Findings = Iterator[Finding | None]
"""``None`` is a step with nothing to say."""


def look_through(library: Library, embedder: Embedder | None) -> Findings:
    """What is wrong with a library. What another program is writing right now is not judged."""
    try:
        name = library.name
        may_write = not is_read_only(library.db) and not shelf.is_busy(library)
        found = yield from integrity.check(Path(library.file), may_write=may_write)
        problem = found.problem
        if problem is None:
            yield from _rows(library, name, found.are_terms_whole)
            yield from _vectors(library, name, embedder)
            yield from _cache(library, name)
            yield from _surroundings(library, name)
            return
    except sqlite3.DatabaseError as exc:
        problem = str(exc)
    # Whatever else were counted now would be guesswork.
    yield damaged(library.file, problem, shelf.noted_name(Path(library.file).parent))


def damaged(path: str, detail: str, name: str | None) -> Finding:
    """A library.sqlite that cannot be trusted any more."""
    return Finding("library_damaged", name, {"path": path, "detail": detail}, DAMAGED, can_repair=True)


def _rows(library: Library, name: str, are_terms_whole: bool) -> Findings:
    counts = {
        "rows_without_owner": mending.ownerless_rows(library.db),
        "copies_without_original": mending.lost_copies(library.db),
        "terms_amiss": mending.terms_amiss(library.db) or int(not are_terms_whole),
    }
    for code, count in counts.items():
        if count:
            yield Finding(code, name, {"count": count}, DAMAGED, can_repair=True)
    yield None


def _vectors(library: Library, name: str, embedder: Embedder | None) -> Findings:
    if embedder is not None:
        for params in embedders.strangers([library], embedder):
            yield Finding("vectors_of_another_model", name, params)
    unusable = 0
    for keys in mending.unusable_vectors(library.db):
        unusable += len(keys)
        yield None
    if unusable:
        yield Finding("vectors_unusable", name, {"count": unusable}, DAMAGED, can_repair=True)
    if count := len(mending.dangling_names(library.db)):
        yield Finding("vectors_missing", name, {"count": count}, DAMAGED, can_repair=True)
    yield None
    if count := mending.without_vector(library.db):
        yield Finding("chunks_without_vectors", name, {"count": count})
    yield None
    if count := mending.unnamed_vectors(library.db):
        yield Finding("vectors_unnamed", name, {"count": count}, can_repair=True)
    yield None


def _cache(library: Library, name: str) -> Findings:
    """index.faiss, which is never the truth and may lag behind: without it the first search takes longer."""
    if library.folder is None or library.team_store is not None:
        return
    if shelf.is_busy(library) or not mending.has_vectors(library.db):
        return
    file = library.folder / "index.faiss"
    code = None
    if not file.exists():
        code = "cache_missing"
    elif cache_file.mark_of(file) is None:
        code = "cache_outdated"
    else:
        try:
            cache_file.load(file, library.dimension)
        except IndexMismatch:
            code = "cache_outdated"
        except IndexDamaged:
            code = "cache_damaged"
    if code is not None:
        yield Finding(code, name, {"path": str(file)}, can_repair=True)
    yield None


def _surroundings(library: Library, name: str) -> Findings:
    if library.team_store is not None and (problem := library.team_problem) is not None:
        yield Finding(problem.code, name, problem.params)
    for folder in library.folders().values():
        # The folders of a pack are none of this machine.
        if folder.is_absolute() and not folder.exists():
            yield Finding("folder_unreachable", name, {"path": str(folder)})
    if is_read_only(library.db):
        yield Finding("library_read_only", name, {"path": library.file})
    elif not shelf.is_busy(library) and (count := len(left_files(library)) + left_rows(library)):
        yield Finding("leftovers", name, {"count": count}, can_repair=True)


def left_rows(library: Library) -> int:
    """Pages that wait for a file which nobody is reading."""
    return int(library.db.execute("SELECT count(*) FROM staged_pages").fetchone()[0])


def left_files(library: Library) -> list[Path]:
    """What a killed program left beside the library: temporary files, and a repair that did not end."""
    if library.folder is None:
        return []
    return [found for pattern in (".*.tmp", "*.part", WORKPLACE) for found in library.folder.glob(pattern)]
