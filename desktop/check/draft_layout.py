"""A checked draft as the pieces that answers are shown in."""

from collections.abc import Iterator

from desktop.ask.answer_layout import BadgePiece, ChipPiece, Piece, TextPiece
from engine.answers import CheckedDraft, Sentence


def lay_out(text: str, checked: CheckedDraft) -> list[Piece]:
    """The pieces of ``text``, which is what was checked, in reading order.

    Citation marks that the draft had are gone: their numbers are not those of these citations.
    """
    pieces: list[Piece] = []
    position = 0
    for sentence, (start, end) in zip(checked.sentences, checked.spans, strict=True):
        if gap := _gap(text[position:start]):
            pieces.append(TextPiece(gap))
        pieces += _sentence(sentence)
        position = end
    return pieces


def _gap(between: str) -> str:
    """What parts two sentences; one that only names a source was not judged, and would look as if it were."""
    return "\n" * min(between.count("\n"), 2) or (" " if between else "")


def _sentence(sentence: Sentence) -> Iterator[Piece]:
    position = 0
    for flag in sorted(sentence.flags, key=lambda each: each.start):
        # A subject has no place, and of two over each other the first is marked.
        if flag.end <= flag.start or flag.start < position:
            continue
        if flag.start > position:
            yield TextPiece(sentence.text[position : flag.start], sentence)
        yield TextPiece(sentence.text[flag.start : flag.end], sentence, flag)
        position = flag.end
    if position < len(sentence.text):
        yield TextPiece(sentence.text[position:], sentence)
    for number in sentence.citations:
        yield ChipPiece(number)
    if sentence.verdict != "no_claim":
        yield BadgePiece(sentence.verdict, sentence)
