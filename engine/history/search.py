"""Finding runs by what was asked and answered.

All words of a search must stand in a run, anywhere, in the same form as passages are searched (full-width,
traditional and capital letters are one with their counterparts). The text is walked through as it is: for
ten thousand runs that takes tens of milliseconds, and no index keeps copies of what was deleted.
"""

from engine.normalise import normalise


def said(question: str, answer: object) -> str:
    """What is searched of a run."""
    return storable(normalise(f"{question}\n{answer or ''}"))


def condition(text: str, column: str) -> tuple[str, list[str]]:
    """An SQL condition on a column of :func:`said` and its values; true for all where ``text`` is blank."""
    words = storable(normalise(text)).split()
    return " AND ".join([f"instr({column}, ?) > 0" for _ in words]) or "TRUE", words


def storable(text: str) -> str:
    """Text as SQLite takes it: a question typed into a terminal may hold half a character."""
    return text.encode("utf-8", "replace").decode("utf-8")
