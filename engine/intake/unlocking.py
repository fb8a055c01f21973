"""Office documents with a password, decrypted in memory; the password is never written anywhere."""

import contextlib
import io
import logging
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.parsers.expat import ExpatError

from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed, Source

if TYPE_CHECKING:
    from olefile import OleFileIO

log = logging.getLogger(__name__)

_OF_PROGRAMS = ("VelvetSweatshop", "/01Hannes Ruescher/01")
"""Excel's and PowerPoint's own passwords: a file locked with one opens for everybody without a question."""

_WORD_ENCRYPTED = 0x0100
_FILE_PASS, _END_OF_GLOBALS = 0x002F, 0x000A
_PPT_ENCRYPTED = b"\xdf\xc4\xd1\xf3"
_MOST_RECORDS = 100_000

# What olefile and msoffcrypto throw at damaged files: they parse without checking much.
_STUMBLES = (
    OSError, ValueError, LookupError, AssertionError, AttributeError, TypeError, ArithmeticError, ExpatError,
    struct.error,
)  # fmt: skip


def is_locked(source: Source) -> bool:
    """Whether the OLE container holds an encrypted document, or an old one with a password.

    Raises:
        LoadFailed: the container is damaged.
        OSError: the file cannot be opened.
    """
    with source.open() as stream:
        return _is_locked(stream)


def unlock(source: Source) -> bytes:
    """The document's own bytes, decrypted with the first of the source's passwords that fits.

    Raises:
        LoadFailed: no password is given or none fits; the container is damaged; it is encrypted in a way
            that no password opens, such as rights management.
        OSError: the file cannot be read.
    """
    data = source.bytes()
    if _is_rights_managed(data):
        raise LoadFailed(FileState.UNSUPPORTED, Reason("encryption_unsupported"))
    for password in (*filter(None, source.passwords), *_OF_PROGRAMS):
        content = _decrypted(data, password)
        if content is None:
            continue
        if content.startswith(data[:8]) and _is_locked(io.BytesIO(content)):
            # Encrypted once more, without end perhaps.
            raise _damaged()
        return content
    reason = Reason("password_wrong") if any(source.passwords) else Reason("password_needed")
    raise LoadFailed(FileState.NEEDS_PASSWORD, reason)


def _is_locked(stream: BinaryIO) -> bool:
    import olefile

    try:
        with olefile.OleFileIO(stream) as container:
            wrapped = ("EncryptedPackage", "EncryptionInfo", "\tDRMContent")
            return any(container.exists(name) for name in wrapped) or _has_password(container)
    except _STUMBLES as exc:
        if isinstance(exc, OSError) and exc.errno is not None:
            raise  # the operating system's; olefile's own errors have no number
        raise _damaged() from exc


def _has_password(container: "OleFileIO") -> bool:
    """Whether the old document in the container says of itself that it is encrypted."""
    if container.exists("WordDocument"):
        head = container.openstream("WordDocument").read(12)
        return len(head) == 12 and bool(int.from_bytes(head[10:12], "little") & _WORD_ENCRYPTED)
    for name in ("Workbook", "Book"):
        if container.exists(name):
            return _has_file_pass(container.openstream(name))
    if container.exists("Current User"):
        return bool(container.openstream("Current User").read(16)[12:] == _PPT_ENCRYPTED)
    return False


def _has_file_pass(workbook: BinaryIO) -> bool:
    for _ in range(_MOST_RECORDS):
        head = workbook.read(4)
        if len(head) < 4:
            break
        record, size = struct.unpack("<HH", head)
        if record in (_FILE_PASS, _END_OF_GLOBALS):
            return bool(record == _FILE_PASS)
        workbook.seek(size, io.SEEK_CUR)
    return False


def _is_rights_managed(data: bytes) -> bool:
    import olefile

    with olefile.OleFileIO(io.BytesIO(data)) as container:
        return any("DRM" in part for path in container.listdir() for part in path)


def _decrypted(data: bytes, password: str) -> bytes | None:
    """The decrypted bytes, or None when the password is not the right one."""
    import msoffcrypto
    from msoffcrypto import exceptions

    # At DEBUG the library logs keys.
    logging.getLogger("msoffcrypto").setLevel(logging.WARNING)
    target = io.BytesIO()
    try:
        office: Any = msoffcrypto.OfficeFile(io.BytesIO(data))
        try:
            if office.format == "ooxml":
                office.load_key(password=password, verify_password=True)
            else:
                office.load_key(password=password)
        except (exceptions.InvalidKeyError, UnicodeEncodeError):
            return None
        if getattr(office, "type", None) is None:
            raise exceptions.DecryptionError("an old way that the library does not know")
        with _temporary_files_in_memory():
            office.decrypt(target)
    except exceptions.InvalidKeyError as exc:  # the password was right, what it opens is not
        raise _damaged() from exc
    except exceptions.DecryptionError as exc:
        raise LoadFailed(FileState.UNSUPPORTED, Reason("encryption_unsupported")) from exc
    except (exceptions.FileFormatError, exceptions.ParseError, *_STUMBLES) as exc:
        log.info("an encrypted document could not be opened: %s", type(exc).__name__)
        raise _damaged() from exc
    return target.getvalue()


class _Memory:
    """Stands in for the module ``tempfile``."""

    TemporaryFile = io.BytesIO


@contextlib.contextmanager
def _temporary_files_in_memory() -> Iterator[None]:
    """msoffcrypto puts old documents together in a temporary file: nothing decrypted may reach the disk.

    The parsing process has one thread, so that nobody else sees the module changed.
    """
    from msoffcrypto.format import doc97, ppt97, xls97

    formats: list[Any] = [doc97, ppt97, xls97]
    kept = [module.tempfile for module in formats]
    try:
        for module in formats:
            module.tempfile = _Memory
        yield
    finally:
        for module, tempfile in zip(formats, kept, strict=True):
            module.tempfile = tempfile


def _damaged() -> LoadFailed:
    return LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "Office"}))
