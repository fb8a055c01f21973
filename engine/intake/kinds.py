"""Which loader reads a file: its first bytes decide where they are clear, else its suffix."""

import errno
import re
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

from engine.documents import FileState, Reason
from engine.intake import legacy, unlocking
from engine.intake.loaders import LoadFailed, Source

SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".mhtml": "mhtml",
    ".mht": "mhtml",
    ".pdf": "pdf",
    ".docx": "word",
    ".docm": "word",
    ".dotx": "word",
    ".pptx": "slides",
    ".pptm": "slides",
    ".ppsx": "slides",
    ".xlsx": "sheet",
    ".xlsm": "sheet",
    ".csv": "delimited",
    ".tsv": "delimited",
    ".epub": "ebook",
    ".eml": "mail",
    ".msg": "outlook",
    ".rtf": "rtf",
    ".odt": "opendocument",
    ".odp": "opendocument",
    ".ods": "opendocument",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
}
"""Suffixes that are read, and the loader module of each."""

_TEXTS = frozenset({"markdown", "html", "mhtml", "delimited", "mail", "rtf", "text"})
"""Loaders of files that are text themselves; all others have bytes by which they are known."""

_STREAMED = frozenset({"delimited"})
"""Loaders that never hold the whole file."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LARGEST_TEXT = 256 << 20
_LARGEST_UNZIPPED = 512 << 20
_BOMB_RATIO, _BOMB_FROM = 100, 64 << 20
"""A ZIP of more than ``_BOMB_FROM`` bytes unpacked that shrinks more than this was made to harm."""

_SAVED_PAGE = re.compile(rb"\A(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?content-type:\s*multipart/related", re.I)
_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype\s+html|<(?:html|head|meta|table)[\s>])", re.I
)
_BY_PART = {"word/document.xml": "word", "ppt/presentation.xml": "slides", "xl/workbook.xml": "sheet"}
_BY_MIMETYPE = {
    b"application/epub+zip": "ebook",
    b"application/vnd.oasis.opendocument.text": "opendocument",
    b"application/vnd.oasis.opendocument.presentation": "opendocument",
    b"application/vnd.oasis.opendocument.spreadsheet": "opendocument",
}


def unsupported(path: Path) -> Reason | None:
    """Why no file of this name is read, whatever it holds; None for a name that says nothing."""
    suffix = path.suffix.lower()
    if not suffix or suffix in SUFFIXES or suffix in legacy.SUFFIXES:
        return None
    return Reason("unsupported_type", {"suffix": suffix})


def identify(source: Source) -> tuple[str, Source]:
    """The loader's name for this file, and the source to hand to it (decrypted, converted).

    Raises:
        LoadFailed: no loader reads such a file, or it is not what its suffix says.
        OSError: it cannot be opened.
    """
    path, suffix = source.path, source.path.suffix.lower()
    # A file without a suffix is read if it is text: README, 说明.
    kind = SUFFIXES.get(suffix) if suffix else "text"
    if not path.is_file():
        path.stat()
        raise LoadFailed(FileState.UNREADABLE, Reason("not_a_file"))
    if unsupported(path) is not None:
        raise _unsupported(suffix)
    size = source.size()
    if size == 0:
        raise LoadFailed(FileState.EMPTY, Reason("zero_bytes"))
    with source.open() as stream:
        head = stream.read(4096)
    if head.startswith(_OLE):
        return _ole(source, kind, suffix)
    if head.startswith(b"PK\x03\x04"):
        return _zip_kind(source, suffix), source
    # The standard allows rubbish before the mark, but a text about PDF may hold it too.
    if head.startswith(b"%PDF-") or (suffix == ".pdf" and b"%PDF-" in head[:1024]):
        return "pdf", source
    if head.startswith(b"{\\rtf"):
        return "rtf", source
    if kind in ("html", None) and _SAVED_PAGE.match(head):
        kind = "mhtml"
    if kind is None and _HTML.match(head):
        # What many web systems call an Excel or Word export is a page with a table.
        kind = "html"
    if kind is None:
        raise LoadFailed(FileState.UNSUPPORTED, Reason("old_office", {"suffix": suffix}))
    if not suffix and b"\0" in head:
        raise _unsupported(suffix)
    if kind not in _TEXTS or kind == "rtf":
        raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": suffix}))
    if size > _LARGEST_TEXT and kind not in _STREAMED:
        raise LoadFailed(FileState.OVER_BUDGET, Reason("too_large", {"limit_mb": _LARGEST_TEXT >> 20}))
    return kind, source


def _ole(source: Source, kind: str | None, suffix: str) -> tuple[str, Source]:
    """Microsoft's old container: an encrypted document, a mail of Outlook or an old Office file."""
    if kind == "outlook":
        return kind, source
    # Word and Excel wrap a document that has a password in the old container.
    if unlocking.is_locked(source):
        return identify(replace(source, content=unlocking.unlock(source)))
    return identify(replace(source, content=legacy.convert(source)))


def _zip_kind(source: Source, suffix: str) -> str:
    try:
        with source.open() as stream, zipfile.ZipFile(stream) as archive:
            entries = archive.infolist()
            names = {entry.filename for entry in entries}
            unpacked = sum(entry.file_size for entry in entries)
            packed = max(1, source.size())
            if unpacked > _LARGEST_UNZIPPED or (unpacked > _BOMB_FROM and unpacked > packed * _BOMB_RATIO):
                limit = (_LARGEST_UNZIPPED if unpacked > _LARGEST_UNZIPPED else _BOMB_FROM) >> 20
                raise LoadFailed(FileState.OVER_BUDGET, Reason("too_large", {"limit_mb": limit}))
            mimetype = archive.read("mimetype").strip() if "mimetype" in names else b""
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged_archive")) from exc
    except OSError as exc:
        if exc.errno != errno.EINVAL:
            raise
        # The directory points to before the start of the file.
        raise LoadFailed(FileState.DAMAGED, Reason("damaged_archive")) from exc
    for part, kind in _BY_PART.items():
        if part in names:
            return kind
    if mimetype in _BY_MIMETYPE:
        return _BY_MIMETYPE[mimetype]
    if suffix == ".epub" and "META-INF/container.xml" in names:
        return "ebook"
    if "[Content_Types].xml" in names or suffix not in SUFFIXES:
        raise _unsupported(suffix)
    raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": suffix}))


def _unsupported(suffix: str) -> LoadFailed:
    return LoadFailed(FileState.UNSUPPORTED, Reason("unsupported_type", {"suffix": suffix or "—"}))
