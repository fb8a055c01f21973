"""Offsets of Python strings in Qt's text documents.

Qt counts UTF-16 units, so a character outside the basic plane counts twice there; and it makes one
line break of a carriage return with a line feed.
"""


def shown_text(text: str) -> str:
    """The text as it is put into a text widget."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def shown_offset(text: str, offset: int) -> int:
    """Where ``offset`` of ``text`` lies in the document that shows ``shown_text(text)``."""
    before = text[:offset]
    wide = sum(char > "\uffff" for char in before)
    return len(before) + wide - before.count("\r\n")
