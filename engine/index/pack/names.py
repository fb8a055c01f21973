"""Names that are the same on every system and say what they are: of libraries, folders and documents."""

import re
import unicodedata

LONGEST_NAME = 300
"""Characters of one name; file systems have 255 at most, and a number may come to it."""

LONGEST_PATH = 32767
"""Characters of a document's path in its folder; no file system has longer ones."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DRIVE = re.compile(r"[A-Za-z]:")
_SUBSTITUTE = "_"


def is_safe(name: str) -> bool:
    """Whether this is one plain name: no path, nothing invisible, nothing that turns the text around."""
    return (
        0 < len(name) <= LONGEST_NAME
        and bool(name.strip(" ."))
        and not _DRIVE.match(name)
        and all(map(_is_plain, name))
    )


def is_safe_path(path: str) -> bool:
    """Whether a path with ``/`` stays in its folder on every system."""
    return len(path) <= LONGEST_PATH and all(map(is_safe, path.split("/")))


def safe(name: str) -> str:
    """The name that comes nearest to this one; every safe name stays as it is."""
    plain = "".join(character if _is_plain(character) else _SUBSTITUTE for character in name)[:LONGEST_NAME]
    if _DRIVE.match(plain):
        plain = plain[0] + _SUBSTITUTE + plain[2:]
    return plain if plain.strip(" .") else _SUBSTITUTE


def safe_path(path: str) -> str:
    """The path that comes nearest to this one; every safe path stays as it is."""
    return "/".join(map(safe, path.split("/")))


def distinct(name: str, taken: set[str]) -> str:
    """The name or path, with a number where it is taken; it is noted as taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found


def _is_plain(character: str) -> bool:
    if character in "/\\" or character in _BIDI:
        return False
    # Control characters, lone surrogates, line and paragraph separators.
    return unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
