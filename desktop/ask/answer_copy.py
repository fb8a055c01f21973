"""An answer as text for the clipboard, with its marks and sources or without."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from desktop.ask.answer_layout import BLANK_LINES, BadgePiece, ChipPiece, Piece, TextPiece, lay_out
from desktop.words import place_of, verdict_word
from engine.answers import Answer, Citation


def without_markers(answer: Answer) -> str:
    """The sentences alone."""
    pieces = (piece.text for piece in lay_out(answer) if isinstance(piece, TextPiece))
    return BLANK_LINES.sub("\n\n", "".join(pieces)).strip()


def with_markers(answer: Answer) -> str:
    """The sentences with [n], what could not be verified said in words, and the list of sources."""
    return marked(lay_out(answer), answer.citations)


def marked(pieces: Iterable[Piece], citations: Iterable[Citation]) -> str:
    """The same of anything that is laid out as answers are."""
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece, TextPiece):
            parts.append(piece.text)
        elif isinstance(piece, ChipPiece):
            parts.append(f"[{piece.number}]")
        elif isinstance(piece, BadgePiece) and piece.verdict != "supported":
            text = QCoreApplication.translate("Copy", " ({verdict})")
            parts.append(text.format(verdict=verdict_word(piece.verdict)))
    text = BLANK_LINES.sub("\n\n", "".join(parts)).strip()
    sources = source_lines(citations)
    return "\n".join([text, "", *sources]) if sources else text


def source_lines(citations: Iterable[Citation]) -> list[str]:
    """[n], file and place, a line for each."""
    return [f"[{source.number}] {source.document}｜{place_of(source)}" for source in citations]
