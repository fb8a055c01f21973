"""Lines of Markdown tables."""

from collections.abc import Sequence


def row(cells: Sequence[str]) -> str:
    """A line of cells that are Markdown already."""
    return f"| {' | '.join(cells)} |"


def text_row(cells: Sequence[str]) -> str:
    """A line of texts: each on one line, and none ends its cell."""
    return row([" ".join(cell.split()).replace("|", r"\|") for cell in cells])


def rule(columns: int) -> str:
    """The line below the heads."""
    return row(["---"] * columns)
