"""Files that were renamed or moved since the last sync: their documents go with them before anything is read.

A document whose file has gone, or holds something else now, is looked for among the files that are new or
have changed: one of its size is hashed. Files may have changed names with each other: such documents move in
one transaction, in which all leave their places before any takes a new one.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from engine.index import copies
from engine.index.contents import StoredFile
from engine.index.library import Library
from engine.intake import scanner
from engine.intake.changes import Candidate, KnownFiles

_AT_ONCE = 50
"""Documents that are moved in one transaction."""


@dataclass(frozen=True, slots=True)
class Move:
    """A document and the file that holds its bytes now."""

    document: StoredFile
    to: Candidate

    @property
    def place(self) -> tuple[int, str]:
        """Where the document was."""
        return self.document.folder_id, self.document.path

    @property
    def row(self) -> tuple[int, int, str, int, int]:
        """The document, and folder, path, size and time of the file."""
        found = self.to.found
        return self.document.id, self.to.folder_id, found.relative, found.size, found.mtime_ns


def follow(
    library: Library, candidates: Sequence[Candidate], gone: KnownFiles
) -> Generator[None, None, list[Candidate]]:
    """Move documents after their files; what was moved leaves ``gone``.

    Returns the candidates with what is known of each now, and with the hashes that were needed.

    Raises:
        StorageFailed: documents that were not moved yet are as if their files had gone.
    """
    changed = [c for c in candidates if c.stored is not None and not c.is_as_stored]
    sources = [*gone.values(), *(c.stored for c in changed if c.stored is not None)]
    sizes = {source.size for source in sources if _can_move(source)}
    if not sizes:
        return list(candidates)
    digests: dict[tuple[int, str], str] = {}
    for candidate in candidates:
        if candidate.found.size in sizes and not candidate.is_as_stored:
            digest = yield from _hash(candidate)
            if digest is not None:
                digests[candidate.place] = digest
    candidates = [replace(c, digest=digests.get(c.place)) for c in candidates]
    left = [*gone.values(), *(c.stored for c in candidates if _holds_something_else(c) and c.stored)]
    moves = list(_moves(left, candidates))
    if not moves:
        return candidates
    places, targets = {move.place for move in moves}, {move.to.place for move in moves}
    entwined = [move for move in moves if move.place in targets or move.to.place in places]
    if entwined:
        library.move_documents([move.row for move in entwined], leave_first=True)
        yield
    done = {move.document.id for move in entwined}
    simple = [move for move in moves if move.document.id not in done]
    for start in range(0, len(simple), _AT_ONCE):
        library.move_documents([move.row for move in simple[start : start + _AT_ONCE]])
        yield
    for move in moves:
        gone.pop(move.place, None)
    return _after(library, candidates, moves)


def _after(library: Library, candidates: Iterable[Candidate], moves: Sequence[Move]) -> list[Candidate]:
    moved = {move.document.id for move in moves}
    targets = {move.to.place: move for move in moves}
    now = []
    for candidate in candidates:
        if candidate.place in targets:
            stored = library.stored_file(*candidate.place)
        elif candidate.stored is not None and candidate.stored.id in moved:
            stored = None
        else:
            stored = candidate.stored
        now.append(replace(candidate, stored=stored))
    return now


def _moves(left: Sequence[StoredFile], candidates: Sequence[Candidate]) -> Iterable[Move]:
    homeless = {
        (source.content_hash, PurePosixPath(source.path).suffix.lower()): source
        for source in left
        if _can_move(source)
    }
    for candidate in candidates:
        if candidate.digest is None or not (candidate.stored is None or _holds_something_else(candidate)):
            continue
        key = candidate.digest, PurePosixPath(candidate.found.relative).suffix.lower()
        if (source := homeless.pop(key, None)) is not None:
            yield Move(source, candidate)


def _can_move(source: StoredFile) -> bool:
    return (
        source.copy_of is None
        and source.content_hash is not None
        and not source.is_outdated
        and source.report.state in copies.STATES
    )


def _holds_something_else(candidate: Candidate) -> bool:
    """Whether the bytes of a known file are other ones now."""
    stored, found = candidate.stored, candidate.found
    if stored is None or found.excluded is not None or found.unreadable is not None:
        return False
    if candidate.digest is not None:
        return candidate.digest != stored.content_hash
    return stored.size != found.size


def _hash(candidate: Candidate) -> Generator[None, None, str | None]:
    found = candidate.found
    if found.excluded is not None or found.unreadable is not None:
        return None
    try:
        return (yield from scanner.hashing(found.path))
    except OSError:  # its turn to be read comes, and says why not
        return None
