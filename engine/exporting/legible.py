"""Text that any document format can hold."""

import re

_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

# What XML 1.0 forbids (https://www.w3.org/TR/xml/#charsets), and the C1 controls, which it advises against.
_ILLEGAL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Marks that let text read in another order than it stands (Unicode TR 36, 3.1).
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def legible(text: str) -> str:
    """Without characters that nobody sees and XML forbids; every line break is ``\\n``."""
    return _REORDERING.sub("", _ILLEGAL.sub("", _BREAKS.sub("\n", text)))


def one_line(text: str) -> str:
    """:func:`legible` on one line."""
    return " ".join(legible(text).split())
