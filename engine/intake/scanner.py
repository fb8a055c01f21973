"""Which files a folder holds, in an order that does not depend on the disk.

Every entry is reported, also those that will not be read: counts have to add up to the folder.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from engine.documents import Reason
from engine.errors import NotReadable
from engine.intake.selection import Selection
from engine.steps import finish

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file. ``relative`` uses ``/``; for a file picked by itself it is its name.

    ``excluded`` says why it is left out on purpose, ``unreadable`` why it cannot be opened. A folder
    that is left out or cannot be listed is reported once, not with everything in it.
    """

    path: Path
    folder: Path
    relative: str
    size: int = 0
    mtime_ns: int = 0
    excluded: Reason | None = None
    unreadable: Reason | None = None


def scan(
    folder: Path, selection: Selection | None = None, below: Sequence[str] | None = None
) -> Iterator[FoundFile]:
    """Every file of ``folder`` (a file may stand for a folder), each real folder visited once.

    ``below``: only what lies in these folders inside it, paths with ``/``; one that is not there is empty.

    Raises:
        NotReadable: ``folder`` is not there or cannot be listed.
    """
    walk = _Walk(folder, selection or Selection())
    try:
        info = folder.stat()
        is_folder = stat.S_ISDIR(info.st_mode)
        if is_folder:
            names = _entries(folder)
    except OSError as exc:
        raise NotReadable(path=str(folder)) from exc
    if not is_folder:
        yield _found(folder, folder.parent, folder.name)
    elif below is None:
        yield from walk.through(names, "")
    else:
        for start in outermost(below):
            yield from walk.at(PurePosixPath(start))


def outermost(folders: Iterable[str]) -> list[str]:
    """Those of the folders (paths with ``/``) that lie in none of the others."""
    found: list[str] = []
    for folder in sorted(set(folders), key=lambda each: (each.count("/"), each)):
        if not any(PurePosixPath(folder).is_relative_to(other) for other in found):
            found.append(folder)
    return found


def content_hash(path: Path) -> str:
    """SHA-256 of the file's bytes, hex; raises OSError."""
    return finish(hashing(path))


def hashing(path: Path) -> Generator[None, None, str]:
    """:func:`content_hash` in steps of a few milliseconds: a film of 4 GiB is hashed too."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            yield
    return digest.hexdigest()


def is_as_found(found: FoundFile) -> bool:
    """Whether the file still has the size and time that the scan saw."""
    try:
        info = found.path.stat()
    except OSError:
        return False
    return (info.st_size, info.st_mtime_ns) == (found.size, found.mtime_ns)


def can_be_opened(path: Path) -> bool:
    """Whether the file can be read right now; Windows only says so when asked for it."""
    try:
        with path.open("rb") as stream:
            stream.read(1)
    except OSError:
        return False
    return True


def ensure_there(folder: Path) -> None:
    """A folder that has gone (a stick pulled out, a lost network) says nothing about its files.

    Raises:
        NotReadable: it is not there.
    """
    try:
        folder.stat()
    except OSError as exc:
        raise NotReadable(path=str(folder)) from exc


def printable(name: str) -> str:
    """A name as it can be shown and stored: bytes that are no UTF-8 (an archive in GBK) as ``\\xb2``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace") if not name.isascii() else name


def _entries(folder: Path) -> list[str]:
    # Names, not paths: sorting by name gives the same order on every file system.
    return sorted(os.listdir(folder))  # noqa: PTH208 - a million Path objects are not free


class _Walk:
    """Through one folder, depth first, each real folder once."""

    def __init__(self, folder: Path, selection: Selection) -> None:
        self._folder, self._selection = folder, selection
        self._visited: set[tuple[int, int]] = set()

    def at(self, start: PurePosixPath) -> Iterator[FoundFile]:
        """What lies in one folder inside, as the whole walk would find it."""
        if not start.parts:
            yield from self.through(_entries(self._folder), "")
        elif self._selection.reaches(start.parent):
            yield from self._entry(str(start))

    def through(self, names: Sequence[str], parent: str) -> Iterator[FoundFile]:
        """With a stack of its own: a chain of 2,000 folders must not end the recursion."""
        if not parent:
            info = self._folder.stat()
            self._visited.add((info.st_dev, info.st_ino))
        stack = [(iter(names), parent)]
        while stack:
            entries, prefix = stack[-1]
            name = next(entries, None)
            if name is None:
                stack.pop()
                continue
            found = self._look_at(prefix + name)
            if isinstance(found, FoundFile):
                yield found
            elif found is not None:
                stack.append((iter(found), prefix + name + "/"))

    def _entry(self, relative: str) -> Iterator[FoundFile]:
        found = self._look_at(relative) if os.path.lexists(self._folder / relative) else None
        if isinstance(found, FoundFile):
            yield found
        elif found is not None:
            yield from self.through(found, relative + "/")

    def _look_at(self, relative: str) -> FoundFile | list[str] | None:
        """A file as it was found, the names in a folder, or None for a folder that was visited already."""
        folder, path = self._folder, self._folder / relative
        if printable(relative) != relative:
            return FoundFile(path, folder, printable(relative), unreadable=Reason("name_not_text"))
        excluded = self._selection.of_name(path.name)
        if excluded is not None:
            return FoundFile(path, folder, relative, *_size_and_time(path), excluded=excluded)
        try:
            info = path.stat()
        except OSError as exc:
            return FoundFile(path, folder, relative, unreadable=os_reason(exc))
        if not stat.S_ISDIR(info.st_mode):
            excluded = self._selection.of_file(relative, info)
            return _as_found(path, folder, relative, info, excluded)
        if (excluded := self._selection.of_folder(path, relative, info)) is not None:
            return FoundFile(path, folder, relative, excluded=excluded)
        key = (info.st_dev, info.st_ino)
        if key in self._visited or _leads_back(path, folder):
            return None
        self._visited.add(key)
        try:
            return _entries(path)
        except OSError as exc:
            return FoundFile(path, folder, relative, unreadable=os_reason(exc))


def _leads_back(path: Path, folder: Path) -> bool:
    """Whether a link points into ``folder``: what it shows is found under its own name."""
    return path.is_symlink() and path.resolve().is_relative_to(folder.resolve())


def _found(path: Path, folder: Path, relative: str) -> FoundFile:
    try:
        info = path.stat()
    except OSError as exc:
        return FoundFile(path, folder, relative, unreadable=os_reason(exc))
    return _as_found(path, folder, relative, info)


def _as_found(
    path: Path, folder: Path, relative: str, info: os.stat_result, excluded: Reason | None = None
) -> FoundFile:
    unreadable = _obstacle(path, info) if excluded is None else None
    return FoundFile(path, folder, relative, info.st_size, info.st_mtime_ns, excluded, unreadable)


def _obstacle(path: Path, info: os.stat_result) -> Reason | None:
    if not stat.S_ISREG(info.st_mode):
        return Reason("not_a_file")  # opening a pipe would wait for a writer for ever
    return None if os.access(path, os.R_OK) else Reason("no_permission")


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        info = path.lstat()
    except OSError:
        return 0, 0
    return info.st_size, info.st_mtime_ns


def os_reason(exc: OSError) -> Reason:
    """The named reason of an operating system's refusal."""
    if isinstance(exc, PermissionError):
        # Windows says so too for a file that another program holds open.
        return Reason("locked" if getattr(exc, "winerror", None) in (32, 33) else "no_permission")
    if isinstance(exc, FileNotFoundError):
        return Reason("vanished")
    if exc.errno == errno.ELOOP:
        return Reason("not_a_file")  # a link that leads to itself
    return Reason("read_failed", {"detail": exc.strerror or type(exc).__name__})
