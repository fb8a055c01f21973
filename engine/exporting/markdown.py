"""Answers as Markdown with footnotes (``[^1]``, as Pandoc, GitHub and Obsidian read them).

What documents and models wrote is text and stays text: no link, no image, no HTML comes of it.
"""

import re
from collections.abc import Iterator, Sequence

from engine.exporting.composition import Composed, Footnote, Grid, Mark, Paragraph, Piece, Remark
from engine.markdown_table import row, rule
from engine.wording import Language, describe

# With what many readers make of a bare address: a link.
_ACTIVE = re.compile(r"[\\`*_{}\[\]<>#|~^$&!@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
# At the beginning of a line: a rule, an underlined heading, a quotation. Lists may stay lists.
_LINE_START = re.compile(r"^(?=[-=+:]{2,}|[-=+]\s*$)", re.MULTILINE)


def markdown(answers: Sequence[Composed], language: Language, title: str | None = None) -> str:
    """The answers one after the other; footnotes are numbered through all of them."""
    blocks = [f"# {escaped(title)}"] if title else []
    footnotes: list[Footnote] = []
    for answer in answers:
        numbers = {number: i for i, number in enumerate(answer.footnotes, start=len(footnotes) + 1)}
        footnotes += answer.footnotes.values()
        blocks += _answer(answer, numbers)
    if footnotes:
        notes = [f"[^{i}]: {footnote(note, language)}" for i, note in enumerate(footnotes, start=1)]
        blocks.append("\n".join(notes))
    return "\n\n".join(blocks) + "\n"


def _answer(answer: Composed, numbers: dict[int, int]) -> Iterator[str]:
    yield f"## {escaped(answer.question)}"
    for line in answer.about:
        yield f"> {escaped(line)}"
    for paragraph in answer.paragraphs:
        yield _line(paragraph, numbers)
    if answer.grid is not None:
        yield _table(answer.grid, numbers)
    for line in answer.below:
        yield f"*{escaped(line)}*"


def _line(paragraph: Paragraph, numbers: dict[int, int]) -> str:
    # Blanks at the beginning could make code of the line.
    return "".join(_piece(piece, numbers) for piece in paragraph).strip()


def _piece(piece: Piece, numbers: dict[int, int]) -> str:
    match piece:
        case Mark():
            return f"[^{numbers[piece.number]}]"
        case Remark():
            return escaped(piece.text)
        case str():
            return escaped(piece)


def _table(grid: Grid, numbers: dict[int, int]) -> str:
    rows = [row([_line(cell, numbers) for cell in cells]) for cells in grid.rows]
    return "\n".join([row([escaped(name) for name in grid.columns]), rule(len(grid.columns)), *rows])


def footnote(note: Footnote, language: Language) -> str:
    """File, place and quote on one line."""
    params = {name: escaped(getattr(note, name)) for name in ("document", "place", "quote")}
    return describe("export_footnote", params, language).title


def escaped(text: str) -> str:
    """Text whose characters mean nothing but themselves in Markdown."""
    return _LINE_START.sub(r"\\", _ACTIVE.sub(r"\\\g<0>", text))
