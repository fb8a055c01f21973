"""An answer as a flat list of pieces to show: text, citation chips, verdict badges.

Pure text work: what the answer view draws is decided here and tested without a widget.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.answers import Answer, Flag, Sentence, Verdict

BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")

_MARK = re.compile(r"[ \t]*\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text to be shown as it is; ``sentence`` is None between sentences.

    ``flag`` is a detail of the sentence that no passage holds, and all of this piece.
    """

    text: str
    sentence: Sentence | None = None
    flag: Flag | None = None


@dataclass(frozen=True, slots=True)
class ChipPiece:
    """A clickable [n]."""

    number: int


@dataclass(frozen=True, slots=True)
class BadgePiece:
    """The verdict of the sentence that ends here."""

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
        pieces += _ending(answer, sentence, marks, start, end)
        position = end
    pieces += _run(plain, position, len(plain), marks, None)
    for sentence in lost:
        pieces.append(TextPiece((" " if pieces else "") + sentence.text, sentence))
        pieces += _ending(answer, sentence, [], 0, 0)
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
    """Text from ``start`` to ``end`` with the marks and the flagged details inside it.

    A mark at an end belongs to the text before it.
    """
    flagged = _flagged(plain, start, end, sentence)
    position = start
    for offset, number in marks:
        if start < offset <= end:
            yield from _text(plain, position, offset, sentence, flagged)
            yield ChipPiece(number)
            position = offset
    yield from _text(plain, position, end, sentence, flagged)


def _flagged(plain: str, start: int, end: int, sentence: Sentence | None) -> list[tuple[int, int, Flag]]:
    """Where the flagged details of a sentence stand between ``start`` and ``end``, none over another."""
    found: list[tuple[int, int, Flag]] = []
    if sentence is None:
        return found
    # Answer and sentence may differ in blanks.
    tight = [offset for offset in range(start, end) if not plain[offset].isspace()]
    for flag in sorted(sentence.flags, key=lambda each: each.start):
        first = len("".join(sentence.text[: flag.start].split()))
        size = len("".join(sentence.text[flag.start : flag.end].split()))
        if not size or first + size > len(tight):
            continue
        if not found or tight[first] >= found[-1][1]:
            found.append((tight[first], tight[first + size - 1] + 1, flag))
    return found


def _text(
    plain: str,
    start: int,
    end: int,
    sentence: Sentence | None,
    flagged: list[tuple[int, int, Flag]],
) -> Iterator[TextPiece]:
    position = start
    for first, last, flag in flagged:
        if start <= first and last <= end:
            if first > position:
                yield TextPiece(plain[position:first], sentence)
            yield TextPiece(plain[first:last], sentence, flag)
            position = last
    if end > position:
        yield TextPiece(plain[position:end], sentence)


def _ending(
    answer: Answer, sentence: Sentence, marks: list[tuple[int, int]], start: int, end: int
) -> Iterator[Piece]:
    """What stands behind a sentence; the passages' own sentences need no verdict."""
    shown = {number for offset, number in marks if start < offset <= end}
    for number in sentence.citations:
        if number not in shown:
            yield ChipPiece(number)
    if sentence.verdict != "no_claim" and not answer.evidence_only:
        yield BadgePiece(sentence.verdict, sentence)
