"""Which files a folder holds, in an order that does not depend on the disk.

Every entry is reported, also those that will not be read: counts have to add up to the folder.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.documents import Reason
from engine.errors import NotReadable

IGNORED_NAMES = frozenset({"thumbs.db", "desktop.ini", "node_modules", "__pycache__", "$recycle.bin"})
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


def scan(folders: Sequence[Path]) -> Iterator[FoundFile]:
    """Every file of ``folders`` (a file may stand for a folder), each real folder visited once.

    Raises:
        NotReadable: one of ``folders`` is not there or cannot be listed.
    """
    visited: set[tuple[int, int]] = set()
    for folder in folders:
        try:
            info = folder.stat()
            if stat.S_ISDIR(info.st_mode):
                entries = _entries(folder)
        except OSError as exc:
            raise NotReadable(path=str(folder)) from exc
        if not stat.S_ISDIR(info.st_mode):
            yield _found(folder, folder.parent, folder.name)
        elif (info.st_dev, info.st_ino) not in visited:
            visited.add((info.st_dev, info.st_ino))
            yield from _walk(entries, folder, "", visited)


def content_hash(path: Path) -> str:
    """SHA-256 of the file's bytes, hex; raises OSError."""
    steps = hashing(path)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return str(end.value)


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


def exclusion(name: str) -> Reason | None:
    """Why a file or folder of this name is left out, or None."""
    if name.startswith(("~$", ".~lock.")):
        return Reason("lock_file")
    if name.startswith("."):
        return Reason("hidden")
    if name.lower() in IGNORED_NAMES:
        return Reason("ignored")
    return None


def _entries(folder: Path) -> list[str]:
    # Names, not paths: sorting by name gives the same order on every file system.
    return sorted(os.listdir(folder))  # noqa: PTH208 - a million Path objects are not free


def _walk(
    names: Sequence[str], folder: Path, parent: str, visited: set[tuple[int, int]]
) -> Iterator[FoundFile]:
    """Depth first, with a stack of its own: a chain of 2,000 folders must not end the recursion."""
    stack = [(iter(names), parent)]
    while stack:
        entries, prefix = stack[-1]
        name = next(entries, None)
        if name is None:
            stack.pop()
            continue
        relative = prefix + name
        path = folder / relative
        if printable(relative) != relative:
            yield FoundFile(path, folder, printable(relative), unreadable=Reason("name_not_text"))
            continue
        excluded = exclusion(name)
        if excluded is not None:
            yield FoundFile(path, folder, relative, *_size_and_time(path), excluded=excluded)
            continue
        try:
            info = path.stat()
        except OSError as exc:
            yield FoundFile(path, folder, relative, unreadable=os_reason(exc))
            continue
        if not stat.S_ISDIR(info.st_mode):
            yield _found(path, folder, relative)
            continue
        key = (info.st_dev, info.st_ino)
        if key in visited or _leads_back(path, folder):
            continue
        visited.add(key)
        try:
            inside = _entries(path)
        except OSError as exc:
            yield FoundFile(path, folder, relative, unreadable=os_reason(exc))
            continue
        stack.append((iter(inside), relative + "/"))


def _leads_back(path: Path, folder: Path) -> bool:
    """Whether a link points into ``folder``: what it shows is found under its own name."""
    return path.is_symlink() and path.resolve().is_relative_to(folder.resolve())


def _found(path: Path, folder: Path, relative: str) -> FoundFile:
    try:
        info = path.stat()
    except OSError as exc:
        return FoundFile(path, folder, relative, unreadable=os_reason(exc))
    unreadable = None
    if not stat.S_ISREG(info.st_mode):
        # Opening a pipe would wait for a writer for ever.
        unreadable = Reason("not_a_file")
    elif not os.access(path, os.R_OK):
        unreadable = Reason("no_permission")
    return FoundFile(path, folder, relative, info.st_size, info.st_mtime_ns, unreadable=unreadable)


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
