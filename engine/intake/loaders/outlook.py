"""Mails that Outlook saved (.msg): the same page as that of any other mail.

Read from their streams: python-oxmsg decodes strictly, fails on code pages that Python lacks, does not see
attached mails, and reads every attachment into memory.
"""

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from engine.documents import FileState, Reason, SourceDocument
from engine.intake.encodings import decode, safe
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source, mime
from engine.intake.loaders.html.page import declared_charset
from engine.intake.loaders.letter import Attachment, Letter, is_any_sealed, page_of
from engine.intake.loaders.rtf import compressed

# Property numbers of [MS-OXPROPS].
_CLASS, _SUBJECT, _HEADERS, _BODY, _RTF, _HTML = 0x001A, 0x0037, 0x007D, 0x1000, 0x1009, 0x1013
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_TO, _CC, _SENT, _RECEIVED = 0x0E04, 0x0E03, 0x0039, 0x0E06
_LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _DATA = 0x3707, 0x3704, 0x3001, 0x3701
_CONTENT_ID, _HIDDEN = 0x3712, 0x7FFE
_MESSAGE_CODEPAGE, _BODY_CODEPAGE = 0x3FFD, 0x3FDE
_UNICODE, _STRING8, _BINARY, _OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_CODECS = {
    65001: "utf-8", 1200: "utf-16-le", 20127: "us-ascii", 28591: "iso-8859-1", 54936: "gb18030", 52936: "hz",
    51932: "euc_jp", 50220: "iso2022_jp", 20866: "koi8-r", 10000: "mac_roman",
}  # fmt: skip
_DEEPEST = 10
# All that the library and the reading of a broken directory have been seen to raise.
_DAMAGE = (
    ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, struct.error,
)  # fmt: skip


def read(source: Source) -> Iterator[LoadItem]:
    """The mail as one page.

    Raises:
        LoadFailed: the file is damaged, or an old Office file with the wrong name.
        OSError: it cannot be read.
    """
    import olefile

    try:
        with source.open() as stream, olefile.OleFileIO(stream) as container:
            root = _Storage(container, (), header=32)
            if not root.has_properties:
                raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": source.path.suffix}))
            letter = _letter(root, 0)
    except LoadFailed:
        raise
    except OSError as exc:
        if exc.errno is not None:
            raise
        # The library's own errors are OSErrors too, without a number of the system.
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "MSG"})) from exc
    except _DAMAGE as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "MSG"})) from exc
    title = letter.subject
    metadata = {name: letter.headers[name] for name in ("from", "date") if letter.headers[name]}
    yield SourceDocument("mail", title or source.path.stem, title_from_name=not title, metadata=metadata)
    yield page_of(letter)
    if is_any_sealed(letter):
        yield Missing((1,), Reason("mail_encrypted"))


class _Storage:
    """A mail, a recipient or an attachment: a folder of the container with a stream per property."""

    def __init__(
        self, container: Any, path: tuple[str, ...], header: int, codepage: str | None = None
    ) -> None:
        self._container = container
        self.path = path
        fixed = self._stream("__properties_version1.0") or b""
        self.has_properties = len(fixed) >= header
        self._fixed = {
            struct.unpack_from("<H", fixed, at + 2)[0]: fixed[at + 8 : at + 16]
            for at in range(header, len(fixed) - 15, 16)
        }
        self._codepage = _codec(self.number(_MESSAGE_CODEPAGE)) or codepage

    def _stream(self, name: str) -> bytes | None:
        path = [*self.path, name]
        if self._container.get_type(path) != 2:
            return None
        with self._container.openstream(path) as stream:
            data: bytes = stream.read()
            return data

    def number(self, number: int) -> int:
        value = self._fixed.get(number)
        return int(struct.unpack("<I", value[:4])[0]) if value is not None else 0

    def time(self, number: int) -> str:
        ticks = struct.unpack("<Q", self._fixed.get(number, bytes(8)))[0]
        if not 0 < ticks < 10**18:
            return ""
        moment = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
        return moment.strftime("%Y-%m-%d %H:%M %z")

    def text(self, number: int) -> str:
        data = self._stream(f"__substg1.0_{number:04X}{_UNICODE:04X}")
        if data is not None:
            return safe(data.decode("utf-16-le", "replace")).strip("\n")
        data = self._stream(f"__substg1.0_{number:04X}{_STRING8:04X}")
        return decode(data.rstrip(b"\0"), self._codepage).text.strip("\n") if data else ""

    def binary(self, number: int) -> bytes:
        return self._stream(f"__substg1.0_{number:04X}{_BINARY:04X}") or b""

    def size(self, number: int) -> int:
        path = [*self.path, f"__substg1.0_{number:04X}{_BINARY:04X}"]
        return int(self._container.get_size(path)) if self._container.get_type(path) == 2 else 0

    def html(self) -> str:
        data = self.binary(_HTML)
        if data:
            label = _codec(self.number(_BODY_CODEPAGE)) or declared_charset(data[:4096]) or self._codepage
            return decode(data, label).text
        return self.text(_HTML)

    def inner(self, prefix: str) -> "Iterator[_Storage]":
        for entry in self._container.listdir(streams=False, storages=True):
            *folder, name = entry
            if tuple(folder) == self.path and name.startswith(prefix):
                yield _Storage(self._container, tuple(entry), 8, self._codepage)

    def enclosed(self) -> "_Storage | None":
        path = (*self.path, f"__substg1.0_{_DATA:04X}{_OBJECT:04X}")
        if self._container.get_type(list(path)) != 1:
            return None
        message = _Storage(self._container, path, 24, self._codepage)
        return message if message.has_properties else None


def _letter(message: _Storage, depth: int) -> Letter:
    headers = mime.parse(message.text(_HEADERS).encode("utf-8", "replace"))
    sender, address = message.text(_SENDER), message.text(_SENDER_SMTP) or message.text(_SENDER_ADDRESS)
    if address and "@" in address and address not in sender:
        sender = f"{sender} <{address}>".strip()
    letter = Letter({
        "from": sender or mime.header(headers, "from"),
        "to": _line(message.text(_TO)) or mime.header(headers, "to"),
        "cc": _line(message.text(_CC)) or mime.header(headers, "cc"),
        "date": message.time(_SENT) or message.time(_RECEIVED),
        "subject": _line(message.text(_SUBJECT)),
    })  # fmt: skip
    letter.plain, letter.html = message.text(_BODY), message.html()
    if not letter.plain.strip() and not letter.html.strip():
        letter.plain, letter.html = compressed.body_of(message.binary(_RTF))
    for attachment in message.inner("__attach_version1.0_"):
        enclosed = attachment.enclosed()
        name = attachment.text(_LONG_NAME) or attachment.text(_SHORT_NAME) or attachment.text(_SHOWN_NAME)
        is_inside = attachment.text(_CONTENT_ID) and attachment.number(_HIDDEN)
        if enclosed is not None and depth < _DEEPEST:
            letter.enclosed.append(_letter(enclosed, depth + 1))
        elif name and not is_inside:
            letter.attachments.append(Attachment(_line(name), attachment.size(_DATA)))
    is_empty = not letter.plain.strip() and not letter.html.strip()
    letter.is_sealed = is_empty and "SMIME" in message.text(_CLASS).upper()
    return letter


def _line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())


def _codec(codepage: int) -> str | None:
    return _CODECS.get(codepage) or (f"cp{codepage}" if codepage else None)
