"""What a sentence claims in details that can be compared: numbers, units, dates, names, negation, direction.

Each module reads one kind of detail from normalised text and says when two of them are the same.
"""


def words(*lines: str) -> list[str]:
    """The words of some lines: a list of many words is read more easily so."""
    return " ".join(lines).split()
