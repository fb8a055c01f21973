"""MIME messages as mail programs and browsers really write them: headers and parts as text.

The e-mail package of Python is asked for structure and bytes only. Its own decoding raises on broken headers,
and knows neither what a label like gb2312 means nor what to do without one.
"""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import cast

from engine.documents import FileState, Reason
from engine.intake.encodings import decode, safe
from engine.intake.loaders import LoadFailed

_ENCODED = re.compile(r"=\?([\w.:+-]+)(?:\*[^?]*)?\?([bBqQ])\?([^?]*)\?=(\s+(?==\?))?")
_DEFECTS_OF_CUT_FILES = frozenset({"CloseBoundaryNotFoundDefect", "StartBoundaryNotFoundDefect"})

Part = Message


def parse(data: bytes) -> Part:
    """The message in ``data``, without a byte order mark or a line of mbox in front of it.

    Raises:
        LoadFailed: its parts nest too deep to be honest.
    """
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    try:
        return message_from_bytes(data, policy=policy.compat32)
    except (RecursionError, MessageError, ValueError, LookupError) as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "MIME"})) from exc


def is_cut_short(message: Part) -> bool:
    """Whether the end of a part that was begun is missing."""
    return any(
        type(defect).__name__ in _DEFECTS_OF_CUT_FILES for part in message.walk() for defect in part.defects
    )


def header(part: Part, name: str) -> str:
    """A header's text in one line, '' without it; encoded words and bytes without a label are decoded."""
    # raw_items() alone gives the text as it stands in the file, its bytes as surrogates.
    raw = next((str(value) for key, value in part.raw_items() if key.lower() == name.lower()), "")
    return decoded_words(raw)


def decoded_words(raw: str) -> str:
    """RFC 2047, with characters torn between two words put together again."""
    if any("\udc80" <= char <= "\udcff" for char in raw):
        raw = decode(raw.encode("utf-8", "surrogateescape")).text
    pieces: list[str] = []
    pending = bytearray()
    charset = ""
    at = 0

    def flush() -> None:
        if pending:
            pieces.append(decode(bytes(pending), charset).text)
            pending.clear()

    raw = re.sub(r"\r?\n(?=[ \t])", "", raw)
    for match in _ENCODED.finditer(raw):
        if match.start() > at or match[1].lower() != charset:
            flush()
        pieces.append(raw[at : match.start()])
        charset = match[1].lower()
        pending += _word_bytes(match[2], match[3])
        at = match.end()
    flush()
    pieces.append(raw[at:])
    return " ".join(safe("".join(pieces)).split())


def _word_bytes(encoding: str, text: str) -> bytes:
    from base64 import b64decode
    from quopri import decodestring

    data = text.encode("utf-8", "surrogateescape")
    if encoding in "qQ":
        return decodestring(data, header=True)
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    return b64decode(data[: len(data) // 4 * 4 + (len(data) % 4 if len(data) % 4 > 1 else 0)] + b"==")


def content(part: Part) -> bytes:
    """The bytes of a part that is not made of parts."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def charset(part: Part) -> str | None:
    """The part's own word for its encoding."""
    value = _parameter(part, "content-type", "charset")
    return value if value and value.isascii() else None


def file_name(part: Part) -> str:
    """The name that a part has as an attachment, '' if it has none."""
    return _parameter(part, "content-disposition", "filename") or _parameter(part, "content-type", "name")


def _parameter(part: Part, name: str, parameter: str) -> str:
    try:
        value = part.get_param(parameter, None, header=name)
        text = collapse_rfc2231_value(value, errors="replace") if value is not None else ""
    except (ValueError, LookupError, TypeError):
        return ""
    # By the standard no encoded words stand in parameters; most Chinese mail programs put them there.
    return decoded_words(text)


def size(part: Part) -> int:
    """About how many bytes a part's content has, without decoding it."""
    payload = part.get_payload()
    length = len(payload) if isinstance(payload, str) else 0
    return length * 3 // 4 if header(part, "content-transfer-encoding").lower() == "base64" else length


def children(part: Part) -> Iterator[Part]:
    if part.is_multipart():
        yield from cast(list[Part], part.get_payload())
