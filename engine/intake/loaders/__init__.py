"""Loaders turn one file into a :class:`SourceDocument` and its pages, one module a kind of file.

Which loader reads a file is decided in :mod:`engine.intake.kinds`.
"""

import importlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.scanner import os_reason


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. Loaders name things after ``path`` and read what :meth:`open` gives.

    ``content`` stands for the file's own bytes where they had to be decrypted or converted first;
    ``passwords`` are tried on a file that is encrypted.
    """

    path: Path
    passwords: tuple[str, ...] = field(default=(), repr=False)
    content: bytes | None = None

    def open(self) -> BinaryIO:
        """A new stream of the bytes to read; raises OSError."""
        return self.path.open("rb") if self.content is None else io.BytesIO(self.content)

    def bytes(self) -> bytes:
        return self.path.read_bytes() if self.content is None else self.content

    def size(self) -> int:
        return self.path.stat().st_size if self.content is None else len(self.content)


@dataclass(frozen=True, slots=True)
class Missing:
    """Pages that show something that could not be read as text; a loader's last item, if any.

    ``unusable`` are those of them whose text says nothing (characters without Unicode values, a stamp
    on a picture): it is shown, but left out of the chunks. ``recognisable`` are those that OCR may read.
    ``alone`` is the state and reason of a file of which nothing else could be read.
    """

    pages: tuple[int, ...]
    reason: Reason
    unusable: tuple[int, ...] = ()
    recognisable: tuple[int, ...] = ()
    alone: tuple[FileState, Reason] | None = None


LoadItem = SourceDocument | Page | Missing


class Loader(Protocol):
    """A module that reads one kind of file."""

    def read(self, source: Source) -> Iterator[LoadItem]:
        """Exactly one :class:`SourceDocument` first, then pages in order, then perhaps :class:`Missing`.

        Raises:
            LoadFailed: the file cannot be read; nothing more comes.
        """
        ...


class LoadFailed(Exception):
    """A file ends in ``state`` for ``reason`` and gives no text."""

    def __init__(self, state: FileState, reason: Reason) -> None:
        super().__init__(state.value, reason.code)
        self.state = state
        self.reason = reason


def load(path: Path, passwords: Sequence[str] = ()) -> Iterator[LoadItem]:
    """Read ``path`` with the loader of its kind.

    Raises:
        LoadFailed: also for everything the operating system refuses.
    """
    from engine.intake import kinds

    try:
        kind, source = kinds.identify(Source(path, tuple(passwords)))
        module = cast(Loader, importlib.import_module(f"{__name__}.{kind}"))
        yield from module.read(source)
    except OSError as exc:
        raise LoadFailed(FileState.UNREADABLE, os_reason(exc)) from exc
