"""One process at a time: a lock on a file that the operating system drops with its holder."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(path: Path) -> Iterator[bool]:
    """Hold the lock while the block runs; gives False, at once, when another process holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as stream:
        held = _try_lock(stream.fileno())
        try:
            yield held
        finally:
            # The file stays: removing it would let a third process lock a file that is gone.
            if held:
                _unlock(stream.fileno())


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
