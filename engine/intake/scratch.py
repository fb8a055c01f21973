"""Folders for a parsing process: the only places that it may write to, and gone when it is.

The parent makes them, readable by this user alone, and removes them when the child has ended, however it did.
What was decrypted goes into the one in memory, where the system has such a place.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psutil

_PREFIX = "zhiye-reading-"
_SHARED_MEMORY = Path("/dev/shm")

_memory: Path | None = None


@dataclass(frozen=True, slots=True)
class Scratch:
    """``memory`` is the same as ``disk`` where the system has no folder in memory."""

    disk: Path
    memory: Path

    def remove(self) -> None:
        """Delete both with all that is in them; what cannot go is swept at a later start."""
        for folder in (self.disk, self.memory):
            shutil.rmtree(folder, ignore_errors=True)


def make() -> Scratch:
    """New folders; what killed programs left goes first.

    Raises:
        OSError: there is no place for temporary files.
    """
    sweep()
    disk = _make(Path(tempfile.gettempdir()))
    memory = disk
    if sys.platform == "linux" and os.access(_SHARED_MEMORY, os.W_OK | os.X_OK):
        with contextlib.suppress(OSError):
            memory = _make(_SHARED_MEMORY)
    return Scratch(disk, memory)


def use(scratch: Scratch) -> None:
    """Put temporary files of this process, and of what it starts, there from now on."""
    global _memory
    _memory = scratch.memory
    tempfile.tempdir = str(scratch.disk)
    os.environ.update(dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(scratch.disk)))


def memory_folder() -> Path | None:
    """A place that is never on disk; None: this process has none of its own."""
    return _memory


def sweep() -> None:
    """Delete the folders of programs that are gone."""
    for place in (Path(tempfile.gettempdir()), _SHARED_MEMORY):
        with contextlib.suppress(OSError):
            for folder in place.glob(f"{_PREFIX}*"):
                owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
                if owner.isdigit() and not psutil.pid_exists(int(owner)):
                    shutil.rmtree(folder, ignore_errors=True)


def _make(place: Path) -> Path:
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place))
