"""Lines that hold nothing but the number of their page."""

import re
import unicodedata

_CERTAIN = re.compile(
    r"第\s*(?:\d{1,5}|[〇零一二三四五六七八九十百]{1,6})\s*页(?:\s*[/,，、（(]?\s*共\s*\d{1,5}\s*页\s*[)）]?)?"
    r"|共\s*\d{1,5}\s*页\s*[/,，、]?\s*第\s*\d{1,5}\s*页"
    r"|页\s*码?\s*[:：]?\s*\d{1,5}(?:\s*/\s*\d{1,5})?"
    r"|\d{1,5}\s*页"
    r"|\d{1,5}\s*/\s*\d{1,5}(?:\s*页)?"
    r"|(?:page|p\.)\s*\d{1,5}(?:\s*(?:of|/)\s*\d{1,5})?|\d{1,5}\s*\|\s*page",
    re.IGNORECASE,
)
_BARE = re.compile(r"(\d{1,5}|[ivxlc]{1,8})", re.IGNORECASE)
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212·•~∼\u3000 []()（）【】|"
_LONGEST = 30


def is_certain(line: str) -> bool:
    """Whether the line says of itself that it is a page's number: 第 3 页, Page 3 of 10, 3/10."""
    text = _plain(line)
    return bool(text) and _CERTAIN.fullmatch(text) is not None


def bare(line: str) -> str | None:
    """The number of a line that holds only a number, perhaps between dashes; roman ones in lower case.

    It is a page's number only if it is that of this page, or runs along with the pages.
    """
    match = _BARE.fullmatch(_plain(line))
    return match[1].lower() if match else None


def _plain(line: str) -> str:
    return unicodedata.normalize("NFKC", line).strip(_DASHES) if len(line) < _LONGEST else ""
