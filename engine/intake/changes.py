"""What has to be read: the folder as it is now against what the library knows of it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from engine import normalise
from engine.cancel import CancelToken
from engine.config import Settings
from engine.documents import FAILED, FileState
from engine.events import FileReport
from engine.index import keeping
from engine.index.contents import StoredFile
from engine.index.library import Library
from engine.index.naming import distinct_names
from engine.index.writing import FileRecord
from engine.intake import homes, kinds, scanner
from engine.intake.scanner import FoundFile

READER_VERSION = 2
"""Raise it when loaders, cleaning or chunking give other chunks for the same bytes."""

KnownFiles = dict[tuple[int, str], StoredFile]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file of an ingest: what was found, what it is called, and what is known of it."""

    folder_id: int
    found: FoundFile
    name: str
    stored: StoredFile | None


@dataclass(frozen=True, slots=True)
class Again:
    """Files that are read again although they have not changed.

    ``failed``: all whose state is in :data:`FAILED`; ``names``: these documents; ``locked``: those that wait
    for a password, because passwords are known.
    """

    failed: bool = False
    names: frozenset[str] = frozenset()
    locked: bool = False

    def wants(self, stored: StoredFile) -> bool:
        report = stored.report
        return (
            (self.failed and report.state in FAILED)
            or report.path in self.names
            or (self.locked and report.state is FileState.NEEDS_PASSWORD)
        )


def scan(library: Library, folders: Sequence[Path], token: CancelToken) -> Iterator[tuple[int, FoundFile]]:
    """Every file of the folders with the id of its folder, which is added to the library when new.

    A folder that lies inside another one of the library is looked at as a part of that one.

    Raises:
        NotReadable: a folder is not there, or no longer when all of it has been looked at.
    """
    for folder in homes.roots(library, folders):
        folder_id = library.folder_id(folder)
        for found in scanner.scan([folder]):
            token.check()
            yield folder_id, found
        scanner.ensure_there(folder)
        homes.take_over(library, folder)


def known_files(
    library: Library, folder_ids: Collection[int], folders: Sequence[Path], settings: Settings
) -> KnownFiles:
    """What is known of the folders (also of one that holds nothing any more).

    A file that was read in another way (chunk settings, version of the reader) is marked as outdated.
    """
    folder_ids = {*folder_ids, *(library.folder_id(folder) for folder in homes.roots(library, folders))}
    files = [file for folder_id in folder_ids for file in library.files(folder_id)]
    wanted = reading(settings)
    return {(file.folder_id, file.path): replace(file, is_outdated=file.reading != wanted) for file in files}


def below_unlisted(plan: Sequence[tuple[int, FoundFile]], known: KnownFiles) -> list[tuple[int, FoundFile]]:
    """The known files of folders that cannot be listed now: each is as unreadable as its folder."""
    unlisted = {(i, found.relative): found for i, found in plan if keeping.is_momentary(found.unreadable)}
    below = []
    for folder_id, path in known if unlisted else ():
        for parent in PurePosixPath(path).parents:
            if (found := unlisted.get((folder_id, str(parent)))) is not None:
                file = FoundFile(found.folder / path, found.folder, path, unreadable=found.unreadable)
                below.append((folder_id, file))
    return below


def names(library: Library, plan: Sequence[tuple[int, FoundFile]]) -> dict[tuple[int, str], str]:
    """What each file of the plan is called, by its folder's id and its path in the folder."""
    folders = library.folders()
    planned = [(folder_id, found.relative) for folder_id, found in plan]
    known = [(file.folder_id, file.path) for file in library.files()]
    files = [(folders[folder_id], path) for folder_id, path in planned + known]
    prefixed = distinct_names(files, list(folders.values()))
    return {(i, path): prefixed.get((folders[i], path), path) for i, path in planned}


def reading(settings: Settings) -> str:
    """What a document's chunks depend on besides its bytes; stored with it."""
    cut = settings.cut
    return f"{READER_VERSION}/{normalise.VERSION}/{cut.size}/{cut.overlap}/{cut.merge}"


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
    if stored is None or stored.is_outdated or again.wants(stored):
        return None
    # Without a hash nobody knows which bytes were read: the file changed under the reader's hands.
    if stored.report.state in (FileState.EXCLUDED, FileState.UNREADABLE) or stored.content_hash is None:
        return None
    # A document of another folder may have changed what this one is called.
    return replace(stored.report, path=name) if _is_as_stored(found, stored) else None


def is_back(candidate: Candidate, again: Again) -> bool:
    """Whether a file that could not be read lately can be, and has not changed in between."""
    found, stored = candidate.found, candidate.stored
    if stored is None or not keeping.is_kept(stored) or found.excluded or found.unreadable:
        return False
    if stored.is_outdated or stored.content_hash is None or stored.report.path in again.names:
        return False
    return _is_as_stored(found, stored) and scanner.can_be_opened(found.path)


def _is_as_stored(found: FoundFile, stored: StoredFile) -> bool:
    return (stored.size, stored.mtime_ns) == (found.size, found.mtime_ns)


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


def write_state(library: Library, folder_id: int, found: FoundFile, report: FileReport) -> int:
    """Store a state that came without reading; whatever was indexed of the file before is forgotten.

    Returns the number of chunks that went.
    """
    return library.write_document(FileRecord(
        folder_id=folder_id, path=found.relative, size=found.size, mtime_ns=found.mtime_ns, content_hash=None,
        report=report,
    ))  # fmt: skip
