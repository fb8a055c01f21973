"""Loaders turn one file into a :class:`SourceDocument` and its pages, one module a kind of file.

Which loader reads a file is decided by its first bytes where they are clear, else by its suffix.
"""

import importlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.scanner import os_reason

SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".docx": "word",
    ".docm": "word",
    ".txt": "text",
    ".text": "text",
}
"""Suffixes that are read, and the loader module of each (``docs`` of a kind share its name)."""

_OLD_OFFICE = frozenset({".doc", ".dot", ".xls", ".ppt", ".wps", ".et", ".dps"})
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BINARY_KINDS = frozenset({"pdf", "word"})
_LARGEST_TEXT = 256 << 20
_LARGEST_UNZIPPED = 512 << 20
_BOMB_RATIO, _BOMB_FROM = 100, 64 << 20
"""A ZIP of more than ``_BOMB_FROM`` bytes unpacked that shrinks more than this was made to harm."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Pages that show something that could not be read as text; a loader's last item, if any.

    ``unusable`` are those of them whose text says nothing (characters without Unicode values, a stamp
    on a picture): it is shown, but left out of the chunks.
    """

    pages: tuple[int, ...]
    reason: Reason
    unusable: tuple[int, ...] = ()


LoadItem = SourceDocument | Page | Missing


class Loader(Protocol):
    """A module that reads one kind of file."""

    def read(self, path: Path) -> Iterator[LoadItem]:
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


def load(path: Path) -> Iterator[LoadItem]:
    """Read ``path`` with the loader of its kind.

    Raises:
        LoadFailed: also for everything the operating system refuses.
    """
    try:
        kind = kind_of(path)
        module = cast(Loader, importlib.import_module(f"{__name__}.{kind}"))
        yield from module.read(path)
    except OSError as exc:
        raise LoadFailed(FileState.UNREADABLE, os_reason(exc)) from exc


def kind_of(path: Path) -> str:
    """The loader for this file: its content decides, its suffix where the content does not say.

    Raises:
        LoadFailed: no loader reads such a file, or it is not what its suffix says.
        OSError: it cannot be opened.
    """
    suffix = path.suffix.lower()
    # A file without a suffix is read if it is text: README, 说明.
    kind = SUFFIXES.get(suffix) if suffix else "text"
    if not path.is_file():
        path.stat()
        raise LoadFailed(FileState.UNREADABLE, Reason("not_a_file"))
    if kind is None and suffix not in _OLD_OFFICE:
        raise _unsupported(suffix)
    size = path.stat().st_size
    if size == 0:
        raise LoadFailed(FileState.EMPTY, Reason("zero_bytes"))
    with path.open("rb") as stream:
        head = stream.read(4096)
    found = _by_content(path, head, suffix)
    if found is not None:
        return found
    if kind is None:
        raise LoadFailed(FileState.UNSUPPORTED, Reason("old_office", {"suffix": suffix}))
    if not suffix and b"\0" in head:
        raise _unsupported(suffix)
    if kind in _BINARY_KINDS:
        raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": suffix}))
    if size > _LARGEST_TEXT:
        raise LoadFailed(FileState.OVER_BUDGET, Reason("too_large", {"limit_mb": _LARGEST_TEXT >> 20}))
    return kind


def _by_content(path: Path, head: bytes, suffix: str) -> str | None:
    """The kind that the first bytes prove, or None where they could be text."""
    if head.startswith(_OLE):
        # Word and Excel wrap a document that has a password in the old container.
        if "EncryptedPackage".encode("utf-16-le") in path.read_bytes()[:_LARGEST_TEXT]:
            raise LoadFailed(FileState.NEEDS_PASSWORD, Reason("password_needed"))
        raise LoadFailed(FileState.UNSUPPORTED, Reason("old_office", {"suffix": suffix}))
    if head.startswith(b"PK\x03\x04"):
        return _zip_kind(path, suffix)
    # The standard allows rubbish before the mark, but a text about PDF may hold it too.
    if head.startswith(b"%PDF-") or (suffix == ".pdf" and b"%PDF-" in head[:1024]):
        return "pdf"
    return None


def _zip_kind(path: Path, suffix: str) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged_archive")) from exc
    unpacked = sum(entry.file_size for entry in entries)
    packed = max(1, path.stat().st_size)
    if unpacked > _LARGEST_UNZIPPED or (unpacked > _BOMB_FROM and unpacked > packed * _BOMB_RATIO):
        limit = (_LARGEST_UNZIPPED if unpacked > _LARGEST_UNZIPPED else _BOMB_FROM) >> 20
        raise LoadFailed(FileState.OVER_BUDGET, Reason("too_large", {"limit_mb": limit}))
    names = {entry.filename for entry in entries}
    if "word/document.xml" in names:
        return "word"
    if "[Content_Types].xml" in names or suffix not in SUFFIXES:
        raise _unsupported(suffix)
    raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": suffix}))


def _unsupported(suffix: str) -> LoadFailed:
    return LoadFailed(FileState.UNSUPPORTED, Reason("unsupported_type", {"suffix": suffix or "—"}))
