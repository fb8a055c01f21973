"""Evidence: the passages handed to the model, numbered, trimmed into a budget of its own tokens.

Small to find, large to read: what the hits leave of the budget goes to the passages around them. Which
sentences of them are kept is decided in :mod:`engine.answer.trimming`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.answer import budget, trimming
from engine.answer.trimming import Rarity, Span, Trimmed
from engine.answers import Citation
from engine.config import QUESTION_LIMIT, Settings
from engine.documents import SearchHit
from engine.errors import QuestionTooLong
from engine.wording import Language, describe

if TYPE_CHECKING:
    from engine.answer.generation import Generator
    from engine.answer.prompting import Prompt


_JOINT = 4
"""Tokens that a block may cost beyond its parts: tokens form across their borders."""

_LEAST_PASSAGE = 200
"""Tokens that a question must leave for its first passage, with the block's own lines."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered block. ``text`` is what is kept of the hit's text, with marks for the gaps between.

    ``kept`` are the spans of the hit's text that it is made of; without any it is the text's beginning.
    """

    number: int
    hit: SearchHit
    text: str
    kept: tuple[Span, ...] = ()

    @classmethod
    def of(cls, number: int, trimmed: Trimmed) -> Evidence:
        hit, kept = trimmed.hit, trimmed.kept
        return cls(number, hit, trimming.joined(hit.text, kept), kept)

    def in_hit(self, start: int, end: int) -> Span:
        """A span of ``text`` as a span of the hit's text; an end in a gap moves to what is kept."""
        at, last = 0, None
        begin, finish = None, 0
        for first, stop in self.kept or ((0, len(self.text)),):
            at += 0 if last is None else len(trimming.gap(self.hit.text, last, first))
            if begin is None and start < at + stop - first:
                begin = first + max(0, start - at)
            if end > at:
                finish = min(stop, first + end - at)
            at, last = at + stop - first, stop
        return begin or 0, finish

    def is_whole(self, start: int, end: int) -> bool:
        """Whether nothing of the passage was left out inside a span of ``text``."""
        begin, finish = self.in_hit(start, end)
        return finish - begin == end - start


def place(found: SearchHit | Citation, language: Language) -> str:
    """Where a passage or a quote stands, in one line for people and for the model: 文件名｜第 N 页,
    文件名｜章节 or 文件名｜正文."""
    name = found.document.rsplit("/", 1)[-1]
    if found.kind != "pdf":
        return f"{name}｜{found.section[-1] if found.section else describe('place_body', {}, language)}"
    is_labelled = bool(found.label) and found.label != str(found.page)
    params = {"page": found.page, "label": found.label}
    return f"{name}｜{describe('place_page_label' if is_labelled else 'place_page', params, language)}"


def answer_reserve(generator: Generator, settings: Settings) -> int:
    """Tokens kept for the answer: as many as configured, but never more than half of the context."""
    return min(settings.max_tokens, generator.context_length // 2)


def for_prompt(
    question: str,
    hits: Sequence[SearchHit],
    generator: Generator,
    prompt: Prompt,
    settings: Settings,
    neighbours: Callable[[SearchHit], Iterable[SearchHit]] = lambda hit: (),
    rarity: Rarity = trimming.general_rarity,
    wording: str | None = None,
    besides: int = 0,
) -> tuple[Evidence, ...]:
    """The evidence that fits beside rules, question and answer, counted after templating.

    ``wording`` is what the hits were found with, where that is not the question itself, ``besides`` what else
    is read before the answer begins, in tokens.

    The passages around a hit come after all hits, as blocks of their own, so that each keeps its place on a
    page and can be cited.

    Raises:
        QuestionTooLong: not even the beginning of one passage fits beside the question.
    """

    def block_cost(hit: SearchHit) -> int:
        block = prompt.block.format(number=88, place=place(hit, prompt.language), text="")
        return generator.count_tokens(block) + _JOINT

    fixed = generator.prompt_tokens(prompt.messages(question, ()))
    room = generator.context_length - answer_reserve(generator, settings) - fixed - 1
    wanted = settings.context_budget or budget.default(generator, fixed + besides)
    near = tuple(around(hits, neighbours))
    left = min(wanted, room)
    while left > 0:
        kept = trimming.trim(
            wording or question, hits, near, generator.count_tokens, left, block_cost, rarity
        )
        chosen = tuple(Evidence.of(number, each) for number, each in enumerate(kept, start=1))
        # Blocks may cost a little more once they stand together: the weakest leaves until the whole fits.
        over = generator.prompt_tokens(prompt.messages(question, chosen)) - fixed - room
        if chosen and over <= 0:
            return chosen
        left -= max(over, _JOINT)
    raise QuestionTooLong(length=len(question), limit=_longest(question, room, generator))


def around(
    hits: Sequence[SearchHit], neighbours: Callable[[SearchHit], Iterable[SearchHit]]
) -> Iterator[SearchHit]:
    """The hits' neighbours, those of the best first, each once."""
    known = {(hit.library, hit.row) for hit in hits}
    for hit in hits:
        for near in neighbours(hit):
            if (near.library, near.row) not in known:
                known.add((near.library, near.row))
                yield near


def _longest(question: str, room: int, generator: Generator) -> int:
    """Characters of a question like this one that would leave room for a passage."""
    tokens = max(1, generator.count_tokens(question))
    allowed = max(0, tokens + room - _LEAST_PASSAGE)
    return min(QUESTION_LIMIT, allowed * len(question) // tokens)
