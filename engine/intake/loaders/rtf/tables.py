"""What an RTF file says ahead of its text: code page, fonts and their character sets, heading styles."""

import codecs
import re

from engine.intake.encodings import decode

_SKIPPING = re.compile(r"\\bin(\d{1,9}) ?|\\.|[{}]", re.DOTALL)
# Python has no codec of its own for Apple's Asian sets; they start out from these.
_BY_CHARSET = {
    77: "mac_roman", 78: "cp932", 79: "cp950", 80: "cp949", 81: "cp1256", 82: "cp1255", 83: "mac_greek",
    84: "mac_cyrillic", 85: "gb18030", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030",
    136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_BY_CODEPAGE = {
    936: "gb18030",
    950: "big5hkscs",
    65001: "utf-8",
    10000: "mac_roman",
    1361: "johab",
    0: "cp1252",
}
_FONT = re.compile(r"\\f(\d{1,6})(?![^{};]*\\f\d)([^;{}]*)")
_CHARSET = re.compile(r"\\fcharset(\d{1,3})")
_STYLE = re.compile(r"\{([^{}]*)\}")
_HEADING_NAME = re.compile(r"(?:heading|标题) ?([1-9])\b", re.IGNORECASE)


def group_end(text: str, at: int) -> int:
    """Where the group that ``at`` is in closes (its brace), or the end of a text that is cut off."""
    depth = 1
    while (match := _SKIPPING.search(text, at)) is not None:
        at = match.end()
        if match[1]:
            at += int(match[1])
        elif match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return at - 1
    return len(text)


def codec_of_page(number: int) -> str:
    """The codec of a Windows code page; cp1252 for one that Python lacks."""
    codec = _BY_CODEPAGE.get(number, f"cp{number}")
    try:
        codecs.lookup(codec)
    except LookupError:
        return "cp1252"
    return codec


def font_codecs(group: str) -> dict[int, str]:
    """Font number → codec; fonts of the document's own code page are left out."""
    found = {}
    for match in _FONT.finditer(group):
        charset = _CHARSET.search(match[2])
        if charset and int(charset[1]) in _BY_CHARSET:
            found[int(match[1])] = _BY_CHARSET[int(charset[1])]
    return found


def heading_styles(group: str, codec: str) -> dict[int, int]:
    """Number of a paragraph style → level of heading, from 1."""
    levels = {}
    for match in _STYLE.finditer(group):
        number = re.search(r"\\s(\d{1,5})(?!\w)", match[1])
        if number is None:
            continue
        outline = re.search(r"\\outlinelevel(\d)", match[1])
        plain = re.sub(r"\\'([0-9a-fA-F]{2})", lambda code: chr(int(code[1], 16)), match[1])
        named = _HEADING_NAME.search(decode(plain.encode("latin-1", "replace"), codec).text)
        if outline and int(outline[1]) < 9:
            levels[int(number[1])] = int(outline[1]) + 1
        elif named:
            levels[int(number[1])] = int(named[1])
    return levels
