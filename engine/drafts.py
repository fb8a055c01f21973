"""What comes into being as a whole: put together where nobody looks, then in its place by one rename."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from engine.errors import NoSpace, StorageFailed

_PREFIX = ".draft-"
_LOCK = "lock"


@contextmanager
def drafting(place: Path) -> Iterator[Path]:
    """A new folder inside ``place``, which is made when it is new, to put something together in.

    What is not moved out of it by the end goes, and what a killed program left of an earlier one.

    Raises:
        StorageFailed: ``place`` cannot be written.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
        sweep(place)
        draft = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        lock = FileLock(draft / _LOCK, timeout=0)
        lock.acquire()
    except (OSError, Timeout) as exc:
        raise StorageFailed(path=str(place), detail=getattr(exc, "strerror", None) or str(exc)) from exc
    try:
        yield draft
    finally:
        lock.release()
        shutil.rmtree(draft, ignore_errors=True)


def sweep(place: Path) -> None:
    """Delete what killed programs left; what somebody is at work on stays."""
    for draft in place.glob(f"{_PREFIX}*"):
        lock = FileLock(draft / _LOCK, timeout=0)
        with suppress(OSError, Timeout):
            lock.acquire()
            lock.release()
            shutil.rmtree(draft, ignore_errors=True)


def settle(draft: Path, target: Path) -> None:
    """Move a finished folder into its place, where nothing may be; raises StorageFailed."""
    try:
        # On some systems a rename replaces an empty folder, on others it fails.
        with suppress(FileNotFoundError):
            target.rmdir()
        draft.rename(target)
        flush_folder(target.parent)
    except OSError as exc:
        raise StorageFailed(path=str(target), detail=exc.strerror or str(exc)) from exc


def flush_folder(folder: Path) -> None:
    """Have a rename in a folder survive a power cut, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def ensure_space(place: Path, needed: int) -> None:
    """Raises NoSpace when the disk of ``place``, which may not be there yet, has not so many bytes free."""
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if free < needed:
        raise NoSpace(path=str(place), needed_mb=-(-needed // 1_000_000), free_mb=free // 1_000_000)
