"""An answer as a flat list of pieces to show: text, citation chips, verdict badges.

Pure text work: what the answer view draws is decided here and tested without a widget.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.documents import Answer, Sentence, Verdict

_MARK = re.compile(r"[ \t]*\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text to be shown as it is; ``sentence`` is None between sentences."""

    text: str
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class ChipPiece:
    """A clickable [n]."""

    number: int


@dataclass(frozen=True, slots=True)
class BadgePiece:
    """The verdict of the sentence that ends here, in words."""

    verdict: Verdict
    sentence: Sentence


Piece = TextPiece | ChipPiece | BadgePiece


def lay_out(answer: Answer) -> list[Piece]:
    """The pieces of ``answer.text`` in reading order, with each sentence's chips and badge behind it.

    Brackets that name no citation of this answer stay text, as in ``a[0]``; citations a sentence has
    without a mark in the text get their chip at its end. A sentence that is not found in the text is
    put at the end.
    """
    known = frozenset(citation.number for citation in answer.citations)
    plain, marks = _without_marks(answer.text, known)
    pieces: list[Piece] = []
    lost: list[Sentence] = []
    position = 0
    for sentence in answer.sentences:
        found = _find(plain, _without_marks(sentence.text, known)[0], position)
        if found is None:
            lost.append(sentence)
            continue
        start, end = found
        pieces += _run(plain, position, start, marks, None)
        pieces += _run(plain, start, end, marks, sentence)
        pieces += _ending(sentence, marks, start, end)
        position = end
    pieces += _run(plain, position, len(plain), marks, None)
    for sentence in lost:
        pieces.append(TextPiece((" " if pieces else "") + sentence.text, sentence))
        pieces += _ending(sentence, [], 0, 0)
    return [piece for piece in pieces if not isinstance(piece, ChipPiece) or piece.number in known]


def _without_marks(text: str, known: frozenset[int]) -> tuple[str, list[tuple[int, int]]]:
    """The text without [n], and ``(offset in it, n)`` for each mark taken out."""
    kept: list[str] = []
    marks: list[tuple[int, int]] = []
    length = position = 0
    for match in _MARK.finditer(text):
        if int(match.group(1)) not in known:
            continue
        kept.append(text[position : match.start()])
        length += match.start() - position
        marks.append((length, int(match.group(1))))
        position = match.end()
    kept.append(text[position:])
    return "".join(kept), marks


def _find(plain: str, wanted: str, start: int) -> tuple[int, int] | None:
    """Where ``wanted`` stands from ``start`` on, blanks aside."""
    tight = [(offset, char) for offset, char in enumerate(plain) if offset >= start and not char.isspace()]
    needle = "".join(wanted.split())
    if not needle:
        return None
    found = "".join(char for _, char in tight).find(needle)
    if found < 0:
        return None
    return tight[found][0], tight[found + len(needle) - 1][0] + 1


def _run(
    plain: str, start: int, end: int, marks: list[tuple[int, int]], sentence: Sentence | None
) -> Iterator[Piece]:
    """Text from ``start`` to ``end`` with the marks inside it.

    A mark at an end belongs to the text before it.
    """
    position = start
    for offset, number in marks:
        if start < offset <= end:
            if offset > position:
                yield TextPiece(plain[position:offset], sentence)
            yield ChipPiece(number)
            position = offset
    if end > position:
        yield TextPiece(plain[position:end], sentence)


def _ending(sentence: Sentence, marks: list[tuple[int, int]], start: int, end: int) -> Iterator[Piece]:
    shown = {number for offset, number in marks if start < offset <= end}
    for number in sentence.citations:
        if number not in shown:
            yield ChipPiece(number)
    if sentence.verdict in ("partly", "unsupported"):
        yield BadgePiece(sentence.verdict, sentence)
