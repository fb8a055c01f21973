"""From one question to the next: the evidence of the one before stays where it stands in the prompt.

What two prompts have in common at their beginning is not read twice, and a question that goes on with the
same documents mostly wants the same sentences. So these stay in front, unchanged, and only what is missing is
added behind them. ``python -m tests.quality.answers.turns`` measures what that costs and saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from engine.answer.evidence import Evidence, answer_reserve
from engine.answer.trimming import Span, Trimmed

if TYPE_CHECKING:
    from engine.answer.generation import Generator
    from engine.answer.inquiry import Inquiry
    from engine.answer.prompting import Message, Prompt
    from engine.config import Settings

_WORTH = 0.6
"""Share of the evidence wanted that may be missing; above it all is read anew."""

_MOST = 2.0
"""How much longer than the evidence wanted all of it may become; then it begins anew."""

_FRAME = 40
"""Tokens behind the evidence without a question: the fence, 问题： and the template's."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a chat model read for its last answer: the prompt's name, the documents it was asked about as they
    were then, and the evidence."""

    prompt: str
    documents: tuple[object, ...]
    evidence: tuple[Evidence, ...]


@runtime_checkable
class Remembers(Protocol):
    """What a Generator may do besides: keep what it has read until the next question comes."""

    turn: Turn | None

    def held(self, messages: Sequence[Message]) -> int:
        """Tokens at the beginning of these messages that it would not read again."""
        ...


def kept(generator: Generator, prompt: Prompt, inquiry: Inquiry) -> tuple[Evidence, ...]:
    """The evidence that the model still holds and may be asked about; nothing where a document changed since
    or other documents are asked."""
    if not isinstance(generator, Remembers) or (turn := generator.turn) is None:
        return ()
    if (turn.prompt, turn.documents) != (prompt.name, _documents(inquiry)):
        return ()
    begun = prompt.beginning("", turn.evidence)
    is_held = generator.held(begun) >= generator.prompt_tokens(begun) - _FRAME
    return turn.evidence if is_held else ()


def note(generator: Generator, prompt: Prompt, inquiry: Inquiry, evidence: tuple[Evidence, ...]) -> None:
    """Remember what is being read."""
    if isinstance(generator, Remembers):
        generator.turn = Turn(prompt.name, _documents(inquiry), evidence)


def _documents(inquiry: Inquiry) -> tuple[object, ...]:
    return (inquiry.among, *((library.name, library.generation) for library in inquiry.libraries))


def continued(
    before: Sequence[Evidence],
    fresh: Sequence[Evidence],
    question: str,
    generator: Generator,
    prompt: Prompt,
    settings: Settings,
) -> tuple[Evidence, ...]:
    """The evidence of the turn before with what it lacks of the ``fresh``, numbered on; or the fresh alone
    where that is hardly more to read, or all together would be too long."""
    together = _joined(before, fresh)

    def tokens(evidence: Sequence[Evidence]) -> int:
        return generator.prompt_tokens(prompt.messages(question, evidence))

    nothing, whole, wanted = tokens(()), tokens(together), tokens(fresh)
    room = generator.context_length - answer_reserve(generator, settings) - 1
    is_worth_it = before and whole - tokens(before) <= _WORTH * (wanted - nothing)
    fits = whole <= room and whole - nothing <= _MOST * (wanted - nothing)
    return together if is_worth_it and fits else tuple(fresh)


def _joined(before: Sequence[Evidence], fresh: Sequence[Evidence]) -> tuple[Evidence, ...]:
    covered: dict[tuple[str, int], list[Span]] = {}
    for block in before:
        covered.setdefault((block.hit.library, block.hit.row), []).extend(block.kept)
    found = list(before)
    for block in fresh:
        spans = tuple(_lacking(block.kept, covered.get((block.hit.library, block.hit.row), ())))
        if spans:
            found.append(Evidence.of(len(found) + 1, Trimmed(block.hit, spans)))
    return tuple(found)


def _lacking(spans: Sequence[Span], covered: Sequence[Span]) -> list[Span]:
    """What of the spans no covered one holds, in order."""
    left = list(spans)
    for start, end in covered:
        left = [
            piece for a, b in left for piece in ((a, min(b, start)), (max(a, end), b)) if piece[0] < piece[1]
        ]
    return left
