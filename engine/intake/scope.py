"""What an ingest looks at: which folders can be reached, what lies in them, what is known of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from engine.cancel import CancelToken
from engine.config import Settings
from engine.errors import NotReadable
from engine.index import keeping
from engine.index.folders import note_offline
from engine.index.library import Library
from engine.intake import homes, scanner
from engine.intake.changes import KnownFiles, dated, reading
from engine.intake.scanner import FoundFile
from engine.intake.selection import Selection, ensure_narrow


@dataclass(frozen=True, slots=True)
class Scope:
    """What is looked at: ``folders``, of those only what lies ``below`` these folders if any are named,
    and what was selected."""

    folders: tuple[Path, ...]
    below: tuple[Path, ...] = ()
    selection: Selection = field(default_factory=Selection)

    def below_in(self, folder: Path) -> list[str] | None:
        """The paths of ``below`` inside a folder; None for all of it."""
        if not self.below:
            return None
        inside = [each.relative_to(folder) for each in self.below if each.is_relative_to(folder)]
        return scanner.outermost(path.as_posix() for path in inside)


def reachable(library: Library, scope: Scope) -> tuple[Scope, list[Path]]:
    """The scope with each folder by the name of its home, and the known folders that cannot be reached.

    Those keep what was indexed of them and are marked (``offline_since``).

    Raises:
        FolderTooBroad: a whole disk.
        NotReadable: a folder that the library does not know is not there, or none of all is.
    """
    roots = homes.roots(library, scope.folders, scope.selection)
    known = set(library.folders().values())
    offline = []
    for folder in roots:
        ensure_narrow(folder)
        try:
            scanner.ensure_there(folder)
        except NotReadable:
            if folder not in known:
                raise
            offline.append(folder)
    for folder in roots:
        library.folder_id(folder)  # a library that is killed before it has read anything knows its folders
    note_offline(library, roots, offline)
    if roots and len(offline) == len(roots):
        raise NotReadable(path=str(offline[0]))
    return replace(scope, folders=tuple(f for f in roots if f not in offline)), offline


def scan(library: Library, scope: Scope, token: CancelToken) -> Iterator[tuple[int, FoundFile]]:
    """Every file of a :func:`reachable` scope with the id of its folder, which is added when it is new.

    Raises:
        NotReadable: a folder is no longer there when all of it has been looked at.
    """
    for folder in scope.folders:
        folder_id = library.folder_id(folder)
        for found in scanner.scan(folder, scope.selection, scope.below_in(folder)):
            token.check()
            yield folder_id, found
        scanner.ensure_there(folder)
        homes.take_over(library, folder, scope.selection)


def known_files(library: Library, scope: Scope, settings: Settings) -> KnownFiles:
    """What is known of the scope (also of a folder that holds nothing any more).

    A file that was read in another way (chunk settings, version of the reader) is marked as outdated.
    """
    wanted = reading(settings)
    known: KnownFiles = {}
    for folder in scope.folders:
        below = scope.below_in(folder)
        for start in [""] if below is None else below:
            for file in library.files(library.folder_id(folder), below="" if start == "." else start):
                known[file.folder_id, file.path] = dated(file, wanted)
    return known


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
