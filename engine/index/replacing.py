"""Replacing a file in one step, so that there is always a whole one."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from engine.errors import StorageFailed

_BUSY_WINERRORS = frozenset({5, 32, 33})  # a virus scanner or sync client holds the file for a moment


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Replace a file in one step: temporary file, fsync, rename. Its folder is made when it is new.

    On Windows a rename that another program blocks is tried again for about two seconds. What a killed
    process left behind is removed.

    Raises:
        StorageFailed: the old file is as it was and no temporary file is left.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, path)
        for left_over in path.parent.glob(f".{path.name}.*.tmp"):
            left_over.unlink(missing_ok=True)
    except BaseException as exc:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(exc, OSError):
            raise StorageFailed(path=str(path), detail=exc.strerror or str(exc)) from exc
        raise


def write_file(path: Path, data: bytes) -> None:
    """Replace a file by ``data`` in one step; raises StorageFailed as :func:`replacing` does."""
    with replacing(path) as file:
        file.write(data)


def replace(source: Path, target: Path, patience_s: float = 2.0) -> None:
    """``os.replace`` that outwaits a file held for a moment by a scanner (Windows errors 5, 32, 33)."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            os.replace(source, target)  # noqa: PTH105 - the tests count calls of this one function
            return
        except PermissionError as exc:
            if getattr(exc, "winerror", None) not in _BUSY_WINERRORS or time.monotonic() >= deadline:
                raise
            time.sleep(0.1)
