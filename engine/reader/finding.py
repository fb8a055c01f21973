"""Words in a text, whatever their case and width and wherever lines break."""

import re
import unicodedata
from functools import lru_cache

_FULL_WIDTH = 0xFEE0
"""How far ！ to ～ stand behind ! to ~ in Unicode."""
_BREAK = r"(?:[-\u2010\u00ad]\s*\n\s*|\s*)"
"""What may stand between two characters: blanks, and the end of a line with its hyphen."""


def spans_of(words: str, text: str) -> list[tuple[int, int]]:
    """Each ``[start, end)`` where ``words`` stand in ``text``, in order.

    Chinese lines have no blank at their end (PyMuPDF#3855), so blanks decide nothing, here or there.
    """
    pattern = _pattern("".join(unicodedata.normalize("NFKC", words).split()))
    return [] if pattern is None else [found.span() for found in pattern.finditer(text)]


@lru_cache(maxsize=8)
def _pattern(plain: str) -> re.Pattern[str] | None:
    return re.compile(_BREAK.join(map(_either_width, plain)), re.IGNORECASE) if plain else None


def _either_width(character: str) -> str:
    if "!" <= character <= "~":
        return f"[{re.escape(character)}{chr(ord(character) + _FULL_WIDTH)}]"
    return re.escape(character)
