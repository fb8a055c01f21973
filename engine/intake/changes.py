"""What has to be read: each file as it is now against what the library knows of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine import normalise
from engine.config import Settings
from engine.documents import FAILED, FileState
from engine.events import FileReport
from engine.index import keeping
from engine.index.contents import StoredFile
from engine.index.library import Library
from engine.index.naming import distinct_names
from engine.index.writing import FileRecord
from engine.intake import kinds, scanner
from engine.intake.scanner import FoundFile

READER_VERSION = 3
"""Raise it when loaders, cleaning or chunking give other chunks for the same bytes."""

_CLOCK_GRAIN_S = 2
"""File times of FAT have this grain, those of no other file system a coarser one."""

_AT_ONCE = 100
"""Files and chunks that are forgotten in one transaction: some 50 ms."""

KnownFiles = dict[tuple[int, str], StoredFile]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file of an ingest: what was found, what it is called, and what is known of it.

    ``digest`` is its content hash, where that was needed already.
    """

    folder_id: int
    found: FoundFile
    name: str
    stored: StoredFile | None
    digest: str | None = None

    @property
    def place(self) -> tuple[int, str]:
        """Its folder and its path there, by which a library knows it."""
        return self.folder_id, self.found.relative

    @property
    def is_as_stored(self) -> bool:
        """Whether size and time are those of the file that was read."""
        stored, found = self.stored, self.found
        return stored is not None and (stored.size, stored.mtime_ns) == (found.size, found.mtime_ns)


@dataclass(frozen=True, slots=True)
class Again:
    """Files that are looked at again although nothing says that they have changed.

    ``failed``: all whose state is in :data:`FAILED`; ``names``: these documents; ``locked``: those that wait
    for a password, because passwords are known. ``deep``: the bytes of all files are compared.
    """

    failed: bool = False
    names: frozenset[str] = frozenset()
    locked: bool = False
    deep: bool = False

    def wants(self, stored: StoredFile) -> bool:
        report = stored.report
        return (
            (self.failed and report.state in FAILED)
            or report.path in self.names
            or (self.locked and report.state is FileState.NEEDS_PASSWORD)
        )


def names(library: Library, plan: Sequence[tuple[int, FoundFile]]) -> dict[tuple[int, str], str]:
    """What each file of the plan is called, by its folder's id and its path in the folder."""
    folders = library.folders()
    if len(folders) == 1:
        return {(i, found.relative): found.relative for i, found in plan}
    planned = [(folder_id, found.relative) for folder_id, found in plan]
    known = [(file.folder_id, file.path) for file in library.files()]
    files = [(folders[folder_id], path) for folder_id, path in planned + known]
    prefixed = distinct_names(files, list(folders.values()))
    return {(i, path): prefixed.get((folders[i], path), path) for i, path in planned}


def reading(settings: Settings) -> str:
    """What a document's chunks depend on besides its bytes; stored with it."""
    cut = settings.cut
    return f"{READER_VERSION}/{normalise.VERSION}/{cut.size}/{cut.overlap}/{cut.merge}"


def dated(stored: StoredFile, wanted: str) -> StoredFile:
    """Marked as outdated if the file was read in another way than ``wanted`` (:func:`reading`)."""
    return replace(stored, is_outdated=stored.reading != wanted)


def settled_without_reading(candidate: Candidate, again: Again) -> FileReport | None:
    """The file's report when its content need not be looked at, else None."""
    found, name, stored = candidate.found, candidate.name, candidate.stored
    if found.excluded is not None:
        return FileReport(name, FileState.EXCLUDED, found.excluded)
    if found.unreadable is not None:
        return FileReport(name, FileState.UNREADABLE, found.unreadable)
    # Before anything is hashed: a folder of films is looked through in no time.
    if (reason := kinds.unsupported(found.path)) is not None:
        return FileReport(name, FileState.UNSUPPORTED, reason)
    if stored is None or stored.is_outdated or again.deep or again.wants(stored):
        return None
    # Without a hash nobody knows which bytes were read: the file changed under the reader's hands.
    if stored.report.state in (FileState.EXCLUDED, FileState.UNREADABLE) or stored.content_hash is None:
        return None
    # A document of another folder may have changed what this one is called.
    return replace(stored.report, path=name) if _is_unchanged(candidate, stored) else None


def is_back(candidate: Candidate, again: Again) -> bool:
    """Whether a file that could not be read lately can be, and has not changed in between."""
    found, stored = candidate.found, candidate.stored
    if stored is None or not keeping.is_kept(stored) or found.excluded or found.unreadable:
        return False
    if stored.is_outdated or stored.content_hash is None or stored.report.path in again.names:
        return False
    return _is_unchanged(candidate, stored) and scanner.can_be_opened(found.path)


def _is_unchanged(candidate: Candidate, stored: StoredFile) -> bool:
    return candidate.is_as_stored and not _is_too_fresh(stored)


def _is_too_fresh(stored: StoredFile) -> bool:
    """Whether the file may have changed after it was read without a new time: a clock has its grain.

    So has one whose time lies ahead of the clock that the reading was noted by.
    """
    if stored.compared_at is None:
        return False
    compared = datetime.fromisoformat(stored.compared_at).timestamp()
    return stored.mtime_ns / 1e9 > compared - _CLOCK_GRAIN_S


def same_content(stored: StoredFile | None, digest: str, again: Again) -> bool:
    """Whether a file whose times changed still holds what was indexed."""
    if stored is None or stored.is_outdated or stored.content_hash != digest:
        return False
    if keeping.is_kept(stored):
        return True
    if stored.report.state is FileState.UNREADABLE:
        return False  # hashed, and gone or held by another program when it was to be read
    return not again.wants(stored)


def is_only_locked(candidate: Candidate, record: FileRecord) -> bool:
    """Whether a file that was read with its password cannot be read today, although it has not changed."""
    stored = candidate.stored
    if stored is None or stored.report.pages == 0 or record.content_hash is None:
        return False
    is_locked = record.report.state is FileState.NEEDS_PASSWORD
    return is_locked and stored.content_hash == record.content_hash


def candidates(library: Library, plan: Sequence[tuple[int, FoundFile]], known: KnownFiles) -> list[Candidate]:
    """The files of the plan, each with what is known of it; what is left in ``known`` has gone."""
    called = names(library, plan)
    return [
        Candidate(i, found, called[i, found.relative], known.pop((i, found.relative), None))
        for i, found in plan
    ]


def in_portions(files: KnownFiles) -> Iterator[list[tuple[int, str]]]:
    """Folder and path of the files, as many together as are forgotten in one short step."""
    portion: list[tuple[int, str]] = []
    weight = 0
    for where in sorted(files):
        portion.append(where)
        weight += 1 + files[where].report.chunks
        if weight >= _AT_ONCE:
            yield portion
            portion, weight = [], 0
    if portion:
        yield portion


def write_state(library: Library, folder_id: int, found: FoundFile, report: FileReport) -> int:
    """Store a state that came without reading; whatever was indexed of the file before is forgotten.

    Returns the number of chunks that went.
    """
    return library.write_document(FileRecord(
        folder_id=folder_id, path=found.relative, size=found.size, mtime_ns=found.mtime_ns, content_hash=None,
        report=report,
    ))  # fmt: skip
