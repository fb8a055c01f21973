"""Where the libraries lie in the home, what they are called there, and who may write to one.

A library's folder keeps its name for good: it is the id that runs and other programs know it by. It is made
from the first name the library had; the present name stands inside library.sqlite. A library that was
renamed has the new name in a small file beside it too, so that it can be told which one it was when
library.sqlite can no longer be opened.
"""

import hashlib
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from engine import drafts
from engine.errors import LibraryBusy, StorageFailed
from engine.index.library import Library

_NAME_FILE = "name.txt"

_DISCARDED = ".discarded-"

_PATIENCE_S = 0.1
"""A look at who writes (:func:`is_busy`) holds the lock for a moment; nobody is refused for that."""


def library_id(name: str) -> str:
    """The id a library of this name gets; a name may hold anything, a folder's name may not."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def id_of(library: Library) -> str:
    """What runs know a library by; a portable index has the id that its name would give."""
    return library_id(library.name) if library.folder is None else library.folder.name


def free_id(name: str, taken: Collection[str]) -> str:
    """The id for a new library: another one than usual where a renamed library still has that."""
    return next(candidate for candidate in _ids(name) if candidate not in taken)


def _ids(name: str) -> Iterator[str]:
    yield library_id(name)
    number = 2
    while True:
        # No name has a NUL in it, so this is no other library's usual id.
        yield library_id(f"{name}\0{number}")
        number += 1


def closed_folder(name: str, folders: Collection[Path]) -> Path | None:
    """Which of these folders, whose library.sqlite cannot be opened, is the library of this name."""
    for folder in folders:
        try:
            known = (folder / _NAME_FILE).read_bytes()
        except OSError:
            if folder.name == library_id(name):
                return folder
        else:
            if known == name.encode("utf-8", "surrogatepass"):
                return folder
    return None


def noted_name(folder: Path) -> str | None:
    """The name that stands beside a library that was renamed."""
    try:
        return (folder / _NAME_FILE).read_bytes().decode("utf-8", "surrogatepass")
    except (OSError, UnicodeDecodeError):
        return None


def rename(library: Library, name: str) -> None:
    """Give a library another name; its folder stays. Hold its write lock. Raises StorageFailed."""
    if library.folder is not None:
        file = library.folder / _NAME_FILE
        draft = file.with_suffix(".part")
        try:
            draft.write_bytes(name.encode("utf-8", "surrogatepass"))
            draft.replace(file)
        except OSError as exc:
            raise StorageFailed(path=str(file), detail=exc.strerror or str(exc)) from exc
    library.set_meta("name", name)


def discard(folder: Path) -> None:
    """Take a closed library off the shelf in one step and delete it.

    A program that is ended in the middle leaves no half library, whose text nobody could remove any more,
    but something for :func:`sweep`.

    Raises:
        StorageFailed: it is there as before, or the rest of it waits for :func:`sweep`.
    """
    discarded = folder.with_name(_DISCARDED + folder.name)
    try:
        if discarded.exists():
            shutil.rmtree(discarded)
        folder.replace(discarded)
        shutil.rmtree(discarded)
    except OSError as exc:
        if not folder.exists() and not discarded.exists():
            return  # another program's sweep came first
        raise StorageFailed(path=str(folder), detail=exc.strerror or str(exc)) from exc


def is_library(folder: Path) -> bool:
    """Whether a library stands here, be it damaged; what is left of a discarded one is none."""
    return not folder.name.startswith(_DISCARDED) and (folder / "library.sqlite").is_file()


def file_number(library: Library) -> int:
    """Which file its library.sqlite is now, 0 when there is none: another number is another file."""
    try:
        return Path(library.file).stat().st_ino
    except OSError:
        return 0


def sweep(libraries: Path) -> None:
    """Delete what is left of discarded libraries and drafts; what cannot go yet waits for the next start."""
    for folder in libraries.glob(_DISCARDED + "*"):
        shutil.rmtree(folder, ignore_errors=True)
    drafts.sweep(libraries)


class FolderLock:
    """A lock file in a library's folder.

    Raises:
        LibraryBusy: another process holds it; at once.
        StorageFailed: it cannot be made.
    """

    def __init__(self, folder: Path | None, name: str) -> None:
        self._name = name
        self._lock = None if folder is None else _lock_file(folder, _PATIENCE_S)

    def __enter__(self) -> None:
        try:
            if self._lock is not None:
                self._lock.acquire(poll_interval=_PATIENCE_S / 5)
        except Timeout as exc:
            raise LibraryBusy(name=self._name) from exc
        except OSError as exc:
            raise StorageFailed(path=str(exc.filename or ""), detail=exc.strerror or str(exc)) from exc

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.release()


class WriteLock(FolderLock):
    """The lock of a library that is open."""

    def __init__(self, library: Library) -> None:
        super().__init__(library.folder, library.name)


def is_busy(library: Library) -> bool:
    """Whether somebody writes to the library right now, here or in another process."""
    if library.folder is None:
        return False
    lock = _lock_file(library.folder, 0)
    try:
        lock.acquire()
    except Timeout:
        return True
    except OSError:  # a home that cannot be written: nobody writes
        return False
    lock.release()
    return False


def _lock_file(folder: Path, timeout_s: float) -> FileLock:
    return FileLock(folder / ".writing", timeout=timeout_s)
