"""Evidence: the passages handed to the model, numbered, inside a budget of its own tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.answer import sentences
from engine.config import Settings
from engine.documents import Citation, SearchHit
from engine.errors import QuestionTooLong

if TYPE_CHECKING:
    from engine.answer.generation import Generator
    from engine.answer.prompting import Prompt


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
    hits: Sequence[SearchHit], count_tokens: Callable[[str], int], budget: int, block_cost: int = 24
) -> tuple[Evidence, ...]:
    """The strongest passages that fit into ``budget`` tokens, best first.

    The weakest leave first. The one that no longer fits whole is cut at a sentence, unless so little of it
    would be left that it could mislead. ``block_cost`` is what a block's own lines cost.
    """
    chosen: list[Evidence] = []
    left = budget
    for hit in hits:
        text = hit.text
        cost = count_tokens(text) + block_cost
        if cost > left:
            text = _beginning(text, count_tokens, left - block_cost)
            if not text or (chosen and len(text) * 3 < len(hit.text)):
                break
            cost = count_tokens(text) + block_cost
        chosen.append(Evidence(len(chosen) + 1, hit, text))
        left -= cost
        if text is not hit.text:
            break
    return tuple(chosen)


def for_prompt(
    question: str, hits: Sequence[SearchHit], generator: Generator, prompt: Prompt, settings: Settings
) -> tuple[Evidence, ...]:
    """The evidence that fits beside rules, question and answer, counted after templating.

    Raises:
        QuestionTooLong: not even the beginning of one passage fits beside the question.
    """
    fixed = generator.prompt_tokens(prompt.messages(question, ()))
    room = generator.context_length - settings.max_tokens - fixed - 1
    chosen = fit(hits, generator.count_tokens, min(settings.context_budget, room))
    # Blocks may cost a little more once they stand together: the weakest leaves until the whole fits.
    while chosen and generator.prompt_tokens(prompt.messages(question, chosen)) > fixed + room:
        chosen = chosen[:-1]
    if not chosen:
        raise QuestionTooLong(length=len(question), limit=max(0, room))
    return chosen


def _beginning(text: str, count_tokens: Callable[[str], int], budget: int) -> str:
    end = 0
    for _, sentence_end in sentences.split(text):
        if count_tokens(text[:sentence_end]) > budget:
            break
        end = sentence_end
    return text[:end]
