"""The body of an Outlook mail that has it as compressed RTF only ([MS-OXRTFCP])."""

import struct

from engine.intake.loaders import LoadFailed

_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_WINDOW = 4096
_LARGEST = 64 << 20


def body_of(data: bytes) -> tuple[str, str]:
    """Plain text of the body and '', or '' and HTML; both empty where nothing can be read."""
    from engine.intake.loaders.rtf.document import text_of_rtf

    try:
        rtf = decompressed(data)
        return (text_of_rtf(rtf), "") if rtf.startswith(b"{\\rtf") else ("", "")
    except (ValueError, struct.error, IndexError, LoadFailed):
        return "", ""


def decompressed(data: bytes) -> bytes:
    """Raises ValueError or struct.error for bytes that are not compressed RTF."""
    if len(data) < 16:
        raise ValueError("too short")
    packed, unpacked, mark = struct.unpack_from("<II4s", data)
    if mark == b"MELA":
        return data[16 : 16 + unpacked]
    if mark != b"LZFu":
        raise ValueError("unknown compression")
    window = bytearray(_START.ljust(_WINDOW, b"\0"))
    write = len(_START)
    out = bytearray()
    at, end = 16, min(len(data), packed + 4)
    while at < end and len(out) < min(unpacked, _LARGEST):
        control = data[at]
        at += 1
        for bit in range(8):
            if at >= end:
                break
            if control >> bit & 1:
                if at + 1 >= end:
                    return bytes(out)
                offset, length = data[at] << 4 | data[at + 1] >> 4, (data[at + 1] & 15) + 2
                at += 2
                if offset == write:
                    return bytes(out)
                for step in range(length):
                    # Byte by byte: a run may repeat what it has just written.
                    out.append(window[(offset + step) % _WINDOW])
                    window[write] = out[-1]
                    write = (write + 1) % _WINDOW
            else:
                window[write] = data[at]
                out.append(data[at])
                write = (write + 1) % _WINDOW
                at += 1
    return bytes(out)
