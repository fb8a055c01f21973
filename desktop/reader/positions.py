"""Offsets of Python strings in Qt's text documents.

Qt counts UTF-16 units, so a character outside the basic plane counts twice there; and it makes one
line break of a carriage return with a line feed.
"""

import re
from bisect import bisect_right

_UNEVEN = re.compile("\r\n|[\U00010000-\U0010ffff]")


def shown_text(text: str) -> str:
    """The text as it is put into a text widget."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


class Positions:
    """Where offsets of ``text`` lie in the document that shows ``shown_text(text)``, and back."""

    def __init__(self, text: str) -> None:
        # From each of these offsets on, the two counts differ by the shift of the same place.
        self._offsets, self._shown, self._shifts = [0], [0], [0]
        for found in _UNEVEN.finditer(text):
            shift = self._shifts[-1] + (-1 if found.end() - found.start() == 2 else 1)
            self._offsets.append(found.end())
            self._shown.append(found.end() + shift)
            self._shifts.append(shift)
        self.length = len(text) + self._shifts[-1]

    def shown(self, offset: int) -> int:
        return offset + self._shifts[bisect_right(self._offsets, offset) - 1]

    def offset(self, shown: int) -> int:
        return shown - self._shifts[bisect_right(self._shown, shown) - 1]
