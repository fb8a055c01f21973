"""Evidence: the passages handed to the model, numbered, inside a budget of its own tokens.

Small to find, large to read: what the hits leave of the budget goes to the passages around them. Measured
(tests.quality.retrieval.context) all evidence sentences in 1,400 tokens: rageval_zh 0.836 to 0.883,
rageval_en 0.749 to 0.786, for a prompt that is a quarter longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from engine.answer import sentences
from engine.config import QUESTION_LIMIT, Settings
from engine.documents import Citation, SearchHit
from engine.errors import QuestionTooLong

if TYPE_CHECKING:
    from engine.answer.generation import Generator
    from engine.answer.prompting import Prompt


_JOINT = 4
"""Tokens that a block may cost beyond its parts: tokens form across their borders."""

_LEAST_PASSAGE = 200
"""Tokens that a question must leave for its first passage, with the block's own lines."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered block. ``text`` is the hit's text or its beginning, cut at a sentence."""

    number: int
    hit: SearchHit
    text: str

    @property
    def place(self) -> str:
        """文件名｜第 N 页, 文件名｜章节 or 文件名｜正文."""
        return place(self.hit)

    @property
    def context(self) -> str:
        """Everything a statement may rest on: title and section name the subject the text speaks of."""
        return "\n".join((self.hit.title, *self.hit.section, self.text))


def place(found: SearchHit | Citation) -> str:
    """Where a passage or a quote stands, in one line for people and for the model."""
    name = found.document.rsplit("/", 1)[-1]
    if found.kind == "pdf":
        label = f"（页码标签 {found.label}）" if found.label and found.label != str(found.page) else ""
        return f"{name}｜第 {found.page} 页{label}"
    return f"{name}｜{found.section[-1]}" if found.section else f"{name}｜正文"


def fit(
    hits: Iterable[SearchHit],
    count_tokens: Callable[[str], int],
    budget: int,
    block_cost: Callable[[SearchHit], int],
) -> tuple[Evidence, ...]:
    """The strongest passages that fit into ``budget`` tokens, best first.

    The weakest leave first. The one that no longer fits whole is cut at a sentence, unless so little of it
    would be left that it could mislead; only the strongest is cut inside a sentence rather than left out.
    ``block_cost`` is what a block's own lines cost.
    """
    chosen: list[Evidence] = []
    left = budget
    for hit in hits:
        room = left - block_cost(hit)
        text = hit.text
        if count_tokens(text) > room:
            text = _beginning(text, count_tokens, room)
            if not text and not chosen:
                text = _cut(hit.text, count_tokens, room)
            if not text or (chosen and len(text) * 3 < len(hit.text)):
                break
        chosen.append(Evidence(len(chosen) + 1, hit, text))
        left = room - count_tokens(text)
        if text is not hit.text:
            break
    return tuple(chosen)


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
) -> tuple[Evidence, ...]:
    """The evidence that fits beside rules, question and answer, counted after templating.

    The passages around a hit come after all hits, as blocks of their own, so that each keeps its place on a
    page and can be cited.

    Raises:
        QuestionTooLong: not even the beginning of one passage fits beside the question.
    """

    def block_cost(hit: SearchHit) -> int:
        return generator.count_tokens(prompt.block.format(number=88, place=place(hit), text="")) + _JOINT

    fixed = generator.prompt_tokens(prompt.messages(question, ()))
    room = generator.context_length - answer_reserve(generator, settings) - fixed - 1
    wanted = chain(hits, around(hits, neighbours))
    chosen = fit(wanted, generator.count_tokens, min(settings.context_budget, room), block_cost)
    # Blocks may cost a little more once they stand together: the weakest leaves until the whole fits.
    while chosen and generator.prompt_tokens(prompt.messages(question, chosen)) > fixed + room:
        chosen = chosen[:-1]
    if not chosen:
        raise QuestionTooLong(length=len(question), limit=_longest(question, room, generator))
    return chosen


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


def _cut(text: str, count_tokens: Callable[[str], int], budget: int) -> str:
    end = len(text)
    while end and count_tokens(text[:end]) > budget:
        end = end * 3 // 4
    return text[:end]


def _beginning(text: str, count_tokens: Callable[[str], int], budget: int) -> str:
    end = 0
    for _, sentence_end in sentences.split(text):
        if count_tokens(text[:sentence_end]) > budget:
            break
        end = sentence_end
    return text[:end]
