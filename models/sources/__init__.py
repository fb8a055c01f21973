"""Where a model file can come from, each kind in a module of its own.

A source fills a ``.part`` file that holds the first bytes of the model, so that whatever is there
already is kept when a fetch is tried again. It need not check the whole: the caller hashes the file.
"""

from pathlib import Path
from typing import Protocol

from models.catalogue import ModelFile
from models.verification import Report


class SourceFailed(Exception):
    """This source cannot deliver; the next one is tried. ``reason`` is one short line for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FileSource(Protocol):
    """``name`` is shown in progress and in errors."""

    name: str

    def fetch(self, file: ModelFile, part: Path, report: Report) -> None:
        """Bring ``part`` to ``file.size`` bytes; raises SourceFailed, or OSError of the disk."""
        ...


def size_of(part: Path) -> int:
    """Bytes that are there already."""
    return part.stat().st_size if part.exists() else 0
